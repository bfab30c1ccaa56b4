"""Streams of news: each hears of its games alone, in bounded memory, as long as its ticket allows."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

import pytest

from service.news import streams
from service.news.tickets import issue
from tests.loops import run
from tests.service.news.readers import KEY, Reader, fed, reader


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @wraps(test)
    def in_loop(*args: Any, **more: Any) -> None:
        run(test(*args, **more))

    return in_loop


@in_a_loop
async def test_who_has_a_ticket_hears_of_the_games_in_it_and_of_no_other():
    app = fed()
    ann, bob = await reader(app, "g1", "g2"), await reader(app, "g2")
    app.streams.tell("g3", 9)
    app.streams.tell("g1", 5)
    app.streams.tell("g2", 7)
    assert await ann.hint() == ("g1", 5)
    assert await ann.hint() == ("g2", 7)
    assert await bob.hint() == ("g2", 7)
    assert bob.headers["content-type"] == "text/event-stream"
    assert (bob.headers["cache-control"], bob.headers["x-accel-buffering"]) == ("no-store", "no")


@pytest.mark.parametrize(
    "ticket",
    ["", "1.g1.AAAA", issue(KEY, ["g1"], now=0), issue(b"other", ["g1"])],
    ids=["none", "made up", "too old", "of another key"],
)
@in_a_loop
async def test_without_a_good_ticket_there_is_no_stream(ticket):
    app = fed()
    stranger = Reader(app, ticket)
    await stranger.end()
    assert (stranger.status, stranger.ended, app.streams.open) == (403, True, set())


@in_a_loop
async def test_who_leaves_is_forgotten_and_comes_back():
    app = fed()
    ann = await reader(app, "g1")
    await ann.leave()
    assert (app.streams.open, app.streams._by_name, +app.streams._networks) == (set(), {}, {})
    app.streams.tell("g1", 3)
    ann = await reader(app, "g1")
    app.streams.tell("g1", 4)
    assert await ann.hint() == ("g1", 4)


@in_a_loop
async def test_the_stream_of_an_old_ticket_ends_by_itself():
    app = fed()
    ann = await reader(app, "g1")
    (stream,) = app.streams.open
    stream.look(time.monotonic() + 599)
    assert not ann.task.done()
    stream.look(time.monotonic() + 721)
    await ann.end()
    assert ann.ended, "properly: its page comes for another ticket"


@in_a_loop
async def test_a_stream_that_tells_nothing_beats():
    app = fed()
    ann = await reader(app, "g1")
    (stream,) = app.streams.open
    stream.look(time.monotonic() + streams.HEARTBEAT - 1)
    stream.look(time.monotonic() + streams.HEARTBEAT + 1)
    assert await ann.part() == b":"
    assert ann.parts.empty()


@pytest.mark.slow
@in_a_loop
async def test_a_reader_who_takes_nothing_costs_little_and_is_dropped():
    app = fed()
    ann, bob = await reader(app, "g1", stalls=True), await reader(app, "g1")
    slow = next(
        stream for stream in app.streams.open if stream._send.__closure__ is not None and stream._task is ann.task
    )
    for version in range(1, 1000):
        app.streams.tell("g1", version)
        await asyncio.sleep(0)
    assert slow._waiting == {"g1": 999}, "of a game the last version alone"
    while (await bob.hint())[1] != 999:
        pass
    slow.look(time.monotonic() + streams.PATIENCE + 1)
    await ann.end()
    assert len(app.streams.open) == 1


@in_a_loop
async def test_there_is_room_for_so_many_in_all_and_from_one_network():
    app = fed(most=3, most_of_a_network=2)
    first = await reader(app, "g1")
    await reader(app, "g1")
    third = Reader(app, issue(KEY, ["g1"]))
    await third.end()
    assert (third.status, third.headers["retry-after"]) == (503, "60")
    await reader(app, "g1", address="198.51.100.7")
    other = Reader(app, issue(KEY, ["g1"]), address="203.0.113.9")
    await other.end()
    assert other.status == 503
    await first.leave()
    await reader(app, "g1")


@in_a_loop
async def test_behind_proxies_a_network_is_what_the_trusted_ones_say():
    app = fed(most_of_a_network=1)
    app.trusted_proxies = 1
    await reader(app, "g1", x_forwarded_for="192.0.2.9, 198.51.100.1")
    liar = Reader(app, issue(KEY, ["g1"]), x_forwarded_for="203.0.113.5, 198.51.100.1")
    await liar.end()
    assert liar.status == 503
    await reader(app, "g1", x_forwarded_for="198.51.100.1, 198.51.100.2")
    home = [Reader(app, issue(KEY, ["g1"]), x_forwarded_for=f"2001:db8:1:2::{host}") for host in "12"]
    await home[0].began()
    await home[1].end()


@in_a_loop
async def test_while_moves_are_not_heard_of_there_are_no_streams():
    """A page that waits in vain would be worse off than one that asks."""
    app = fed()
    ann = await reader(app, "g1")
    app.streams.feed(False)
    await ann.end()
    bob = Reader(app, issue(KEY, ["g1"]))
    await bob.end()
    assert (ann.ended, bob.status) == (True, 503)


@pytest.mark.parametrize(
    "method, path, status",
    [("GET", "/news/health", 200), ("HEAD", "/news/health", 200), ("POST", "/news/", 405), ("GET", "/", 404),
     ("GET", "/news/health/x", 404), ("DELETE", "/news/health", 405)],
)  # fmt: skip
@in_a_loop
async def test_it_serves_nothing_else_but_its_health(method, path, status):
    app = fed()
    asker = Reader(app, "")
    asker.scope |= {"method": method, "path": path}
    await asker.end()
    assert asker.status == status


@in_a_loop
async def test_its_health_is_that_of_its_source():
    app = fed()
    app.streams.feed(False)
    asker = Reader(app, "")
    asker.scope["path"] = "/news/health"
    await asker.end()
    assert asker.status == 503
