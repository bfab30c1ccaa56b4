"""Streams: what happens as it happens, a line of JSON each (NDJSON) or as server-sent events (HTML 9.2).

The process of news holds them where it asks: it is told what there is now and how to go on (`service.news.holding`).
Otherwise a stream holds a thread, so there are as many as may wait (`long_poll`), each for some minutes; its reader
comes back to where it was. Between two looks no connection of the database is held.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final, Protocol

from flask import Response, request

from service.api.http.answers import encoded
from service.api.http.application import asked_now
from service.api.http.auth import asker, services, waiter
from service.api.http.callers import caller_is_gone
from service.games import long_poll
from service.games.long_poll import NoRoom, TooManyWaiting
from service.games.my_news import Told
from service.news.holding import ASK, FULL, HOLD, MANY, OPEN, Hold, ask_key, read_ask, write_hold

NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"
HEARTBEAT: Final = 15.0
"""Seconds of silence after which a line without anything is sent: shorter than any proxy's patience."""
LIFE: Final = 600.0
"""Seconds that a stream lasts."""
PAUSE: Final = 1.0
"""Seconds between looks."""
RETRY: Final = b"retry: 2000\n\n"
"""Milliseconds that a browser leaves before it comes back."""
MOST_AT_ONCE: Final = 50
"""Things told at once to the process of news, which keeps them for a reader who is slow."""
LONGEST_PLACE: Final = 8000
"""Bytes of a place that the process of news can come back with: gunicorn takes a header of 8,190."""
HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Follower(Protocol):
    """Somebody who goes on from place to place; `hears`: the person or the game that there is news of. Knows no
    request."""

    most: int
    hears: str

    def place(self) -> str:
        """The place behind the last look."""

    def look(self) -> list[Told]:
        """What has happened since the last look, in parts: an empty list when there is nothing left."""

    def due_in(self) -> float | None:
        """Seconds until something is told that happened before; None for nothing."""


def stream(follower: Follower, kind: str) -> Response:
    """Send what is found at each look until the time is over, the reader goes or its token ends.

    Raises NoRoom and TooManyWaiting before anything is sent; so does the first look with what it finds wrong.
    """
    asked, settings = asked_by_news(), services().settings
    if asked is not None:
        return _held(follower, kind, asked)
    look = follower.look
    if settings.sqlite and not settings.embedded:
        raise NoRoom  # a process has one thread then
    place = ExitStack()
    place.enter_context(long_poll.held(services(), waiter()))
    try:
        first = look()
    except BaseException:
        place.close()
        raise
    gone, serves = caller_is_gone(), services().serves
    parts = _parts(first, look, kind, asker(), lambda: serves() and not gone())
    response = Response(parts, content_type=kind, headers=HEADERS)
    response.call_on_close(place.close)
    return response


def asked_by_news() -> str | None:
    """What the process of news asks for with this request; None where another asks."""
    header = asked_now().headers.get(ASK)
    return None if header is None else read_ask(ask_key(services().settings.secret_key), header)


def _held(follower: Follower, kind: str, asked: str) -> Response:
    """What there is now, and how the process of news goes on. Raises NoRoom and TooManyWaiting."""
    if asked == MANY:
        raise TooManyWaiting
    follower.most = min(follower.most, MOST_AT_ONCE)
    found = follower.look()
    place = follower.place()
    if asked == FULL or len(place) > LONGEST_PLACE:
        raise NoRoom
    hold = Hold(waiter(), follower.hears, place, len(found) >= follower.most, follower.due_in())
    body = (_opening(kind) if asked == OPEN else b"") + _written(found, kind == SSE)
    parts = iter((body,))  # and so it is not compressed
    return Response(parts, content_type=kind, headers={**HEADERS, HOLD: write_hold(hold)})


def _opening(kind: str) -> bytes:
    return RETRY if kind == SSE else b"\n"


def last_id(query: str | None) -> str | None:
    """The place after which a stream goes on: of the header that browsers send again by themselves, or of the query."""
    return request.headers.get("Last-Event-ID") or query or None


def _parts(
    first: list[Told],
    look: Callable[[], list[Told]],
    kind: str,
    is_good: Callable[[], bool],
    goes_on: Callable[[], bool],
) -> Iterator[bytes]:
    """Write what there is, unless the token has ended since; `goes_on` fails if nobody reads or the process ends."""
    found, ends, is_sse = first, time.monotonic() + LIFE, kind == SSE
    yield _opening(kind) + _written(found, is_sse)
    spoke = time.monotonic()
    while time.monotonic() < ends and goes_on():
        found = look()
        if found:
            if not is_good():
                return
            yield _written(found, is_sse)
            spoke = time.monotonic()
            continue
        if time.monotonic() - spoke >= HEARTBEAT:
            if not is_good():
                return
            yield b":\n\n" if is_sse else b"\n"
            spoke = time.monotonic()
        time.sleep(PAUSE)


def _written(found: list[Told], is_sse: bool) -> bytes:
    return b"".join(_event(told) if is_sse else encoded(line_of(told)) + b"\n" for told in found)


def line_of(told: Told) -> dict[str, Any]:
    """Something that happened, with the place behind it."""
    return {"id": told.id, **told.document}


def _event(told: Told) -> bytes:
    name = told.document["type"]
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (told.id.encode(), name.encode(), encoded(line_of(told)))
