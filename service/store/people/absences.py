"""Leave that players have announced, in whole days of their own zone."""

from collections.abc import Collection
from datetime import date
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa

from service.store.connection import Connection
from service.store.people.players import players
from service.store.rows import AbsenceRow

absences: Final = AbsenceRow.__table__  # type: ignore[attr-defined]


class Leave(msgspec.Struct, frozen=True):
    """A row of the table, its columns in their order: days as YYYY-MM-DD, both ends included."""

    id: int
    player_id: str
    first_day: str
    last_day: str
    announced_last: str
    announced_at: int
    ended_at: int | None
    spent: bool


class Stretch(NamedTuple):
    """The leave of a player as it stood at some time, and where they live."""

    player: str
    first: str
    last: str
    timezone: str


def hold_player(tx: Connection, player: str) -> None:
    """Lock a player: two announcements at once must not overlap."""
    tx.execute(sa.select(players.c.id).where(players.c.id == player).with_for_update())


def ending_since(connection: Connection, player: str, day: date) -> list[Leave]:
    """All leave of a player that ends on a day or later, also what was taken back and is used up."""
    found = sa.select(absences).where(absences.c.player_id == player, absences.c.last_day >= day.isoformat())
    return _listed(connection, found)


def announced(connection: Connection, player: str) -> list[Leave]:
    """The leave of a player, past and to come, the earliest first; without what was taken back before it began."""
    mine = (absences.c.player_id == player, absences.c.spent.is_(False), absences.c.first_day <= absences.c.last_day)
    return _listed(connection, sa.select(absences).where(*mine).order_by(absences.c.first_day, absences.c.id))


def standing_at(connection: Connection, players_: Collection[str], at: int, ends: date) -> list[Stretch]:
    """The leave of these players as it stood at a time, if it ended on the day `ends` or later; the latest first."""
    cut_since = sa.and_(absences.c.ended_at.is_not(None), absences.c.ended_at > at, absences.c.announced_last != "")
    last_then = sa.case((cut_since, absences.c.announced_last), else_=absences.c.last_day).label("last_then")
    found = (
        sa.select(absences.c.player_id, absences.c.first_day, last_then, players.c.timezone)
        .join(players, players.c.id == absences.c.player_id)
        .where(absences.c.player_id.in_(players_), absences.c.spent.is_(False), absences.c.announced_at <= at)
        .where(last_then >= absences.c.first_day, last_then >= ends.isoformat())
        .order_by(absences.c.first_day.desc())
    )
    return [Stretch(*row) for row in connection.execute(found)]


def add(tx: Connection, player: str, first: date, last: date, at: int) -> None:
    """Keep leave that was announced at this time."""
    days = {"first_day": first.isoformat(), "last_day": last.isoformat()}
    tx.execute(sa.insert(absences).values(player_id=player, **days, announced_at=at, spent=False))


def cut(tx: Connection, leave: Leave, last: date, at: int) -> None:
    """End leave on an earlier day."""
    values = {"last_day": last.isoformat(), "announced_last": leave.last_day, "ended_at": at}
    tx.execute(sa.update(absences).where(absences.c.id == leave.id).values(values))


def add_spent(tx: Connection, leave: Leave, first: date, last: date, at: int) -> None:
    """Keep days of leave that was taken back but is used up: a deadline had passed over it."""
    days = {"first_day": first.isoformat(), "last_day": last.isoformat()}
    kept = {"player_id": leave.player_id, "announced_at": leave.announced_at, "ended_at": at, "spent": True}
    tx.execute(sa.insert(absences).values(**days, **kept))


def players_who_announced(since: int) -> sa.Select[Any]:
    """Selects the players who announced leave after a time."""
    return sa.select(absences.c.player_id).where(absences.c.announced_at > since)


def _listed(connection: Connection, found: sa.Select[Any]) -> list[Leave]:
    return [Leave(*row) for row in connection.execute(found)]
