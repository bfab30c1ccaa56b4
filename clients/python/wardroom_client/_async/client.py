"""The client: a server, and you."""

from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from wardroom_client import models
from wardroom_client._async.follow import follow
from wardroom_client._async.game import AsyncGame
from wardroom_client._async.news import AsyncNews
from wardroom_client._async.session import AsyncSession
from wardroom_client.cursors import Cursor
from wardroom_client.retries import Retries


class AsyncWardroom:
    """A server at `base`, such as https://wardroom.example, and the player of a token; without one, anybody."""

    def __init__(
        self,
        base: str,
        token: str | None = None,
        *,
        retries: Retries | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._session = AsyncSession(base, token, transport, retries or Retries())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of all connections."""
        await self._session.http.aclose()

    def game(self, game: str) -> AsyncGame:
        """A game by its id; nothing is asked yet."""
        return AsyncGame(self._session, game)

    async def me(self) -> models.Me:
        """You, as you are kept here."""
        me: models.Me = await self._session.get("/me")
        return me

    async def turns(self) -> list[models.Turn]:
        """The decisions that wait for you, the most urgent first."""
        turns: models.Turns = await self._session.get("/me/turns")
        return turns["items"]

    async def games(self, **wanted: Any) -> AsyncIterator[models.GameSummary]:
        """Games, newest first, page after page: `status="open"`, `mine=1`, `ruleset="city-hall"` …"""
        async for game in self._session.items("/games", **wanted):
            yield game

    async def open(self, ruleset: str, seats: int, **terms: Any) -> AsyncGame:
        """Open a table, and sit down at it: `options`, `clock`, `invite`, `public`, `bots`."""
        opened = await self._session.write("POST", "/games", {"ruleset": ruleset, "seats": seats, **terms})
        return self.game(opened["id"])

    def follow(
        self, cursor: str | Path | Cursor | None = None, *, news: AsyncNews | None = None
    ) -> AsyncIterator[models.Turn]:
        """The decisions that wait for you and those to come, each (game, decision) once; it never ends by itself.

        `cursor` is a file that remembers what was handled, also over a restart. Raises SignedOut.
        """
        return follow(self._session, cursor if isinstance(cursor, Cursor) else Cursor(cursor), news)

    async def request(self, method: str, path: str, json: Any = None, **params: Any) -> Any:
        """Any other request below /api/v1, with the same keys and retries: its document, text or bytes."""
        return await self._session.write(method, path, json, params=params)
