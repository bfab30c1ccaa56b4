"""Readers of the news process, without a network: each drives the application as a server would."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

from service.news.app import News
from service.news.streams import Streams
from service.news.tickets import issue, ticket_key

KEY: Final = ticket_key("a master key of enough characters")
SOON: Final = 10.0
"""Seconds that something may take which comes at once, on a machine with other work."""


def fed(**limits: int) -> News:
    """An application that hears of moves."""
    streams = Streams(**limits)
    streams.feed(True)
    return News(streams, KEY)


class Reader:
    """Somebody who holds a stream, or was refused one. `stalls`: takes nothing after the beginning."""

    def __init__(self, app: News, ticket: str, *, address: str = "192.0.2.1", stalls: bool = False, **headers: str):
        self.parts: asyncio.Queue[bytes] = asyncio.Queue()
        self.gone = asyncio.Event()
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.ended = False
        self.stalls = stalls
        self.scope: Any = {
            "type": "http", "method": "GET", "path": "/news/", "query_string": f"ticket={ticket}".encode(),
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "client": (address, 4321),
        }  # fmt: skip
        self.task = asyncio.create_task(app(self.scope, self._receive, self._send))

    async def _receive(self) -> Any:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            return
        if self.stalls and self.body:
            await asyncio.Event().wait()
        self.body += message["body"]
        self.ended = not message.get("more_body", False)
        for part in message["body"].split(b"\n\n")[:-1]:
            self.parts.put_nowait(part)

    async def part(self) -> bytes:
        """The next part of the answer."""
        return await asyncio.wait_for(self.parts.get(), SOON)

    async def began(self) -> "Reader":
        """The stream is open: nothing that is told from now on is missed."""
        assert await self.part() == b"retry: 5000", (self.status, self.body)
        return self

    async def hint(self) -> tuple[str, int]:
        """The next message."""
        told = json.loads((await self.part()).removeprefix(b"data: "))
        assert told.keys() == {"game", "version"}, "nothing else is told"
        return told["game"], told["version"]

    async def end(self) -> None:
        """Wait until it was ended from the other side."""
        done, _ = await asyncio.wait([self.task], timeout=SOON)  # not wait_for: it would end the task itself
        assert done, "the stream goes on"
        await self.task

    async def leave(self) -> None:
        """Go away."""
        self.gone.set()
        await self.end()


async def reader(app: News, *games: str, **more: Any) -> Reader:
    """Somebody with a ticket for these games, whose stream has begun."""
    return await Reader(app, issue(KEY, games), **more).began()
