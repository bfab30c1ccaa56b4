"""Drafts by REST: what lines would do, what may follow them, and nothing recorded."""

import pytest

from tests.service.api.test_choices import begin, choices


@pytest.mark.slow
def test_a_draft_speaks_the_language_of_the_reader_and_calls_people_by_their_names(api):
    table, first, _ = begin(api, ruleset="city-hall")
    api.patch("/me", first, {"language": "de"}).ok()
    line = choices(table, first)["choices"][0]["options"][0]["line"]
    drafted = table.post(first, "drafts", {"text": line}).ok().json
    assert drafted["sentences"][0] == f"{first.name} wählt {line.split()[1]}."


def test_a_draft_tells_what_lines_would_do_and_what_may_follow(api):
    table, first, _ = begin(api)
    before = api.kept()
    found = table.post(first, "drafts", {"text": "place 1 14\n"}).ok().json
    dry = table.post(first, "moves?dry_run=1", {"text": "place 1 14"}).ok().json
    assert {name: found[name] for name in ("version", "hash", "events", "game")} == {
        name: dry[name] for name in ("version", "hash", "events", "game")
    }
    campaign = f"{first.name} campaigns: a boss in ward 1 and a boss in ward 14."
    assert found["lines"] == [{"number": 1, "text": "place 1 14", "sentences": [campaign], "final": False}]
    assert found["sentences"] == [campaign]
    assert [option["line"] for option in found["choices"][0]["options"]] == ["end"]
    assert (found["complete"], found["refusal"]) == (False, None)
    both = table.post(first, "drafts", {"actions": [{"type": "place", "wards": [1, 14]}, {"type": "end"}]}).ok().json
    assert (both["complete"], both["choices"], both["lines"][1]["final"]) == (True, [], True)
    assert api.kept() == before


def test_a_draft_without_lines_tells_what_may_come_first(api):
    table, first, _ = begin(api)
    tree = choices(table, first)["choices"]
    for body in (None, {}, {"text": ""}, {"text": " \n"}, {"actions": []}):
        found = table.post(first, "drafts", body).ok()
        assert found.json["choices"] == tree
        assert (found.json["lines"], found.json["events"], found.json["complete"]) == ([], [], False)
        assert found.headers["ETag"] == f'"{table.version}"'


def test_a_refused_line_is_named_and_the_lines_before_it_stay(api):
    table, first, others = begin(api)
    found = table.post(first, "drafts", {"text": "place 1 1\n\nplace 2 2\nend"}).ok().json
    assert found["refusal"] == {
        "number": 3,
        "text": "place 2 2",
        "code": "already-placed",
        "rule": "TH-6.1",
        "rule_url": "http://127.0.0.1:8000/rules/tammany-hall#TH-6.1",
        "detail": found["refusal"]["detail"],
    }
    assert [line["text"] for line in found["lines"]] == ["place 1 1"]
    assert found["game"]["state"]["wards"]["1"]["bosses"][found["game"]["you"]["seat"]] == 2
    waits = table.post(others[0], "drafts", {"text": "end"}).ok().json["refusal"]
    assert (waits["code"], waits["detail"]) == (
        "not-your-turn", f"It is not your move: {first.name} is taking a turn.",
    )  # fmt: skip


def test_a_refusal_that_says_which_words_to_type_says_pawns(api):
    table, first, _ = begin(api)
    refusal = table.post(first, "drafts", {"text": "slander zoe 1 irish"}).ok().json["refusal"]
    assert (refusal["code"], refusal["rule"]) == ("unknown-player", "TH-1.5")
    assert "red, yellow and black" in refusal["detail"]


def test_a_draft_that_is_none_is_refused(api):
    table, first, _ = begin(api)
    table.post(first, "drafts", {"text": "end", "actions": []}).refused(400, "bad-request")
    table.post(first, "drafts", {"text": "x" * 4001}).refused(400, "bad-request")
    table.post(first, "drafts", {"line": "end"}).refused(400, "bad-request")
    table.post(api.player("Eve"), "drafts", {"text": "end"}).refused(403, "not-seated")
    table.post(first, "drafts", {"text": "end"}, headers={"If-Match": '"1"'}).refused(412, "stale")
    table.post(first, "drafts", {"text": "end"}, headers={"If-Match": f'"{table.version}"'}).ok()
    waiting = api.open(first)
    waiting.post(first, "drafts", {"text": "end"}).refused(409, "not-started")
