"""Old bodies are read for ever; what a later Wardroom writes is refused in a sentence (DESIGN 3, issue 6 point 6).

No event of a game has an older schema so far: a hidden penny of the toy game has one.
"""

import json
from typing import Any

import msgspec
import pytest

from domain.audit.verify_history import audit, read_game
from domain.engine.canonical import canonical
from domain.engine.game import Event
from domain.engine.upcast import Upcast
from domain.history.codec import UnknownSchema, history, unseal
from domain.history.envelope import BrokenHistory, event_hash, hashed_part, read_export
from domain.history.upcasts import newest, upcast, upcast_leaf
from domain.rulesets import RULESETS
from domain.table.events import EVENTS
from domain.table.evolve import fold
from domain.table.state import Table
from tests.domain.table.old_pennies import HIDDEN, chained, in_schema_1, played
from tests.domain.table.pennies import PENNIES, PennyHidden


@pytest.fixture(autouse=True)
def pennies(monkeypatch):
    monkeypatch.setitem(RULESETS, PENNIES.kind, PENNIES)


def body(name: str, data: dict[str, Any], schema: int, version: int = 17) -> bytes:
    """A stored body, as far as its event is read from it."""
    return canonical({"version": version, "type": name, "schema": schema, "data": data, "sealed": []})


def folded(lines: list[bytes]) -> Table:
    kind, events, over = read_game(lines)
    assert over
    return fold(Table(), RULESETS[kind], events)


# -- what was written in an older schema


def test_a_body_of_an_older_schema_is_read_as_the_newest_form():
    shut = history("pennies").read(HIDDEN, body(HIDDEN, {"player": 2}, 1))
    assert shut == history("pennies").read(HIDDEN, body(HIDDEN, {"seat": 2}, 2)) == PennyHidden(2)


def test_a_leaf_of_an_older_schema_says_the_same_in_other_words():
    shut = PennyHidden(2)
    for leaf in ({"coins": 3, "note": "n", "text": "hide 3 n"}, {"pennies": 3, "note": "n"}):
        assert unseal(shut, leaf) == PennyHidden(2, 3, "n")


def test_an_older_history_is_decided_again_and_folds_to_the_same_table():
    lines = played()
    old = in_schema_1(lines)
    assert {json.loads(line)["schema"] for line in old[:-1]} == {1}
    assert {json.loads(line)["schema"] for line in lines[:-1]} == {1, 2}
    report = audit(old)
    assert report.ok, report.checks
    assert {verdict for what, verdict, _ in report.checks if what != "clock"} == {"verified"}, "it has no deadlines"
    assert read_game(old) == read_game(lines)
    assert folded(old).status == "finished"
    assert folded(old) == folded(lines)


def test_the_export_of_an_older_history_keeps_its_bytes_and_its_hashes():
    old = in_schema_1(played())
    entries = read_export(old)
    assert [canonical(entry) for entry in entries] == old[:-1]
    assert all(entry["hash"] == event_hash(hashed_part(entry)) for entry in entries)


def test_a_spoiled_leaf_of_an_older_event_is_found():
    old = in_schema_1(played())
    events = [json.loads(line) for line in old[:-1]]
    number = next(n for n, event in enumerate(events) if event["type"] == HIDDEN)
    events[number]["sealed"][0]["data"]["coins"] += 1
    report = audit([*map(canonical, events), old[-1]])
    assert (report.ok, report.version) == (False, number + 1)


@pytest.mark.parametrize("schema", [-1, 0, 2])
def test_a_schema_that_never_was_is_none_of_the_type(schema):
    """Schema 2 is one that may come; -1 and 0 are nothing."""
    name = "table.seat-left"
    wrong = UnknownSchema if schema == 2 else msgspec.ValidationError
    with pytest.raises(wrong):
        history("city-hall").read(name, body(name, {"seat": 0, "host": "p_anna"}, schema))


