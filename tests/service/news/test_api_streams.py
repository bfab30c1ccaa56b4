"""Streams of the API that the process of news holds: as those of the service itself, and without a thread of it."""

import asyncio
import contextlib
import json
import random
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from werkzeug.serving import make_server

from config.settings import Settings
from service.api.http import streaming
from service.api.http.streaming import NDJSON, SSE
from service.games import long_poll
from service.news import api_front, api_stream, asking
from service.news.app import News
from service.news.sources import feed
from tests.loops import run
from tests.ports import free_port
from tests.service.api.table import Api, ApiTable, Player, served
from tests.service.news.readers import Program, fed
from tests.service.news.test_sources import act, until

pytestmark = pytest.mark.slow

Story = Callable[[News], Any]


@dataclass
class House:
    """A service that answers at a port, and whose hints Redis carries."""

    settings: Settings
    api: Api

    def begun(self) -> ApiTable:
        return self.api.begin(*self.api.players("ann bob cyd"))

    @contextlib.asynccontextmanager
    async def hearing(self, **limits: int) -> AsyncIterator[News]:
        """The process of news beside it."""
        app = fed(self.settings, **limits)
        app.streams.is_fed = False
        beside = [asyncio.create_task(feed(app.streams, self.settings)), asyncio.create_task(app.streams.look_after())]
        try:
            await until(lambda: app.streams.is_fed)
            yield app
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)


