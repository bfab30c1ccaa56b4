"""Table talk over the API: say, read, take back; what one seat says to another changes nothing for a third."""

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from freezegun import freeze_time

from config.settings import Settings
from tests.service.api.table import Answer, Api, ApiTable, Player, served
from tests.service.api.twins import Line, Worlds, differences, heard, noticed, worlds

__all__ = ["worlds"]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
ANN, BOB, CYD = 0, 1, 2


@pytest.fixture
def prompt_api(sqlite_copy: str, settings_with: Callable[..., Settings]) -> Iterator[Api]:
    """The API at a table where lines are shown at once."""
    with served(settings_with(DATABASE_URL=sqlite_copy, TALK_DELAY="PT0S")) as api:
        yield api


def three(api: Api, **terms: Any) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"), **terms)


def says(table: ApiTable, seat: int, text: str, **more: Any) -> Answer:
    return table.post(table.seated[seat], "messages", {"text": text, **more}).ok(201)


def talk(table: ApiTable, who: Player, **query: Any) -> Any:
    return table.get(who, "messages", query_string=query).ok().json


def texts(lines: list[dict[str, Any]]) -> list[str]:
    return [line["text"] for line in lines]


def test_a_line_is_answered_with_201_and_waits_for_its_author_alone(api):
    table = three(api)
    ann, bob, _ = table.seated
    line = says(table, ANN, "  Who takes\tward 5? ").json
    assert set(line) == {"id", "seat", "player", "name", "to", "text", "shown_at"}
    assert (line["seat"], line["player"], line["name"], line["to"]) == (ANN, ann.id, "ann", None)
    assert line["text"] == "Who takes ward 5?"
    assert TIME.fullmatch(line["shown_at"])
    assert talk(table, ann) == {"items": [], "waiting": [line], "next": None}
    assert talk(table, bob) == {"items": [], "waiting": [], "next": None}
    table.api.delete(f"{table.path}/messages/{line['id']}", bob).refused(404, "no-such-message")
    assert table.api.delete(f"{table.path}/messages/{line['id']}", ann).ok(204).data == b""
    table.api.delete(f"{table.path}/messages/{line['id']}", ann).refused(404, "no-such-message")
    assert talk(table, ann)["waiting"] == []


def test_a_line_that_was_shown_cannot_be_taken_back(prompt_api):
    table = three(prompt_api)
    line = says(table, ANN, "too late").json
    assert talk(table, table.seated[BOB])["items"] == [line]
    path = f"{table.path}/messages/{line['id']}"
    prompt_api.delete(path, table.seated[ANN]).refused(409, "already-shown")
    prompt_api.delete(path, table.seated[BOB]).refused(404, "no-such-message")
    assert talk(table, table.seated[BOB])["items"] == [line]


def test_the_talk_comes_in_pages_oldest_first_and_goes_on_after_a_line(prompt_api):
    table = three(prompt_api)
    bob = table.seated[BOB]
    for number in range(5):
        says(table, ANN, f"line {number}")
    first = table.get(bob, "messages", query_string={"limit": 2}).ok()
    assert texts(first.json["items"]) == ["line 0", "line 1"]
    link = re.fullmatch(r'<(.*)>; rel="next"', first.headers["Link"])
    assert link is not None
    second = prompt_api.get("/" + link[1], bob).ok().json
    assert texts(second["items"]) == ["line 2", "line 3"]
    third = talk(table, bob, cursor=second["next"])
    assert (texts(third["items"]), third["next"]) == (["line 4"], None)
    news = talk(table, bob, after=third["items"][-1]["id"])
    assert news["items"] == []
    says(table, CYD, "news")
    assert texts(talk(table, bob, after=third["items"][-1]["id"])["items"]) == ["news"]


@pytest.mark.parametrize("query", [{"after": 77}, {"after": 10**12 - 1}, {"cursor": "Nzc"}])
def test_a_page_cannot_begin_after_a_line_that_is_not_there(sqlite_api, query):
    table = three(sqlite_api)
    table.get(table.seated[ANN], "messages", query_string=query).refused(404, "no-such-message")


@pytest.mark.parametrize("cursor", ["x", "MA", "LTE", "InR3byI", "dHJ1ZQ", "MTAwMDAwMDAwMDAwMA", "W10", "MS41"])
def test_what_is_no_cursor_is_400(sqlite_api, cursor):
    table = three(sqlite_api)
    table.get(table.seated[ANN], "messages", query_string={"cursor": cursor}).refused(400, "bad-cursor")


@pytest.mark.slow
@pytest.mark.parametrize(
    "body, status, code",
    [
        ({"text": "one\ntwo"}, 422, "bad-text"),
        ({"text": ""}, 422, "bad-text"),
        ({"text": "\u202e"}, 422, "bad-text"),
        ({"text": "x" * 501}, 422, "bad-text"),
        ({"text": "psst", "to": ANN}, 422, "own-seat"),
        ({"text": "psst", "to": 3}, 422, "bot-seat"),
        ({"text": "psst", "to": 9}, 422, "no-such-seat"),
        ({"text": "psst", "to": -1}, 422, "no-such-seat"),
        ({"text": "psst", "to": "bob"}, 400, "bad-request"),
        ({"text": "psst", "to": 1.5}, 400, "bad-request"),
        ({"text": "psst", "seat": 1}, 400, "bad-request"),
        ({"text": 7}, 400, "bad-request"),
        ({}, 400, "bad-request"),
    ],
)
def test_what_cannot_be_said_is_refused_and_nothing_is_kept(sqlite_api, body, status, code):
    table = three(sqlite_api, bots=1)
    before = sqlite_api.kept()
    table.post(table.seated[ANN], "messages", body).refused(status, code)
    assert sqlite_api.kept() == before


