"""Streams: what happens as it happens, a line of JSON each (NDJSON) or as server-sent events (HTML 9.2).

A stream holds a thread, so there are as many as may wait (`long_poll`), each for some minutes; its reader comes back to
where it was. Between two looks no connection of the database is held.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final

from flask import Response, request

from service.api.http.answers import encoded
from service.api.http.auth import asker, services, waiter
from service.games import long_poll
from service.games.long_poll import NoRoom
from service.games.my_news import Told

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
Look = Callable[[], list[Told]]
"""What has happened since the last look, in parts: an empty list when there is nothing left. Knows no request."""


def stream(look: Look, kind: str) -> Response:
    """Send what is found at each look until the time is over, the reader goes or its token ends.

    Raises NoRoom and TooManyWaiting before anything is sent; so does the first look with what it finds wrong.
    """
    settings = services().settings
    if settings.sqlite and not settings.embedded:
        raise NoRoom  # a process has one thread then
    place = ExitStack()
    place.enter_context(long_poll.held(services(), waiter()))
    try:
        first = look()
    except BaseException:
        place.close()
        raise
    parts = _parts(first, look, kind == SSE, asker())
    response = Response(parts, content_type=kind, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.call_on_close(place.close)
    return response


def last_id(query: str | None) -> str | None:
    """The place after which a stream goes on: of the header that browsers send again by themselves, or of the query."""
    return request.headers.get("Last-Event-ID") or query or None


def _parts(first: list[Told], look: Look, is_sse: bool, is_good: Callable[[], bool]) -> Iterator[bytes]:
    found, ends = first, time.monotonic() + LIFE
    yield (RETRY if is_sse else b"\n") + _written(found, is_sse)
    spoke = time.monotonic()
    while time.monotonic() < ends:
        found = look()
        if found:
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
