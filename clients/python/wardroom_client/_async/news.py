"""Waiting until something may have happened. News are a hint: what there is to do is always asked for again."""

import itertools
from collections.abc import AsyncIterator
from typing import Final, Protocol

import httpx
import msgspec

from wardroom_client._async.session import API, AsyncSession
from wardroom_client.pauses import async_pause
from wardroom_client.problems import seconds

PATIENCE: Final = 25
"""Seconds of a long poll: less than the liveness timeout."""
SHARE: Final = 5
"""Seconds of a long poll where several games are watched in turn."""


HEARTBEATS: Final = 2
"""Empty lines of a stream, 15 seconds apart, after which to look though nothing was told."""
OF_OTHERS: Final = ("move", "talk")
"""Lines of a stream that ask for nothing: where a move asks for another, a line of type "turn" follows."""


class _Line(msgspec.Struct):
    type: str = ""


def may_ask(line: str) -> bool:
    """Whether after this line of the stream there may be another decision to make, or one less."""
    try:
        return msgspec.json.decode(line, type=_Line).type not in OF_OTHERS
    except msgspec.DecodeError:
        return True


class AsyncNews(Protocol):
    """A way to wait for news."""

    async def wait(self) -> bool:
        """Return when something may have happened, at the latest after half a minute; False where the server has no
        such thing. Raises only what ends the session, such as SignedOut."""

    async def close(self) -> None:
        """Let go of the connection."""


class AsyncPolledNews:
    """News by long polls on the games that run, one after the other."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session
        self._versions: dict[str, int] = {}
        self._turn = itertools.count()

    async def wait(self) -> bool:
        """At once where a game has another version than last time."""
        games = [game async for game in self._session.items("/games", mine=1, status="running")]
        versions = {game["id"]: game["version"] for game in games}
        if versions != self._versions:
            self._versions = versions
            return True
        if not versions:
            await async_pause(SHARE)
            return True
        game = sorted(versions)[next(self._turn) % len(versions)]
        wait = PATIENCE if len(versions) == 1 else SHARE
        response = await self._session.request(
            "GET", f"/games/{game}/events", params={"after": versions[game], "wait": wait, "limit": 1}
        )
        await async_pause(min(PATIENCE, seconds(response.headers) or 0))
        return True

    async def close(self) -> None:
        """There is nothing to let go of."""


class AsyncStreamedNews:
    """News by the stream of all my games; an end, a silence or a fault of it means: look again, then reconnect."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session
        self._response: httpx.Response | None = None
        self._lines: AsyncIterator[str] = iter(())  # type: ignore[assignment, unused-ignore]
        self._failed = 0

    async def wait(self) -> bool:
        """False where the server has no stream."""
        try:
            if self._response is None and not await self._connect():
                return False
            for _ in range(HEARTBEATS):
                while line := (await anext(self._lines)).strip():
                    self._failed = 0
                    if may_ask(line):
                        return True
        except (httpx.TransportError, httpx.StreamError, StopAsyncIteration):
            await self._broken(None)
        return True

    async def _connect(self) -> bool:
        request = self._session.http.build_request(
            "GET", f"{API}/me/events", headers={"Accept": "application/x-ndjson"}
        )
        response = await self._session.http.send(request, stream=True)
        if response.status_code == 200 and "ndjson" in response.headers.get("Content-Type", ""):
            self._response, self._lines = response, response.aiter_lines()
            return True
        await response.aclose()
        if response.status_code == 429 or response.status_code >= 500:
            await self._broken(seconds(response.headers))
            return True
        return False

    async def _broken(self, retry_after: float | None) -> None:
        await self.close()
        self._failed += 1
        retries = self._session.retries
        await async_pause(retries.pause(min(self._failed, retries.attempts - 1), min(retry_after or 0, PATIENCE)) or 0)

    async def close(self) -> None:
        """Let go of the connection."""
        response, self._response = self._response, None
        if response is not None:
            await response.aclose()
