"""Decisions that wait for their players, one row a seat: deadlines and reminders are due by this table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.engine.game import Seat
from service.store.clocks.halted import going
from service.store.clocks.outages import Outage
from service.store.connection import Connection
from service.store.rows import DecisionRow, GameRow
from service.store.statements import Statement

decisions: Final = DecisionRow.__table__  # type: ignore[attr-defined]
games: Final = GameRow.__table__  # type: ignore[attr-defined]

_insert: Final = Statement(sa.insert(decisions))
_hand_over: Final = Statement(
    sa.update(decisions)
    .where(
        decisions.c.game_id == bindparam("game", type_=sa.String), decisions.c.seat == bindparam("at", type_=sa.Integer)
    )
    .values(
        {
            column.name: bindparam("new_" + column.name, type_=column.type)
            for column in decisions.c
            if column.name != "game_id"
        }
    )
)
_delete: Final = Statement(
    sa.delete(decisions).where(
        decisions.c.game_id == bindparam("game", type_=sa.String), decisions.c.seat == bindparam("at", type_=sa.Integer)
    )
)
_of_game: Final = Statement(
    sa.select(decisions.c.seat, decisions.c.decision, decisions.c.since, decisions.c.due_at, decisions.c.draft)
    .where(decisions.c.game_id == bindparam("game", type_=sa.String))
    .order_by(decisions.c.seat)
)
BEGINNING: Final[dict[str, Any]] = {
    "extended": False, "graced": False, "bank_from": None, "hours": None, "stopped_at": None, "left": None,
    "left_bank": None, "outage": 0, "reasons": "", "draft": None,
}  # fmt: skip


class Decision(msgspec.Struct, frozen=True):
    """A row of the table, its columns in their order; times in microseconds."""

    game_id: str
    seat: Seat
    decision: str
    since: int
    player_id: str | None
    began_at: int
    due_at: int | None
    acts_at: int | None
    extended: bool
    remind_at: int | None
    graced: bool
    bank_from: int | None
    hours: str | None
    stopped_at: int | None
    left: int | None
    left_bank: int | None
    outage: int
    reasons: str
    draft: bytes | None

    @property
    def due(self) -> int:
        """Return the deadline of a clock that runs."""
        assert self.due_at is not None
        return self.due_at

    @property
    def acts(self) -> int:
        """Return the time at which the caretaker acts, of a clock that runs."""
        assert self.acts_at is not None
        return self.acts_at


class Waiting(NamedTuple):
    """A decision that waits, with the ruleset of the game, the name of its table, and the time of its last event."""

    decision: Decision
    ruleset: str
    name: str | None
    last_at: int


@dataclass(frozen=True, slots=True)
class Owed:
    """A seat's answer: what it is about, the event since which it is owed, until when, and its sealed draft."""

    seat: Seat
    decision: str
    since: int
    due_at: int | None
    draft: bytes | None = None


def owed(connection: Connection, game: str) -> list[Owed]:
    """Return what is owed in a game now, by seat."""
    return [Owed(*row) for row in _of_game(connection, game=game)]


def drop(connection: Connection, game: str, seat: Seat) -> None:
    """Remove what a seat owes."""
    _delete(connection, game=game, at=seat)


def add(connection: Connection, **row: Any) -> None:
    """Add an answer that a seat owes from now on."""
    _insert(connection, **BEGINNING | row)


def hand_over(connection: Connection, ended: Seat, **row: Any) -> None:
    """Remove what one seat owes and add what another, or the same, owes, in one statement."""
    new = {"new_" + name: value for name, value in row.items() if name != "game_id"}
    _hand_over(connection, game=row["game_id"], at=ended, **new)


def remind_anew(tx: Connection, player: str) -> None:
    """Have it looked at once more when to remind a player of each decision."""
    mine = (decisions.c.player_id == player, decisions.c.remind_at.is_not(None))
    tx.execute(sa.update(decisions).where(*mine).values(remind_at=0))


def of_game(connection: Connection, game: str) -> list[Decision]:
    """Return the decisions of a game, by seat."""
    return _listed(connection, sa.select(decisions).where(decisions.c.game_id == game).order_by(decisions.c.seat))


def of_game_by_due(connection: Connection, game: str) -> list[Decision]:
    """Return the decisions of a game, the earliest deadline first."""
    found = sa.select(decisions).where(decisions.c.game_id == game)
    return _listed(connection, found.order_by(decisions.c.due_at, decisions.c.seat))


def hold_game(tx: Connection, game: str) -> list[Decision]:
    """Lock and return the decisions of a game, by seat."""
    found = sa.select(decisions).where(decisions.c.game_id == game).order_by(decisions.c.seat)
    return _listed(tx, found.with_for_update())