def test_an_old_body_that_is_no_such_event_is_refused_like_any_other():
    read = history("pennies").read
    for data in ({}, {"seat": 1}, {"player": "x"}, {"player": 1.5}):
        with pytest.raises(msgspec.ValidationError):
            read(HIDDEN, body(HIDDEN, data, 1))


# -- what a later Wardroom wrote


def later(change: Any) -> list[bytes]:
    """A sound history of which event 7 is of a later Wardroom."""
    events = [json.loads(line) for line in played()[:-1]]
    change(events[6])
    return chained(events)


def test_a_later_schema_is_refused_with_what_to_do():
    name = "tammany-hall.bosses-placed"
    with pytest.raises(UnknownSchema) as refused:
        history("tammany-hall").read(name, body(name, {"seat": 1, "anything": 1}, 2))
    assert str(refused.value) == (
        "Event 17 is a tammany-hall.bosses-placed of schema 2, and this Wardroom reads up to 1: install a newer one."
    )
    assert refused.value.version == 17


def test_a_later_type_is_refused_with_what_to_do():
    for name in ("tammany-hall.elephant", "city-hall.bid-made"):
        with pytest.raises(UnknownSchema) as refused:
            history("tammany-hall").decoders[name](body(name, {}, 1, 3))
        assert str(refused.value) == f"Event 3 is a {name}, which this Wardroom does not know: install a newer one."


@pytest.mark.parametrize("change", [lambda it: it.update(schema=3), lambda it: it.update(type="pennies.elephant")])
def test_verify_says_that_a_newer_one_is_needed(change):
    report = audit(later(change))
    assert not report.ok
    assert report.version == 7
    (told,) = [sentence for _, verdict, sentence in report.checks if verdict == "broken"]
    assert told.startswith("event 7: it is a pennies.")
    assert told.endswith(": install a newer one.")
    with pytest.raises(BrokenHistory, match="install a newer one"):
        read_game(later(change))


# -- the rules for whoever adds a schema


@pytest.mark.parametrize("kind", [*RULESETS, "pennies"])
def test_every_type_has_a_newest_schema_and_is_written_in_it(kind):
    kept = history(kind)
    assert set(kept.schemas) == set(kept.decoders) == set(kept.names.values())
    assert {name for name, schema in kept.schemas.items() if schema > 1} == ({HIDDEN} if kind == "pennies" else set())
    assert {f"table.{name}" for name in EVENTS} < set(kept.schemas)


def test_an_old_leaf_can_be_told_from_every_newer_one():
    for kind in {event for ruleset in RULESETS for event in history(ruleset).names}:
        forms = [step.sealed for step in kind.UPCASTS if step.sealed]
        assert len(set(forms)) == len(forms)
        assert frozenset(kind.SEALED) not in forms


class Counted(Event, frozen=True):
    """For schemas that come after the second."""

    seat: int
    coins: int


def test_schemas_are_climbed_one_by_one(monkeypatch):
    first = Upcast(lambda data: {"seat": data["s"], "pennies": data["p"]})
    second = Upcast(lambda data: {"seat": data["seat"], "coins": data["pennies"]})
    monkeypatch.setattr(Counted, "UPCASTS", (first, second))
    assert newest(Counted) == 3
    assert upcast(Counted, 1, {"s": 1, "p": 2}) == {"seat": 1, "coins": 2}
    assert upcast(Counted, 2, {"seat": 1, "pennies": 2}) == {"seat": 1, "coins": 2}
    for schema in (0, 3):
        with pytest.raises(ValueError, match="never was"):
            upcast(Counted, schema, {})


def test_leaves_are_climbed_one_by_one_too(monkeypatch):
    first = Upcast(sealed=frozenset({"p"}), leaf=lambda data: {"pennies": data["p"]})
    second = Upcast(sealed=frozenset({"pennies"}), leaf=lambda data: {"coins": data["pennies"]})
    monkeypatch.setattr(Counted, "UPCASTS", (first, second))
    assert upcast_leaf(Counted, {"p": 2}) == upcast_leaf(Counted, {"pennies": 2}) == upcast_leaf(Counted, {"coins": 2})
