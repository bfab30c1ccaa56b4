"""What the streams of pages and those of the API have in common as answers of an ASGI application."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from service.news.streams import Held, Streams

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ENDING: Final = 1.0
"""Seconds that the end of a stream may take."""


def part_sender(send: Send) -> Callable[[bytes], Awaitable[None]]:
    """How parts of an answer that has begun are sent."""

    async def send_part(body: bytes) -> None:
        await send({"type": "http.response.body", "body": body, "more_body": True})

    return send_part


async def until_gone(receive: Receive) -> None:
    """Return when whoever asked has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def hold_open(streams: Streams, stream: Held, receive: Receive, send: Send) -> None:
    """Hold a stream that has begun until its reader goes or it is ended; then end its answer."""
    try:
        await until_gone(receive)
    except asyncio.CancelledError:
        asyncio.current_task().uncancel()  # type: ignore[union-attr] # it was ended: the answer ends, too
    finally:
        streams.remove(stream)
    with contextlib.suppress(TimeoutError, OSError):  # a reader who takes nothing does not take the end either
        async with asyncio.timeout(ENDING):
            await send({"type": "http.response.body", "body": b"", "more_body": False})