@pytest.fixture
def house(settings_with: Callable[..., Settings], migrated_sqlite: str, redis_url: str) -> Iterator[House]:
    port = free_port()
    settings = settings_with(
        DATABASE_URL=migrated_sqlite, REDIS_URL=redis_url, NEWS="127.0.0.1:8001", NEWS_ASKS=f"127.0.0.1:{port}",
        TALK_DELAY="PT1S",
    )  # fmt: skip
    with served(settings) as api:
        server = make_server("127.0.0.1", port, api.app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield House(settings, api)
        server.shutdown()
        thread.join()
        server.server_close()


def told(lines: list[dict[str, Any]], game: str) -> list[int]:
    """The versions of a game that were told, in their order."""
    return [line["event"]["version"] for line in lines if line["game"] == game and "event" in line]


@pytest.mark.parametrize("kind", [NDJSON, SSE])
def test_what_happens_is_told_at_once_and_no_thread_of_the_service_is_held(house, kind):
    async def story() -> None:
        table = house.begun()
        async with house.hearing() as app:
            waits = await Program(app, "/me/events", table.awaited.token, kind).began()
            begun = await waits.lines(1)
            assert [(line["type"], line["game"]) for line in begun] == [("turn", table.id)]
            query = f"after={table.version}&wait=1"
            stranger = await Program(app, f"{table.path}/events", "", kind, query=query).began()
            assert not long_poll._waiting
            since, version = table.version, await asyncio.to_thread(act, table)
            new = list(range(since + 1, version + 1))
            assert told(await waits.lines(1 + len(new)), table.id) == new
            assert told(await stranger.lines(len(new)), table.id) == new
            assert (waits.headers["content-type"], waits.headers["x-accel-buffering"]) == (kind, "no")
            assert not {"wardroom-hold", "content-length"} & waits.headers.keys()
            assert waits.body.startswith(streaming.RETRY if kind == SSE else b"\n")
            assert (b"\nid: " in waits.body) == (kind == SSE)

    run(story())


def test_whoever_comes_back_at_any_moment_loses_nothing_and_hears_nothing_twice(house, monkeypatch):
    monkeypatch.setattr(streaming, "MOST_AT_ONCE", 3)

    async def story() -> None:
        dice, table = random.Random(23), house.begun()
        ann = table.seated[0]
        start = house.api.get("/me/events", ann).json["after"]
        first, place, heard = table.version + 1, start, list[dict[str, Any]]()
        async with house.hearing() as app:
            for _ in range(8):
                program = await Program(app, "/me/events", ann.token, last=place).began()
                for _ in range(dice.randint(0, 3)):
                    await asyncio.to_thread(act, table)
                if dice.random() < 0.7:
                    left = table.version + 1 - first - len(told(heard, table.id))
                    await program.lines(min(left, dice.randint(0, 2)))
                await program.leave()
                lines = program._told()
                heard += lines
                place = lines[-1]["id"] if lines else place
            program = await Program(app, "/me/events", ann.token, last=place).began()
            await until(lambda: told(heard + program._told(), table.id)[-1:] == [table.version])
            heard += program._told()
        assert told(heard, table.id) == list(range(first, table.version + 1))
        turns = [line["since"] for line in heard if line["type"] == "turn"]
        assert len(turns) == len(set(turns))

    run(story())


def test_a_line_of_talk_is_told_when_it_is_shown_though_nothing_hints_at_it_then(house):
    async def story() -> None:
        table = house.begun()
        ann = table.seated[0]
        async with house.hearing() as app:
            places = {who.name: house.api.get("/me/events", who).json["after"] for who in table.seated}
            programs = {
                who.name: await Program(app, "/me/events", who.token, last=places[who.name]).began()
                for who in table.seated
            }
            await asyncio.to_thread(table.post, ann, "messages", {"text": "psst", "to": 1})
            for name in ("ann", "bob"):
                (line,) = await programs[name].lines(1)
                assert (line["type"], line["message"]["text"]) == ("talk", "psst")
            assert await programs["cyd"].lines() == []

    run(story())


def test_a_game_that_begins_while_its_player_listens_is_told_at_once(house):
    async def story() -> None:
        ann, bob = house.api.players("ann bob")
        async with house.hearing() as app:
            program = await Program(app, "/me/events", ann.token).began()
            table = await asyncio.to_thread(house.api.begin, ann, bob, ruleset="city-hall")
            await until(lambda: told(program._told(), table.id)[-1:] == [table.version])

    run(story())


def test_what_is_hinted_while_a_stream_is_opened_is_told_at_once(house, monkeypatch):
    async def story() -> None:
        table = house.begun()
        async with house.hearing() as app:
            read, since = asking.Answer.body, table.version

            async def read_late(answer: asking.Answer) -> bytes:
                body = await read(answer)
                if since == table.version:
                    await asyncio.to_thread(act, table)
                    await until(lambda: table.id in app.streams._told)
                return body

            monkeypatch.setattr(asking.Answer, "body", read_late)
            program = await Program(app, "/me/events", table.seated[0].token).began()
            await until(lambda: told(program._told(), table.id)[-1:] == [table.version])
            assert table.version > since

    run(story())


def test_a_stream_that_is_behind_looks_again_at_once(house, monkeypatch):
    monkeypatch.setattr(streaming, "MOST_AT_ONCE", 1)

    async def story() -> None:
        table = house.begun()
        async with house.hearing() as app:
            program = await Program(app, f"{table.path}/events", table.seated[0].token, SSE).began()
            assert told(await program.lines(table.version), table.id) == list(range(1, table.version + 1))

    run(story())


def test_what_is_no_stream_and_every_refusal_come_as_the_service_says_them(house):
    async def ask(app: News, who: Player | None, path: str, **more: Any) -> tuple[int, dict[str, str], bytes]:
        program = Program(app, path, who.token if who else "", **{"kind": "application/json", **more})
        await program.end()
        return program.status, program.headers, program.body

    async def story() -> None:
        table = house.begun()
        ann, bob, _ = table.seated
        private = house.api.open(ann, public=False)
        async with house.hearing() as app:
            status, headers, body = await ask(app, ann, f"{table.path}/events", query="after=1")
            assert json.loads(body) == house.api.get(f"{table.path}/events?after=1", ann).json
            assert (status, headers["content-type"]) == (200, "application/json")
            assert headers["etag"]
            _, headers, body = await ask(app, ann, f"{table.path}/events", accept_encoding="gzip")
            assert (headers["content-encoding"], headers["content-length"]) == ("gzip", str(len(body)))
            status, _, body = await ask(app, ann, f"{table.path}/events", kind=NDJSON)
            assert b'{"end":' in body.splitlines()[-1], "the export"
            for kind in (NDJSON, SSE):
                for who, path, query, refused in [
                    (None, "/me/events", "", (401, "unauthorized")),
                    (None, f"{private.path}/events", "wait=1", (401, "unauthorized")),
                    (bob, f"{private.path}/events", "wait=1", (404, "no-such-game")),
                    (ann, "/me/events", "after=nonsense", (400, "bad-place")),
                ]:
                    status, headers, body = await ask(app, who, path, kind=kind, query=query)
                    assert (status, json.loads(body)["code"]) == refused
                    assert headers["access-control-allow-origin"] == "*"
            status, headers, body = await ask(app, ann, "/me/events", kind=SSE, method="HEAD", query="")
            assert (status, headers["content-type"], body) == (200, SSE, b"")
            status, _, body = await ask(app, ann, "/me/events", method="POST")
            assert (status, json.loads(body)["code"]) == (405, "method-not-allowed")
            assert not app.streams.open

    run(story())


def test_a_person_holds_two_streams_and_beyond_the_room_for_all_there_is_none(house):
    async def refused(app: News, who: Player) -> tuple[int, str, bool]:
        program = Program(app, "/me/events", who.token, SSE)
        await program.end()
        return program.status, json.loads(program.body)["code"], "retry-after" in program.headers

    async def story() -> None:
        ann, bob = house.api.players("ann bob")
        async with house.hearing(most_of_a_network=3) as app:
            held = [await Program(app, "/me/events", ann.token).began() for _ in range(2)]
            assert await refused(app, ann) == (429, "too-many-waiting", True)
            other = await Program(app, "/me/events", bob.token).began()
            assert await refused(app, bob) == (429, "no-room", True)
            await held[0].leave()
            await Program(app, "/me/events", ann.token).began()
            await other.leave()
            assert len(app.streams.open) == 2
            assert app.streams._people == {ann.id: 2}

    run(story())


def test_a_stream_ends_at_its_next_look_once_its_token_has(house, monkeypatch):
    async def story() -> None:
        table = house.begun()
        ann, bob, _ = table.seated
        async with house.hearing() as app:
            hers, his = [await Program(app, "/me/events", who.token).began() for who in (ann, bob)]
            (stream,) = [stream for stream in app.streams.open if stream.whose == ann.id]
            await until(lambda: stream._looking is None)
            house.api.delete("/me/tokens", ann).ok(204)
            assert stream._look_at <= asyncio.get_running_loop().time() + api_stream.LOOK * api_stream.SPREAD[1]
            monkeypatch.setattr(stream, "_look_at", 0.0)
            await hers.end()
            assert hers.ended, "properly"
            assert not his.ended

    run(story())


def test_while_the_service_is_away_a_stream_is_held_and_hears_afterwards_what_happened_meanwhile(house, monkeypatch):
    monkeypatch.setattr(api_stream, "LATER", (0.0, 0.1))

    async def story() -> None:
        table = house.begun()
        program = None
        async with house.hearing() as app:
            program = await Program(app, "/me/events", table.awaited.token).began()
            port, app.api.web = app.api.web, ("127.0.0.1", free_port())
            refused = Program(app, "/me/events", table.awaited.token)
            await refused.end()
            assert (refused.status, json.loads(refused.body)["code"]) == (503, "unavailable")
            version = await asyncio.to_thread(act, table)
            await asyncio.sleep(0.3)
            app.api.web = port
            await until(lambda: told(program._told(), table.id)[-1:] == [version])
            app.streams.end()
            await program.end()
            assert program.ended, "properly, where the process of news itself goes"

    run(story())


def test_hints_that_are_lost_cost_some_time_and_no_news(house, monkeypatch):
    monkeypatch.setattr(api_stream, "LOOK", 0.5)

    async def story() -> None:
        table = house.begun()
        async with house.hearing() as app:
            program = await Program(app, "/me/events", table.awaited.token).began()
            monkeypatch.setattr(app.streams, "tell", lambda *_: None)
            version = await asyncio.to_thread(act, table)
            await until(lambda: told(program._told(), table.id)[-1:] == [version])

    run(story())


def test_silence_is_broken_by_lines_without_anything_until_the_life_of_a_stream_is_over(house, monkeypatch):
    monkeypatch.setattr(api_stream, "HEARTBEAT", 0.0)
    monkeypatch.setattr(api_stream, "LIFE", (3.0, 3.0))

    async def story() -> None:
        ann = house.api.player("ann")
        async with house.hearing() as app:
            programs = [await Program(app, "/me/events", ann.token, kind).began() for kind in (NDJSON, SSE)]
            for program in programs:
                await program.end()
            assert [program.body.count(beat) > 1 for program, beat in zip(programs, (b"\n", b":\n\n"), strict=True)]
            assert all(program.ended for program in programs)

    run(story())


def test_whoever_is_to_move_waits_for_no_crowd_that_watches(house):
    async def story() -> None:
        table = house.begun()
        async with house.hearing() as app:
            path, token = f"{table.path}/events", table.seated[0].token
            watcher = await Program(app, path, token, SSE, query=f"after={table.version}").began()
            player = await Program(app, "/me/events", token).began()
            for _ in range(api_front.LOOKS):
                await app.api._watched.acquire()  # the looks of a crowd
            version = await asyncio.to_thread(act, table)
            await until(lambda: told(player._told(), table.id)[-1:] == [version])
            assert await watcher.lines() == []
            app.api._watched.release()
            await until(lambda: told(watcher._told(), table.id)[-1:] == [version])

    run(story())


def test_strangers_who_watch_one_game_are_told_by_few_looks(house, monkeypatch):
    async def story() -> None:
        table = house.begun()
        async with house.hearing(most_of_a_person=30) as app:
            query, since = f"after={table.version}&wait=1", table.version
            watchers = [await Program(app, f"{table.path}/events", query=query).began() for _ in range(20)]
            asks = []
            monkeypatch.setattr(app.api, "_asked", lambda *words, ask=app.api._asked: asks.append(words) or ask(*words))
            app.streams.tell(table.id, 0)
            await until(lambda: len(asks) == 1 and not any(stream._looking for stream in app.streams.open))
            version = await asyncio.to_thread(act, table)
            for watcher in watchers:
                assert told(await watcher.lines(version - since), table.id) == list(range(since + 1, version + 1))
            assert len(asks) < 5

    run(story())


def test_a_reader_who_takes_nothing_is_dropped_with_little_kept_for_it(house, monkeypatch):
    monkeypatch.setattr(api_stream, "PATIENCE", 1.0)

    async def story() -> None:
        table = house.begun()
        async with house.hearing() as app:
            place = house.api.get("/me/events", table.seated[0]).json["after"]
            program = Program(app, "/me/events", table.seated[0].token, last=place, stalls=True)
            await program.began()
            for _ in range(3):
                await asyncio.to_thread(act, table)
            await program.end()
            assert not app.streams.open

    run(story())


def test_a_place_that_is_too_long_to_come_back_with_is_refused_at_once(house, monkeypatch):
    monkeypatch.setattr(streaming, "LONGEST_PLACE", 20)

    async def story() -> None:
        table = house.begun()
        async with house.hearing() as app:
            program = Program(app, "/me/events", table.seated[0].token)
            await program.end()
            assert (program.status, json.loads(program.body)["code"]) == (429, "no-room")

    run(story())
