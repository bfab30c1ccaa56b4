"""Leave: whole days a player announces ahead, which do not count in games that allow it (DESIGN 7)."""

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.engine.refusals import require
from service.clocks.hours import SATURDAY
from service.kernel.clock import moment
from service.kernel.zones import zone
from service.store.players import players
from service.store.rows import AbsenceRow, MissedRow
from service.store.streams import games

absences: Final = AbsenceRow.__table__  # type: ignore[attr-defined]
missed: Final = MissedRow.__table__  # type: ignore[attr-defined]
LONGEST: Final = 60
MOST_AHEAD: Final = 366
MOST: Final = 20
"""Days of one leave, days ahead, leaves that are still to come."""
RULE: Final = "DESIGN-7"
WAKES_AT: Final = 8 * 60
Row = dict[str, Any]


class Counted(NamedTuple):
    """The days of a player's leave that count in a game, in order, and how many more would."""

    days: tuple[date, ...]
    left: int


def counted(
    connection: Connection,
    player: str,
    game: str,
    most: int,
    timezone: str,
    passed: Iterable[date] = (),
    more: Iterable[date] = (),
    *,
    skips_weekends: bool = False,
) -> Counted:
    """What counts in a game, `most` days at most: those a clock has `passed` over, then the earliest since it opened.

    `more` are days that might be announced. What was used up counts against `most`, whatever became of it. Where
    weekends do not count anyway, their days are no leave.
    """
    created = connection.execute(sa.select(games.c.created_at).where(games.c.id == game)).scalar()
    opened = moment(created).astimezone(zone(timezone)).date() if created else date.min
    found = sa.select(absences).where(absences.c.player_id == player, absences.c.last_day >= opened.isoformat())
    rows = [dict(row) for row in connection.execute(found).mappings()]
    spent, ahead = (
        {day for row in rows if row["spent"] is gone for day in days_of(row) if day >= opened} for gone in (True, False)
    )
    spent, ahead, days = (charged(some, skips_weekends) for some in (spent, ahead.union(more), passed))
    days.update(sorted(ahead & spent - days)[: most - len(days)])
    free = max(0, most - len(days | spent))
    fresh = sorted(ahead - spent - days)[:free]
    return Counted(tuple(sorted(days.union(fresh))), free - len(fresh))


def charged(days: Iterable[date], skips_weekends: bool) -> set[date]:
    """Those of these days in which a clock runs where nobody is on leave."""
    return {day for day in days if not skips_weekends or day.weekday() < SATURDAY}


def announced(connection: Connection, player: str) -> list[Row]:
    """The leave of a player, past and to come, the earliest first; what was taken back before it began is none."""
    mine = (absences.c.player_id == player, absences.c.spent.is_(False), absences.c.first_day <= absences.c.last_day)
    rows = connection.execute(sa.select(absences).where(*mine).order_by(absences.c.first_day, absences.c.id)).mappings()
    return [dict(row) for row in rows]


def to_come(connection: Connection, player: str, now: int) -> list[Row]:
    """The leave of a player that is not over, the earliest first."""
    today = today_of(connection, player, now).isoformat()
    return [one for one in announced(connection, player) if one["last_day"] >= today]


def next_leaves(connection: Connection, of: Collection[str], at: int) -> dict[str, dict[str, str]]:
    """The present or the next leave of each of these players who has announced one, as it stood at that time."""
    cut_since = sa.and_(absences.c.ended_at.is_not(None), absences.c.ended_at > at, absences.c.announced_last != "")
    last_then = sa.case((cut_since, absences.c.announced_last), else_=absences.c.last_day).label("last_then")
    yesterday = moment(at).date() - timedelta(days=1)  # today somewhere
    found = (
        sa.select(absences.c.player_id, absences.c.first_day, last_then, players.c.timezone)
        .join(players, players.c.id == absences.c.player_id)
        .where(absences.c.player_id.in_(of), absences.c.spent.is_(False), absences.c.announced_at <= at)
        .where(last_then >= absences.c.first_day, last_then >= yesterday.isoformat())
        .order_by(absences.c.first_day.desc())
    )
    return {
        player: {"from": first, "to": last}
        for player, first, last, timezone in connection.execute(found)
        if last >= _day_in(timezone, at).isoformat()
    }


