"""Histories and heads as they are stored, for whoever looks at all of them: the replay, the doctor."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.rows import EventRow, GameRow, LeafRow

_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_events: Final = EventRow.__table__  # type: ignore[attr-defined]
_leaves: Final = LeafRow.__table__  # type: ignore[attr-defined]


class StoredHead(msgspec.Struct, frozen=True):
    """The row of a game; the state is sealed."""

    id: str
    ruleset: str
    version: int
    hash: str
    state: bytes


class StoredEvent(msgspec.Struct, frozen=True):
    """An event, its body the bytes that were hashed."""

    version: int
    body: str
    hash: str


class StoredLeaf(msgspec.Struct, frozen=True):
    """A sealed leaf of an event."""

    version: int
    number: int
    sealed: bytes


def game_ids(connection: Connection) -> list[str]:
    """All games, the oldest first."""
    return list(connection.execute(sa.select(_games.c.id).order_by(_games.c.created_at, _games.c.id)).scalars())


def heads(connection: Connection) -> Sequence[tuple[str, int, str]]:
    """Each game, its version and its hash."""
    found = connection.execute(sa.select(_games.c.id, _games.c.version, _games.c.hash))
    return [(row[0], row[1], row[2]) for row in found]


def overview(connection: Connection) -> list[tuple[str, int, str, str, int, str | None]]:
    """Each game, the oldest first: its version, hash and status, when it got its last event, and why it is stopped."""
    columns = (_games.c.id, _games.c.version, _games.c.hash, _games.c.status, _games.c.last_at, _games.c.halted)
    found = connection.execute(sa.select(*columns).order_by(_games.c.created_at, _games.c.id))
    return [(row[0], row[1], row[2], row[3], row[4], row[5]) for row in found]


def head(connection: Connection, game: str) -> StoredHead | None:
    """The row of one game."""
    found = sa.select(*records.columns(StoredHead, _games)).where(_games.c.id == game)
    return records.first(connection, StoredHead, found)


def events(connection: Connection, game: str, upto: int | None = None) -> Iterator[StoredEvent]:
    """The events of a game in their order, up to a version."""
    found = sa.select(*records.columns(StoredEvent, _events)).where(_events.c.game_id == game)
    found = found if upto is None else found.where(_events.c.version <= upto)
    for row in connection.execute(found.order_by(_events.c.version)):
        yield StoredEvent(*row)


def last_event(connection: Connection, game: str) -> StoredEvent | None:
    """The last event of a game."""
    found = sa.select(*records.columns(StoredEvent, _events)).where(_events.c.game_id == game)
    return records.first(connection, StoredEvent, found.order_by(_events.c.version.desc()).limit(1))


def last_of_types(connection: Connection, game: str, types: Collection[str], before: int | None = None) -> int | None:
    """The version of the last event of these types, before another if one is given; None for none."""
    found = sa.select(sa.func.max(_events.c.version)).where(_events.c.game_id == game, _events.c.type.in_(types))
    last: int | None = connection.execute(found if before is None else found.where(_events.c.version < before)).scalar()
    return last


def leaves(connection: Connection, game: str, upto: int) -> Sequence[StoredLeaf]:
    """The leaves of the events of a game up to a version."""
    own = (_leaves.c.game_id == game, _leaves.c.version <= upto)
    return records.every(connection, StoredLeaf, sa.select(*records.columns(StoredLeaf, _leaves)).where(*own))
