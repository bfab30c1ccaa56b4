"""The rows of one game as they are at one moment, and rows of games that are not there.

However damaged: no type can be trusted, so a row is what the database gives, by the names of its columns.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from service.store.checkpoints import checkpoints, signing_keys
from service.store.database import Database
from service.store.decisions import decisions
from service.store.deliveries import deliveries, notices
from service.store.players import seats
from service.store.sealed_columns import is_used
from service.store.streams import events, games, leaves

Row = Mapping[str, Any]
OF_A_NOTICE: Final = ("id", "recipient", "kind", "decision", "seat", "version", "created_at")
"""What an audit looks at of a notice."""
OF_DELIVERY: Final = (
    "id", "notice_id", "channel", "recipient", "kind", "version", "created_at", "state", "not_before", "lease_until",
    "done_at",
)  # fmt: skip


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
            of(notices, "id", names=OF_A_NOTICE),
            of(deliveries, "id", names=OF_DELIVERY),
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


class Strays(msgspec.Struct, frozen=True):
    """Rows of a table that belong to a game which is not there; `last` is their last version, where they have one."""

    table: str
    game: str
    count: int
    last: int | None


def strays(connection: Connection, tables: Iterable[str]) -> Iterator[Strays]:
    """Rows of these tables of games that are not there, by table and game."""
    with as_it_is(connection):
        for name in tables:
            table = games.metadata.tables[name]
            last = sa.func.max(table.c.version) if "version" in table.c else sa.null()
            found = sa.select(table.c.game_id, sa.func.count(), last).group_by(table.c.game_id)
            gone = (table.c.game_id.not_in(sa.select(games.c.id)), table.c.game_id != "")
            for row in connection.execute(found.where(*gone)):
                yield Strays(name, *row)


def signing_key_rows(connection: Connection) -> dict[str, Row]:
    """The signing keys by id."""
    return {row["id"]: dict(row) for row in connection.execute(sa.select(signing_keys)).mappings()}


def first_signatures(connection: Connection) -> dict[str, int]:
    """When each key was first signed with, by the checkpoints."""
    found = sa.select(checkpoints.c.key, sa.func.min(checkpoints.c.at)).group_by(checkpoints.c.key)
    return {row[0]: row[1] for row in connection.execute(found)}


def is_key_used(connection: Connection, key: bytes, *, but: str) -> bool:
    """Whether a state or a leaf of another game is sealed under this key."""
    sealed = ((games.c.state, games.c.id), (leaves.c.sealed, leaves.c.game_id))
    return any(is_used(connection, column, game, key, but) for column, game in sealed)
