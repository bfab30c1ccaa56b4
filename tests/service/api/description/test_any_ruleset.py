"""A ruleset that says little of itself is described, too: the tests' own has no type of its document."""

from service.api.description import events, rulesets
from tests.domain.table.pennies import PENNIES


def test_a_ruleset_without_a_document_is_an_object(monkeypatch):
    for module in (events, rulesets):
        monkeypatch.setattr(module, "RULESETS", {PENNIES.kind: PENNIES})
    found = rulesets.ruleset_schemas({"properties": {}}) | events.event_schemas()
    assert found["PenniesGame"]["properties"]["state"]["type"] == ["object", "null"]
    assert len(found["Event"]["oneOf"]) > len(PENNIES.decider.events)


def test_an_event_with_an_older_schema_may_also_be_as_it_was_written(monkeypatch):
    monkeypatch.setattr(events, "RULESETS", {PENNIES.kind: PENNIES})
    found = events.event_schemas()
    newest, older = found["PenniesPennyHiddenEvent"]["properties"]["data"]["anyOf"]
    assert newest == {"$ref": "#/components/schemas/PenniesPennyHiddenData"}
    assert older["description"] == "of an older schema"
    assert "$ref" in found["PenniesNoddedEvent"]["properties"]["data"]
