"""Leave: whole days a player announces ahead, which do not count in games that allow it (DESIGN 7)."""

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Final, NamedTuple

from domain.engine.refusals import require
from service.clocks.hours import SATURDAY
from service.kernel.clock import moment
from service.kernel.zones import zone
from service.store.database import Connection
from service.store.games import game_rows
from service.store.people import absences, readers
from service.store.people.absences import Leave

LONGEST: Final = 60
MOST_AHEAD: Final = 366
MOST: Final = 20
"""Days of one leave, days ahead, leaves that are still to come."""
RULE: Final = "DESIGN-7"
WAKES_AT: Final = 8 * 60


class Counted(NamedTuple):
    """The days of a player's leave that count in a game, in order, and how many more would."""

    days: tuple[date, ...]
    left: int


def count(
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
    created = game_rows.opened_at(connection, game)
    opened = moment(created).astimezone(zone(timezone)).date() if created else date.min
    leaves = absences.ending_since(connection, player, opened)
    spent, ahead = (
        {day for leave in leaves if leave.spent is gone for day in days_of(leave) if day >= opened}
        for gone in (True, False)
    )
    spent, ahead, days = (charged_days(some, skips_weekends) for some in (spent, ahead.union(more), passed))
    days.update(sorted(ahead & spent - days)[: most - len(days)])
    free = max(0, most - len(days | spent))
    fresh = sorted(ahead - spent - days)[:free]
    return Counted(tuple(sorted(days.union(fresh))), free - len(fresh))


def charged_days(days: Iterable[date], skips_weekends: bool) -> set[date]:
    """Those of these days in which a clock runs where nobody is on leave."""
    return {day for day in days if not skips_weekends or day.weekday() < SATURDAY}


def to_come(connection: Connection, player: str, now: int) -> list[Leave]:
    """The leave of a player that is not over, the earliest first."""
    today = today_of(connection, player, now).isoformat()
    return [leave for leave in absences.announced(connection, player) if leave.last_day >= today]


def next_leaves(connection: Connection, players_: Collection[str], at: int) -> dict[str, dict[str, str]]:
    """The present or the next leave of each of these players who has announced one, as it stood at that time."""
    yesterday = moment(at).date() - timedelta(days=1)  # today somewhere
    return {
        stretch.player: {"from": stretch.first, "to": stretch.last}
        for stretch in absences.standing_at(connection, players_, at, yesterday)
        if stretch.last >= _day_in(stretch.timezone, at).isoformat()
    }


def announced_by(connection: Connection, player: str, at: int) -> set[date]:
    """The days of leave that a player had announced by a time, and did not take back."""
    known = (leave for leave in absences.announced(connection, player) if leave.announced_at <= at)
    return {day for leave in known for day in days_of(leave)}


def check(connection: Connection, player: str, first: date, last: date, now: int) -> None:
    """Refuse with RuleViolation leave that cannot be announced: it begins tomorrow at the earliest."""
    today = today_of(connection, player, now)
    require(first <= last, "bad-leave", RULE, "Leave ends on the day it begins or later.")
    ahead = first > today
    require(ahead, "leave-too-late", RULE, "Leave must be announced ahead: it can begin tomorrow at the earliest.")
    require((last - first).days < LONGEST, "bad-leave", RULE, "One leave lasts up to sixty days.")
    require((first - today).days <= MOST_AHEAD, "bad-leave", RULE, "Leave can be announced at most a year ahead.")


def announce(tx: Connection, player: str, first: date, last: date, now: int) -> bool:
    """Announce leave. Whether it is new: the same again changes nothing. Raises RuleViolation for what cannot be."""
    absences.hold_player(tx, player)
    standing = to_come(tx, player, now)
    begins, ends = first.isoformat(), last.isoformat()
    if any((leave.first_day, leave.last_day) == (begins, ends) for leave in standing):
        return False
    check(tx, player, first, last, now)
    overlap = any(leave.first_day <= ends and begins <= leave.last_day for leave in standing)
    require(not overlap, "leave-overlaps", RULE, "You have announced leave for some of these days already.")
    require(len(standing) < MOST, "too-much-leave", RULE, "You have announced twenty leaves: take one back first.")
    absences.add(tx, player, first, last, now)
    return True


def take_back(tx: Connection, player: str, now: int, passed: Collection[date]) -> None:
    """Take back all leave that is still to come; one that has begun ends today. Deadlines stay where they are.

    What a deadline has `passed` over is used up all the same: nobody gains time by leave that is not taken.
    """
    today = today_of(tx, player, now)
    for leave in to_come(tx, player, now):
        rest = [day for day in days_of(leave) if day > today]
        if not rest:
            continue
        absences.cut(tx, leave, today, now)
        if any(day in passed for day in rest):
            absences.add_spent(tx, leave, rest[0], rest[-1], now)


def days_of(leave: Leave) -> list[date]:
    """The days of one leave, both ends included."""
    return days_between(date.fromisoformat(leave.first_day), date.fromisoformat(leave.last_day))


def days_between(first: date, last: date) -> list[date]:
    """The days from one to another, both included."""
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def home_of(connection: Connection, player: str) -> tuple[str, int]:
    """The zone of a player, UTC for one that was known once; and when they wake, in minutes after midnight."""
    timezone, wakes_at = readers.homes(connection, [player]).get(player, ("UTC", WAKES_AT))
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
