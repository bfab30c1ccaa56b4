"""The rows of one game as they are at one moment, and rows of games that are not there.

However damaged: a field says what its column should hold, and holds whatever the database gives.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.clocks import clock_jumps
from service.store.clocks.clock_jumps import Jump
from service.store.clocks.decisions import Decision, decisions
from service.store.connection import Connection
from service.store.database import Database
from service.store.event_store.checkpoints import SigningKey, StoredCheckpoint, checkpoints, signing_keys
from service.store.event_store.streams import events, games, leaves
from service.store.games.thoughts import Thought, thoughts
from service.store.outgoing.deliveries import deliveries, notices
from service.store.people.players import seats
from service.store.records import R
from service.store.running import operator_acts
from service.store.running.operator_acts import Act
from service.store.sealed_columns import is_used


class AuditedHead(msgspec.Struct, frozen=True):
    """The row of a game; the state is sealed."""

    ruleset: str
    status: str
    version: int
    hash: str
    last_at: int
    clock_at: int
    state: bytes
    public: bool
    host: str
    created_at: int
    paused_until: int | None
    halted_at: int | None
    halted: str | None


class AuditedEvent(msgspec.Struct, frozen=True):
    """An event; its body should be the bytes that were hashed."""

    version: int
    type: str
    body: str
    hash: str


class AuditedLeaf(msgspec.Struct, frozen=True):
    """What an event keeps sealed."""

    version: int
    number: int
    owner: int | None
    sealed: bytes
    opened: int | None


class AuditedSeat(msgspec.Struct, frozen=True):
    """The player of a seat."""

    seat: int
    player_id: str | None
    bot: bool
    strength: int | None
    temper: str | None
    vacant: bool
    strikes: int


class AuditedNotice(msgspec.Struct, frozen=True):
    """What an audit looks at of a notice."""

    id: int
    recipient: str
    kind: str
    decision: str
    seat: int | None
    version: int
    created_at: int


class AuditedDelivery(msgspec.Struct, frozen=True):
    """What an audit looks at of a delivery."""

    id: int
    notice_id: int
    channel: str
    recipient: str
    kind: str
    version: int
    created_at: int
    state: str
    not_before: int
    lease_until: int
    done_at: int | None


@dataclass(frozen=True, slots=True)
class Rows:
    """All that is kept of a game; `head` is None where its row among the games is gone. `now` is when it was read."""

    game: str
    now: int
    head: AuditedHead | None
    events: Sequence[AuditedEvent]
    leaves: Sequence[AuditedLeaf]
    checkpoints: Sequence[StoredCheckpoint]
    keys: dict[str, SigningKey]
    seats: Sequence[AuditedSeat]
    decisions: Sequence[Decision]
    thoughts: Sequence[Thought]
    notices: Sequence[AuditedNotice]
    deliveries: Sequence[AuditedDelivery]
    jumps: Sequence[Jump]
    acts: Sequence[Act]

    def jump_at(self, *times: int | None) -> Jump | None:
        """The jump of the clock that one of these times comes from; None where all can have been."""
        return next((jump for jump in self.jumps if any(jump.shows(at) for at in times)), None)


def read(database: Database, connection: Connection, game: str) -> Rows:
    """The rows of a game; `connection` should see one moment (`Database.snapshot`), or hold the lock of the game."""

    def of(record: type[R], table: sa.Table, *order: str) -> Sequence[R]:
        found = sa.select(*records.columns(record, table)).where(table.c.game_id == game)
        return records.every(connection, record, found.order_by(*(table.c[name] for name in order)))

    with as_it_is(connection):
        head = sa.select(*records.columns(AuditedHead, games)).where(games.c.id == game)
        return Rows(
            game,
            database.clock.now(connection),
            records.first(connection, AuditedHead, head),
            of(AuditedEvent, events, "version"),
            of(AuditedLeaf, leaves, "version", "number"),
            of(StoredCheckpoint, checkpoints, "version"),
            signing_key_rows(connection),
            of(AuditedSeat, seats, "seat"),
            of(Decision, decisions, "seat"),
            of(Thought, thoughts, "seat"),
            of(AuditedNotice, notices, "id"),
            of(AuditedDelivery, deliveries, "id"),
            clock_jumps.known(connection),
            operator_acts.of_game(connection, game),
        )


@contextmanager
def as_it_is(connection: Connection) -> Iterator[None]:
    """Read text of SQLite that is no UTF-8 any more, too: its bytes come back with surrogateescape."""
    driver = connection.driver
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


def signing_key_rows(connection: Connection) -> dict[str, SigningKey]:
    """The signing keys by id."""
    found = sa.select(*records.columns(SigningKey, signing_keys))
    return {key.id: key for key in records.every(connection, SigningKey, found)}


def first_signatures(connection: Connection) -> dict[str, int]:
    """When each key was first signed with, by the checkpoints."""
    found = sa.select(checkpoints.c.key, sa.func.min(checkpoints.c.at)).group_by(checkpoints.c.key)
    return {row[0]: row[1] for row in connection.execute(found)}


def is_key_used(connection: Connection, key: bytes, *, but: str) -> bool:
    """Whether a state or a leaf of another game is sealed under this key."""
    sealed = ((games.c.state, games.c.id), (leaves.c.sealed, leaves.c.game_id))
    return any(is_used(connection, column, game, key, but) for column, game in sealed)
