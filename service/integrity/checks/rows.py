"""The rows of one game as they are at one moment, however damaged."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.store.checkpoints import checkpoints, signing_keys
from service.store.database import Database
from service.store.decisions import decisions
from service.store.outbox import outbox
from service.store.players import seats
from service.store.streams import events, games, leaves
from service.store.webhooks import deliveries

Row = Mapping[str, Any]
TOLD: Final = ("id", "kind", "decision", "seat", "version", "state")
"""What an audit looks at of a notice."""
OF_MAIL: Final = (*TOLD, "recipient", "not_before", "lease_until", "created_at", "done_at")


@dataclass(frozen=True, slots=True)
class Rows:
    """All that is kept of a game; `head` is None where its row among the games is gone. `now` is when it was read."""

    game: str
    now: int
    head: Row | None
    events: list[Row]
    leaves: list[Row]
    checkpoints: list[Row]
    keys: dict[str, Row]
    seats: list[Row]
    decisions: list[Row]
    notices: list[Row]
    deliveries: list[Row]


def read(database: Database, connection: Connection, game: str) -> Rows:
    """The rows of a game; `connection` should see one moment (`Database.snapshot`), or hold the lock of the game."""

    def of(table: sa.Table, *order: str, names: tuple[str, ...] = ()) -> list[Row]:
        columns = [table.c[name] for name in names] or [*table.c]
        found = sa.select(*columns).where(table.c.game_id == game).order_by(*(table.c[name] for name in order))
        return [dict(row) for row in connection.execute(found).mappings()]

    with as_it_is(connection):
        head = connection.execute(sa.select(games).where(games.c.id == game)).mappings().first()
        keys = [dict(row) for row in connection.execute(sa.select(signing_keys)).mappings()]
        return Rows(
            game,
            database.clock.now(connection),
            None if head is None else dict(head),
            of(events, "version"),
            of(leaves, "version", "number"),
            of(checkpoints, "version"),
            {key["id"]: key for key in keys},
            of(seats, "seat"),
            of(decisions, "seat"),
            of(outbox, "id", names=OF_MAIL),
            of(deliveries, "id", names=TOLD),
        )


@contextmanager
def as_it_is(connection: Connection) -> Iterator[None]:
    """Read text of SQLite that is no UTF-8 any more, too: its bytes come back with surrogateescape."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        yield
        return
    driver.text_factory = lambda raw: raw.decode(errors="surrogateescape")
    try:
        yield
    finally:
        driver.text_factory = str


def raw(text: Any) -> bytes:
    """The bytes of a text that was read so."""
    return str(text).encode(errors="surrogateescape")
