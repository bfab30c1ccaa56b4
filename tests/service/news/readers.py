"""Readers of the news process, without a network: each drives the application as a server would.

app = fed()                                     # the application, with or without the API behind it
ann = await reader(app, "g1")                   # a page; `await ann.hint()`
ann = await Program(app, "/me/events", token).began()
(line,) = await ann.lines(1)                    # a program that follows; `await ann.leave()`
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from config.settings import Settings
from service.api.http.streaming import NDJSON
from service.news.api_front import ApiFront
from service.news.app import News
from service.news.holding import ask_key
from service.news.streams import Streams
from service.news.tickets import issue, ticket_key

KEY: Final = ticket_key("a master key of enough characters")
SOON: Final = 10.0
"""Seconds that something may take which comes at once, on a machine with other work."""


def fed(settings: Settings | None = None, **limits: int) -> News:
    """An application that hears of moves; under these settings it asks the service about streams of the API."""
    streams = Streams(**limits)
    streams.feed(True)
    if settings is None:
        return News(streams, KEY)
    return News(streams, KEY, 0, ApiFront(streams, settings.web_address, ask_key(settings.secret_key)))


class Reader:
    """Somebody who holds a stream, or was refused one. `stalls`: takes nothing after the beginning."""

    def __init__(
        self, app: News, ticket: str, *, path: str = "/news/", address: str = "192.0.2.1", stalls: bool = False,
        query: str | None = None, method: str = "GET", **headers: str,
    ) -> None:  # fmt: skip
        self.parts: asyncio.Queue[bytes] = asyncio.Queue()
        self.gone = asyncio.Event()
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.ended = False
        self.stalls = stalls
        self.scope: Any = {
            "type": "http", "method": method, "path": path, "raw_path": path.encode(),
            "query_string": (f"ticket={ticket}" if query is None else query).encode(),
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


class Program(Reader):
    """A program that follows the API: by a token, as lines or as events, from a place on."""

    def __init__(self, app: News, path: str, token: str = "", kind: str = NDJSON, last: str = "", **more: Any) -> None:
        signed = {"authorization": f"Bearer {token}"} if token else {}
        come_back = {"last_event_id": last} if last else {}
        self.read = 0
        super().__init__(
            app, "", path=f"/api/v1{path}", query=more.pop("query", "limit=100"), host="localhost", accept=kind,
            **signed, **come_back, **more,
        )  # fmt: skip

    async def began(self) -> "Program":
        """The stream is open, and what there was is told."""
        await self._until(lambda: self.body or self.ended)
        assert self.status == 200, (self.status, self.body)
        assert not self.ended
        return self

    async def lines(self, number: int = 0) -> list[dict[str, Any]]:
        """All that was told by now, at least so many lines."""
        await self._until(lambda: len(self._told()) >= number or self.ended)
        return self._told()

    def _told(self) -> list[dict[str, Any]]:
        whole = self.body[: self.body.rfind(b"\n") + 1]
        data = [line.removeprefix(b"data: ") for line in whole.splitlines()]
        return [json.loads(line) for line in data if line.startswith(b"{")]

    async def _until(self, holds: Callable[[], object]) -> None:
        end = time.monotonic() + SOON
        while not holds():
            assert time.monotonic() < end, (self.status, self.body)
            await asyncio.sleep(0.01)


async def reader(app: News, *games: str, **more: Any) -> Reader:
    """Somebody with a ticket for these games, whose stream has begun."""
    return await Reader(app, issue(KEY, games), **more).began()
