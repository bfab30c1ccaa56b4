"""The client: a server, and you."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from wardroom_client import models
from wardroom_client._sync.follow import follow
from wardroom_client._sync.game import Game
from wardroom_client._sync.news import News
from wardroom_client._sync.session import Session
from wardroom_client.cursors import Cursor
from wardroom_client.retries import Retries


class Wardroom:
    """A server at `base`, such as https://wardroom.example, and the player of a token; without one, anybody."""

    def __init__(
        self,
        base: str,
        token: str | None = None,
        *,
        retries: Retries | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._session = Session(base, token, transport, retries or Retries())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all connections."""
        self._session.http.close()

    def game(self, game: str) -> Game:
        """A game by its id; nothing is asked yet."""
        return Game(self._session, game)

    def me(self) -> models.Me:
        """You, as you are kept here."""
        me: models.Me = self._session.get("/me")
        return me

    def turns(self) -> list[models.Turn]:
        """The decisions that wait for you, the most urgent first."""
        turns: models.Turns = self._session.get("/me/turns")
        return turns["items"]

    def games(self, **wanted: Any) -> Iterator[models.GameSummary]:
        """Games, newest first, page after page: `status="open"`, `mine=1`, `ruleset="city-hall"` …"""
        for game in self._session.items("/games", **wanted):
            yield game

    def open(self, ruleset: str, seats: int, **terms: Any) -> Game:
        """Open a table, and sit down at it: `options`, `clock`, `invite`, `public`, `bots`."""
        opened = self._session.write("POST", "/games", {"ruleset": ruleset, "seats": seats, **terms})
        return self.game(opened["id"])

    def follow(
        self, cursor: str | Path | Cursor | None = None, *, news: News | None = None
    ) -> Iterator[models.Turn]:
        """The decisions that wait for you and those to come, each (game, decision) once; it never ends by itself.

        `cursor` is a file that remembers what was handled, also over a restart. Raises SignedOut.
        """
        return follow(self._session, cursor if isinstance(cursor, Cursor) else Cursor(cursor), news)

    def request(self, method: str, path: str, json: Any = None, **params: Any) -> Any:
        """Any other request below /api/v1, with the same keys and retries: its document, text or bytes."""
        return self._session.write(method, path, json, params=params)