def test_before_the_start_whispers_are_409(sqlite_api):
    ann, bob, _ = sqlite_api.players("ann bob cyd")
    table = sqlite_api.open(ann)
    table.sit(bob)
    table.post(ann, "messages", {"text": "psst", "to": BOB}).refused(409, "not-started")
    table.post(ann, "messages", {"text": "psst", "to": CYD}).refused(422, "empty-seat")
    says(table, ANN, "Welcome", to=None)


def test_s11_spectators_read_nothing_and_a_private_table_is_not_there(sqlite_api):
    ann, bob, dan = sqlite_api.players("ann bob dan")
    table, private = three(sqlite_api), sqlite_api.open(bob, public=False)
    says(table, ANN, "hello")
    asked: list[tuple[str, str, Any]] = [
        ("GET", "/messages", None), ("POST", "/messages", {"text": "hi"}), ("DELETE", "/messages/7", None),
    ]  # fmt: skip
    for method, below, body in asked:
        sent = {} if body is None else {"json": body}
        sqlite_api.send(method, table.path + below, dan, **sent).refused(403, "not-seated")
        unseen = [sqlite_api.send(method, path + below, ann, **sent) for path in (private.path, "/games/none")]
        assert len({answer.refused(404, "no-such-game").data for answer in unseen}) == 1
        sqlite_api.send(method, table.path + below).ok(401)
    for odd in ("0", "x", "-1", "1e3", "9" * 13, "%00", "٣"):
        sqlite_api.delete(f"{table.path}/messages/{odd}", ann).refused(404, "no-such-message")


def test_a17_a_line_sent_twice_under_one_key_is_said_once(api):
    table = three(api)
    ann = table.seated[ANN]
    key = {"Idempotency-Key": "say-1"}
    first, second = (table.post(ann, "messages", {"text": "once"}, headers=key).ok(201) for _ in range(2))
    assert first.data == second.data
    assert second.headers["Idempotency-Replayed"] == "true"
    assert texts(talk(table, ann)["waiting"]) == ["once"]
    table.post(ann, "messages", {"text": "twice"}, headers=key).refused(422, "idempotency-key-reused")
    path, back = f"{table.path}/messages/{first.json['id']}", {"Idempotency-Key": "back-1"}
    for _ in range(2):
        assert api.delete(path, ann, headers=back).ok(204).data == b""
    assert talk(table, ann)["waiting"] == []


@pytest.mark.slow
def test_rate_09_the_twenty_first_line_within_an_hour_is_429_with_retry_after(limited_api):
    table = three(limited_api)
    for number in range(20):
        says(table, ANN, f"line {number}")
    answer = table.post(table.seated[ANN], "messages", {"text": "more"}).refused(429, "too-many-lines")
    assert 3500 < int(answer.headers["Retry-After"]) <= 3600
    says(table, BOB, "I may")


@pytest.mark.postgres
def test_rate_09_lines_sent_at_once_are_counted_too(postgres_copy, settings_with):
    with served(settings_with(DATABASE_URL=postgres_copy, RATE_LIMITS="on")) as api:
        table = three(api)
        for number in range(17):
            says(table, ANN, f"line {number}")
        together = threading.Barrier(6)
        statuses: list[int] = []

        def one() -> None:
            together.wait()
            statuses.append(table.post(table.seated[ANN], "messages", {"text": "now"}).status)

        threads = [threading.Thread(target=one) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(statuses) == [201] * 3 + [429] * 3
        assert len(talk(table, table.seated[ANN])["waiting"]) == 20


def test_q5_talk_leaves_the_game_as_it_was(sqlite_api):
    table = three(sqlite_api)
    before = table.export(table.seated[ANN])
    says(table, ANN, "a canary sang")
    assert table.export(table.seated[ANN]) == before


# The twin law


@pytest.fixture
def prompt_worlds(worlds: Worlds) -> Worlds:
    """Worlds in which lines are shown at once."""
    return replace(worlds, settings_with=lambda **more: worlds.settings_with(TALK_DELAY="PT0S", **more))


def listened(worlds: Worlds, *whispers: str) -> dict[str, list[Line]]:
    """What everybody hears in a world where ann talks to the table, then whispers these lines to bob."""
    with worlds.one() as api:
        table = three(api)
        dan = api.player("dan")
        says(table, ANN, "Good morning")
        for text in whispers:
            says(table, ANN, text, to=BOB)
        with freeze_time("2031-03-04 05:06:08"):  # a second later, all of it is shown
            return {
                who.name: noticed(table, who) if who in table.seated[:2] else heard(table, who, worlds.whole)
                for who in [*table.seated, dan]
            }


@pytest.mark.slow
@pytest.mark.parametrize("other", [["You take ward 7, and I take ward 5"], []])
def test_s02_what_a_seat_says_to_another_changes_nothing_for_a_third(prompt_worlds, other):
    """Neither what was said nor that anything was, but for the number of mails that wait on the whole server."""
    one, twin = listened(prompt_worlds, "No"), listened(prompt_worlds, *other)
    for name in ("ann", "bob"):
        assert differences(one[name], twin[name]), f"{name} should hear a difference: these are no twins at all"
    for name in ("cyd", "dan"):
        found = differences(one[name], twin[name])
        assert [line for line in found if other or not line.startswith("GET //metrics")] == []
        assert any("Good morning" in line[3] for line in one[name]) == (name == "cyd")
