"""The tables of the event store, and the statements of its hot path, compiled once."""

from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.table import events as table_events
from domain.table.undo import KEPT
from service.store.people.known import KNOWN
from service.store.rows import EventRow, GameRow, LeafRow, OutageRow, PlayerRow
from service.store.statements import Insert, Statement

games: Final = GameRow.__table__  # type: ignore[attr-defined]
events: Final = EventRow.__table__  # type: ignore[attr-defined]
leaves: Final = LeafRow.__table__  # type: ignore[attr-defined]

GAME: Final = bindparam("game", type_=sa.String)
UPTO: Final = bindparam("upto", type_=sa.Integer)
LATEST: Final = 2**31 - 1
"""No event has a higher number."""

_HEAD: Final = sa.select(
    games.c.ruleset,
    games.c.version,
    games.c.hash,
    games.c.last_at,
    games.c.state,
    games.c.halted_at,
    games.c.halted,
    games.c.name,
    games.c.clock_at,
).where(games.c.id == GAME)
_TIMED: Final = _HEAD.add_columns(sa.literal_column("(extract(epoch from clock_timestamp()) * 1000000)::bigint"))
_OUTAGE: Final = sa.select(sa.func.max(OutageRow.__table__.c.ended_at)).scalar_subquery()  # type: ignore[attr-defined]
_LAST: Final = (
    sa.select(events.c.hash)
    .where(events.c.game_id == games.c.id, events.c.version == games.c.version)
    .scalar_subquery()
)


class Heads(NamedTuple):
    """What reads the head of a game: to look at or with the lock, for anybody or for a player who may know of it."""

    look: Statement
    look_known: Statement
    lock: Statement
    lock_known: Statement


def _heads(head: sa.Select[Any], locked: sa.Select[Any]) -> Heads:
    return Heads(*map(Statement, (head, head.where(KNOWN), locked, locked.where(KNOWN))))


HEADS: Final = {
    "sqlite": _heads(_HEAD, _HEAD.add_columns(_OUTAGE, _LAST)),
    "postgresql": _heads(_TIMED, _TIMED.add_columns(_OUTAGE, _LAST).with_for_update(of=games)),
}
_players: Final = PlayerRow.__table__  # type: ignore[attr-defined]
_BY_GUEST: Final = sa.exists().where(
    _players.c.id == bindparam("opener", type_=sa.String), _players.c.verified_at.is_(None)
)
insert_game: Final = Statement(
    sa.insert(games).values(
        {column.name: bindparam(column.name, type_=column.type) for column in games.c if column.name != "guest"}
        | {"guest": sa.select(_BY_GUEST).scalar_subquery()}
    )
)
"""Adds a game: a guest's if a guest opens it."""
insert_events: Final = Insert(events, ("game_id", "version", "type", "body", "hash"))
insert_leaves: Final = Insert(leaves, ("game_id", "version", "number", "owner", "sealed"))


def _moving(*names: str) -> Statement:
    return Statement(
        sa.update(games)
        .where(games.c.id == GAME, games.c.version == bindparam("before", type_=sa.Integer))
        .values({name: bindparam("new_" + name, type_=games.c[name].type) for name in names})
    )


move_head: Final = _moving("version", "hash", "last_at", "state")
move_all: Final = _moving("version", "hash", "last_at", "state", "status", "host")
"""Moves what lists are ordered by, too: SQLite writes an index anew whose columns are named, be they as before."""
move_clock: Final = _moving("version", "hash", "clock_at", "state")
"""Moves no list and no mark of what was read: deadlines that move are no news."""
open_leaves: Final = Statement(
    sa.update(leaves)
    .where(leaves.c.game_id == GAME, leaves.c.version == bindparam("leaf", type_=sa.Integer), leaves.c.opened.is_(None))
    .values(opened=bindparam("at", type_=sa.Integer))
)
open_all: Final = Statement(
    sa.update(leaves)
    .where(leaves.c.game_id == GAME, leaves.c.opened.is_(None))
    .values(opened=bindparam("at", type_=sa.Integer))
)
read_bodies: Final = Statement(
    sa.select(events.c.type, events.c.body)
    .where(events.c.game_id == GAME, events.c.version > bindparam("after", type_=sa.Integer), events.c.version <= UPTO)
    .order_by(events.c.version)
)
_PART_OF_MOVES: Final = (table_events.StrikesCleared, table_events.SeatVacated, table_events.SeatTakenOver)
NO_MOVES: Final = frozenset(
    f"table.{name}" for name, kind in table_events.EVENTS.items() if kind in KEPT and kind not in _PART_OF_MOVES
)
"""Stored names of what a seat can do without playing."""
OPENED: Final = "table.game-opened"
FOLLOWED: Final = "table.orders-followed"
REWOUND: Final = "table.rewound"
DEADLINE_MOVED: Final = "table.deadline-moved"
_went_back: Final = sa.select(events.c.version).where(
    events.c.game_id == GAME,
    events.c.type == sa.literal_column("'table.rewound'"),  # as the partial index has it
    events.c.version > bindparam("after", type_=sa.Integer),
    events.c.version <= UPTO,
)
read_rewinds: Final = Statement(
    sa.select(events.c.version, events.c.body)
    .where(events.c.game_id == GAME, events.c.version.in_(_went_back))
    .order_by(events.c.version)
)
SEATING: Final = (
    "game-opened", "seat-taken", "seat-left", "game-started", "seat-taken-over", "seat-taken-by-bot", "seat-vacated",
)  # fmt: skip
"""What decides who sits where."""
read_seating: Final = Statement(
    sa.select(events.c.type, events.c.body)
    .where(events.c.game_id == GAME, events.c.version <= UPTO)
    .where(sa.or_(*(events.c.type == f"table.{name}" for name in SEATING)))
    .order_by(events.c.version)
)
last_by: Final = Statement(
    sa.select(sa.func.max(events.c.version)).where(
        events.c.game_id == GAME, events.c.version <= UPTO, events.c.body.like(bindparam("actor", type_=sa.String)),
        *(events.c.type != name for name in sorted(NO_MOVES)),
    )
)  # fmt: skip


def _events(*columns: sa.ColumnElement[Any]) -> Statement:
    of_game = (events.c.game_id == GAME, events.c.version > bindparam("after", type_=sa.Integer))
    found = sa.select(*columns, events.c.hash).where(*of_game, events.c.version <= UPTO)
    return Statement(found.order_by(events.c.version))


read_events: Final = _events(events.c.version, events.c.body)
read_chain: Final = {
    "sqlite": _events(events.c.type, sa.cast(events.c.body, sa.LargeBinary)),
    "postgresql": _events(events.c.type, events.c.body),
}
"""What is hashed: as bytes, where it is not made into a text and back for that."""
read_leaves: Final = Statement(
    sa.select(leaves.c.version, leaves.c.number, leaves.c.owner, leaves.c.opened, leaves.c.sealed)
    .where(leaves.c.game_id == GAME, leaves.c.version > bindparam("after", type_=sa.Integer), leaves.c.version <= UPTO)
    .order_by(leaves.c.version, leaves.c.number)
)