def check(connection: Connection, player: str, first: date, last: date, now: int) -> None:
    """Refuse with RuleViolation leave that cannot be announced: it begins tomorrow at the earliest."""
    today = today_of(connection, player, now)
    require(first <= last, "bad-leave", RULE, "Leave ends on the day it begins or later.")
    ahead = first > today
    require(ahead, "leave-too-late", RULE, "Leave is announced ahead: it begins tomorrow at the earliest.")
    require((last - first).days < LONGEST, "bad-leave", RULE, "One leave lasts up to sixty days.")
    require((first - today).days <= MOST_AHEAD, "bad-leave", RULE, "Leave is announced for the year to come.")


def announce(tx: Connection, player: str, first: date, last: date, now: int) -> bool:
    """Announce leave. Whether it is new: the same again changes nothing. Raises RuleViolation for what cannot be."""
    tx.execute(sa.select(players.c.id).where(players.c.id == player).with_for_update())  # two at once must not overlap
    standing = to_come(tx, player, now)
    days = {"first_day": first.isoformat(), "last_day": last.isoformat()}
    if any(days.items() <= one.items() for one in standing):
        return False
    check(tx, player, first, last, now)
    overlap = any(one["first_day"] <= days["last_day"] and days["first_day"] <= one["last_day"] for one in standing)
    require(not overlap, "leave-overlaps", RULE, "You have announced leave for some of these days already.")
    require(len(standing) < MOST, "too-much-leave", RULE, "You have announced twenty leaves: take one back first.")
    tx.execute(sa.insert(absences).values(player_id=player, **days, announced_at=now, spent=False))
    return True


def take_back(tx: Connection, player: str, now: int, passed: Collection[date]) -> None:
    """Take back all leave that is still to come; one that has begun ends today. Deadlines stay where they are.

    What a deadline has `passed` over is used up all the same: nobody gains time by leave that is not taken.
    """
    today = today_of(tx, player, now)
    for one in to_come(tx, player, now):
        rest = [day for day in days_of(one) if day > today]
        if not rest:
            continue
        cut = {"last_day": today.isoformat(), "announced_last": one["last_day"], "ended_at": now}
        tx.execute(sa.update(absences).where(absences.c.id == one["id"]).values(cut))
        if any(day in passed for day in rest):
            days = {"first_day": rest[0].isoformat(), "last_day": rest[-1].isoformat()}
            kept = {"player_id": player, "announced_at": one["announced_at"], "ended_at": now, "spent": True}
            tx.execute(sa.insert(absences).values(**days, **kept))


def days_of(row: Row) -> list[date]:
    """The days of one leave, both ends included."""
    return days_between(date.fromisoformat(row["first_day"]), date.fromisoformat(row["last_day"]))


def days_between(first: date, last: date) -> list[date]:
    """The days from one to another, both included."""
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def home_of(connection: Connection, player: str) -> tuple[str, int]:
    """The zone of a player, UTC for one that was known once; and when they wake, in minutes after midnight."""
    row = connection.execute(sa.select(players.c.timezone, players.c.wakes_at).where(players.c.id == player)).first()
    timezone, wakes_at = ("UTC", WAKES_AT) if row is None else row
    try:
        return zone(timezone).key, wakes_at
    except ValueError:
        return "UTC", wakes_at


def today_of(connection: Connection, player: str, now: int) -> date:
    """The day it is where a player lives."""
    return _day_in(home_of(connection, player)[0], now)


def _day_in(timezone: str, now: int) -> date:
    try:
        return moment(now).astimezone(zone(timezone)).date()
    except ValueError:
        return moment(now).date()
