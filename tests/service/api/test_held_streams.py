"""What the service tells the process of news about a stream, which that process holds."""

import re
from collections.abc import Callable, Iterator

import pytest

from config.settings import Settings
from service.api.http import streaming
from service.api.http.streaming import NDJSON, SSE
from service.news.holding import ASK, FULL, HOLD, LOOK, MANY, OPEN, Hold, ask_header, ask_key, read_hold
from tests.service.api.table import Answer, Api, Player, served


@pytest.fixture
def service(settings_with: Callable[..., Settings], migrated_sqlite: str, redis_url: str) -> Iterator[Api]:
    """On SQLite, and several processes: it holds no stream by itself."""
    with served(settings_with(DATABASE_URL=migrated_sqlite, REDIS_URL=redis_url, TALK_DELAY="PT1M")) as api:
        yield api


def ask(api: Api, what: str, who: Player, path: str = "/me/events", kind: str = NDJSON, **more: str) -> Answer:
    header = ask_header(ask_key(api.services.settings.secret_key), what)
    place = {"Last-Event-ID": more.pop("place")} if "place" in more else {}
    return api.get(path, who, headers={"Accept": kind, ASK: header, **place}, query_string=more)


def hold(answer: Answer) -> Hold:
    return read_hold(answer.ok().headers[HOLD].encode())


@pytest.mark.slow
def test_a_stream_begins_with_what_there_is_and_goes_on_where_it_came_to(service, monkeypatch):
    monkeypatch.setattr(streaming, "MOST_AT_ONCE", 2)
    ann, bob = service.players("ann bob")
    place = hold(ask(service, OPEN, ann)).place
    table = service.begin(ann, bob, service.player("cyd"))
    told = ask(service, LOOK, ann, place=place)
    assert (hold(told).is_behind, len(told.text.splitlines())) == (True, 2)
    while (told := ask(service, LOOK, ann, place=hold(told).place)).text:
        pass
    assert (hold(told).whose, hold(told).hears, hold(told).is_behind) == (ann.id, ann.id, False)
    begun = ask(service, OPEN, bob, f"{table.path}/events", SSE, after=f"{table.version - 1}")
    assert begun.text.startswith(f"retry: 2000\n\nid: {table.version}\n")
    assert hold(begun) == Hold(bob.id, table.id, f"{table.version}")
    assert ask(service, LOOK, bob, f"{table.path}/events", SSE, place=f"{table.version}").text == ""


def test_a_line_that_is_still_to_be_shown_says_when_to_look_to_who_may_read_it(service):
    table = service.begin(*service.players("ann bob cyd"))
    ann, bob, cyd = table.seated
    assert hold(ask(service, OPEN, ann)).due_in is None
    line = table.post(ann, "messages", {"text": "psst", "to": 1}).ok(201).json["id"]
    due = [hold(ask(service, OPEN, who)).due_in for who in (ann, bob, cyd)]
    assert due[2] is None
    assert all(due_in is not None and 0 < due_in <= 60 for due_in in due[:2])
    service.delete(f"{table.path}/messages/{line}", ann).ok(204)
    assert hold(ask(service, OPEN, bob)).due_in is None


def test_nobody_else_asks_as_the_process_does(service):
    ann = service.player("ann")
    key = ask_key(service.services.settings.secret_key)
    forged = ("look", "look 00", ask_header(ask_key("another master key"), LOOK), ask_header(key, OPEN)[5:], "löok")
    for header in forged:
        service.get("/me/events", ann, headers={"Accept": NDJSON, ASK: header}).refused(429, "no-room")
    held = service.get("/me/events", ann, headers={"Accept": NDJSON, ASK: ask_header(key, OPEN)}).ok()
    assert read_hold(held.headers[HOLD].encode()).hears == ann.id


@pytest.mark.slow
def test_a_look_is_not_counted_for_it_was_when_the_stream_began(settings_with, migrated_sqlite, redis_url):
    with served(settings_with(DATABASE_URL=migrated_sqlite, REDIS_URL=redis_url, RATE_LIMITS="on")) as api:
        ann = api.player("ann")
        key = ask_key(api.services.settings.secret_key)

        def left() -> int:
            return int(re.findall("r=([0-9]+)", api.get("/me/turns", ann).headers["RateLimit"])[0])

        before = left()
        for ask, costs in ((OPEN, 1), (LOOK, 0), (MANY, 1), (FULL, 1)):
            api.get("/me/events", ann, headers={"Accept": SSE, ASK: ask_header(key, ask)})
            before, after = left(), before
            assert after - before == 1 + costs, ask