def of_seat(connection: Connection, game: str, seat: Seat | None) -> Decision | None:
    """Return what a seat owes."""
    return next(iter(_listed(connection, _seat(game, seat))), None)


def hold_seat(tx: Connection, game: str, seat: Seat) -> Decision | None:
    """Lock and return what a seat owes."""
    return next(iter(_listed(tx, _seat(game, seat).with_for_update())), None)


def of_player(connection: Connection, player: str) -> list[Decision]:
    """Return what a player owes in all games, by game and seat."""
    found = sa.select(decisions).where(decisions.c.player_id == player)
    return _listed(connection, found.order_by(decisions.c.game_id, decisions.c.seat))


def waiting_for(connection: Connection, player: str) -> list[Waiting]:
    """Return the decisions that wait for a player, the most urgent first."""
    of_game = (games.c.ruleset, games.c.name, games.c.last_at, games.c.clock_at)
    found = sa.select(decisions, *of_game).join(games, games.c.id == decisions.c.game_id)
    found = found.where(decisions.c.player_id == player).order_by(decisions.c.due_at, decisions.c.game_id)
    kept = [tuple(row) for row in connection.execute(found)]
    return [Waiting(Decision(*row[:-4]), row[-4], row[-3], max(row[-2], row[-1])) for row in kept]


def count_of_player(connection: Connection, player: str) -> int:
    """Return how many answers a player owes."""
    return int(connection.execute(sa.select(sa.func.count()).where(decisions.c.player_id == player)).scalar_one())


def of_players(connection: Connection, players: sa.Select[Any]) -> list[tuple[str, Seat]]:
    """Return the games and seats in which one of these players owes an answer."""
    found = sa.select(decisions.c.game_id, decisions.c.seat).where(decisions.c.player_id.in_(players))
    return [(row[0], row[1]) for row in connection.execute(found.order_by(decisions.c.game_id, decisions.c.seat))]


def change(tx: Connection, game: str, seat: Seat, values: Mapping[str, Any]) -> None:
    """Set columns of what a seat owes."""
    tx.execute(sa.update(decisions).where(decisions.c.game_id == game, decisions.c.seat == seat).values(values))


def keep_draft(tx: Connection, game: str, seat: Seat, since: int, player: str, draft: bytes | None) -> None:
    """Keep the sealed draft of a player for what the seat owes since this event, or none; nothing if that is over."""
    mine = (
        decisions.c.game_id == game, decisions.c.seat == seat, decisions.c.since == since,
        decisions.c.player_id == player,
    )  # fmt: skip
    tx.execute(sa.update(decisions).where(*mine).values(draft=draft))


def behind(connection: Connection, outage: Outage) -> list[str]:
    """Return the games with a running clock that was not given back this outage, the earliest deadline first."""
    owed = (decisions.c.due_at.is_not(None), decisions.c.outage < outage.number)
    found = sa.select(decisions.c.game_id).where(*owed, decisions.c.began_at < outage.ended_at)
    found = found.where(going(decisions.c.game_id)).group_by(decisions.c.game_id)
    return list(connection.execute(found.order_by(sa.func.min(decisions.c.due_at), decisions.c.game_id)).scalars())


def hold_unreminded(tx: Connection, now: int, most: int) -> list[Decision]:
    """Up to `most` decisions whose time to look at reminders has come, locked; those others hold are left out."""
    found = sa.select(decisions).where(decisions.c.remind_at <= now, going(decisions.c.game_id))
    return _listed(tx, found.order_by(decisions.c.remind_at).limit(most).with_for_update(skip_locked=True))


def count_running(connection: Connection, most: int | None = None) -> int:
    """Count the clocks that run, up to `most`, in games that are not halted."""
    return _count(connection, decisions.c.acts_at.is_not(None), most)


def count_due(connection: Connection, now: int) -> int:
    """Count the decisions that wait to be expired, in games that are not halted."""
    return _count(connection, decisions.c.acts_at <= now)


def _count(connection: Connection, holds: sa.ColumnElement[bool], most: int | None = None) -> int:
    found = sa.select(decisions.c.game_id).where(going(decisions.c.game_id), holds).limit(most)
    return int(connection.execute(sa.select(sa.func.count()).select_from(found.subquery())).scalar_one())


def _seat(game: str, seat: Seat | None) -> sa.Select[Any]:
    return sa.select(decisions).where(decisions.c.game_id == game, decisions.c.seat == seat)


def _listed(connection: Connection, found: sa.Select[Any]) -> list[Decision]:
    return [Decision(*row) for row in connection.execute(found)]
