"""What would be if a player were away: the deadlines in one game, without leave and with it. Nothing is changed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from domain.engine.game import Seat
from domain.engine.sentences import Sentence, say, say_n, typed
from service.clocks import leave_days, seat_clocks
from service.clocks.policy import policy
from service.kernel.clock import moment
from service.kernel.zones import first_shown, zone
from service.languages.time_text import ReaderLocale, days_words
from service.store.clocks.decisions import Decision
from service.store.database import Connection
from service.store.event_store.streams import Head


class Due(NamedTuple):
    """When an answer is due without the leave and with it; None while the clock stands."""

    decision: str | None  # None for one that would begin when the leave does
    began: int
    without: int | None
    with_leave: int | None


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What leave would do in a game: how many of its days count, how many more would, and each deadline."""

    first: date
    last: date
    days: int
    counting: int
    left: int
    allowed: int
    dues: list[Due]
    weekends: int = 0  # of its days those that do not count anyway

    @property
    def suffices(self) -> bool:
        """Whether all of its days count that a clock would run in."""
        return self.counting == self.days - self.weekends


def foresee(
    connection: Connection, head: Head, seat: Seat, owed: Sequence[Decision], first: date, last: date
) -> Foreseen:
    """What leave from one day to another would do to what this seat owes, and to what it would be asked meanwhile.

    Raises RuleViolation for leave that cannot be announced.
    """
    player, clock = str(head.table.chairs[seat].player), policy(head.table.clock)
    leave_days.check(connection, player, first, last, head.now)
    home, _ = leave_days.home_of(connection, player)
    more, skips = leave_days.days_between(first, last), clock.skips_weekends
    passed = [day for row in owed for day in seat_clocks.passed_over(row)]
    now_count = leave_days.count(
        connection, player, head.game, clock.leave_days, home, passed, more, skips_weekends=skips
    )
    dues = [Due(row.decision, row.began_at, row.due_at, _with(connection, head, row, more)) for row in owed]
    if head.table.status == "running":
        dues.append(_asked_meanwhile(connection, head, seat, home, more))
    counting = len({*now_count.days} & {*more})
    weekends = len(more) - len(leave_days.charged_days(more, skips))
    return Foreseen(first, last, len(more), counting, now_count.left, clock.leave_days, dues, weekends)


def _with(connection: Connection, head: Head, row: Decision, more: Sequence[date]) -> int | None:
    found = seat_clocks.with_leave_of(connection, head, row, more)
    return row.due_at if found is None or found[1] is None else found[1].due


def _asked_meanwhile(connection: Connection, head: Head, seat: Seat, home: str, more: Sequence[date]) -> Due:
    """One that would be asked when the leave begins."""
    player, clock = str(head.table.chairs[seat].player), policy(head.table.clock)
    begins = first_shown(home, more[0].toordinal(), 0)
    hours = seat_clocks.hours_ahead(connection, head, seat)
    bank = seat_clocks.bank_of(head.table, seat, clock)
    of, skips = (player, head.game, clock.leave_days, home), clock.skips_weekends
    away = leave_days.count(connection, *of, (), more, skips_weekends=skips).days
    on_leave = replace(hours, zone=home, away=away) if clock.leave_days else hours
    dues = (seat_clocks.shown_for(seat_hours, begins, clock.per_move, bank).due for seat_hours in (hours, on_leave))
    return Due(None, begins, *dues)


def describe(foreseen: Foreseen, locale: ReaderLocale) -> list[Sentence]:
    """The same in sentences."""
    first, last, days = locale.day(foreseen.first), locale.day(foreseen.last), days_words(foreseen.days)
    lines = [say("If you were away from {first} to {last}, {days}:", first=first, last=last, days=days)]
    lines.append(_counting(foreseen))
    for due in foreseen.dues:
        lines.append(_due(due, locale))
        away = due.with_leave is not None and foreseen.first <= _day(due.with_leave, locale) <= foreseen.last
        if away:
            lines.append(say("That falls while you are away: answer before you go, or file standing orders."))
    lines.append(_how(foreseen))
    return lines


def _how(foreseen: Foreseen) -> Sentence:
    return say(
        "Nothing is announced by asking. To announce it: PUT /api/v1/me/leave, or by mail “{away} {first} {last}”.",
        away=typed("away"), first=foreseen.first.isoformat(), last=foreseen.last.isoformat(),
    )  # fmt: skip


def _counting(foreseen: Foreseen) -> Sentence:
    days, allowed = foreseen.counting, foreseen.allowed
    if not allowed:
        return say("This game was opened without days of leave, so its deadlines run on while you are away.")
    if foreseen.suffices and foreseen.weekends:
        return say_n(
            "{count} of these days would be leave in this game, for its weekends do not count anyway; of the {allowed} "
            "it allows you would have {left} left.",
            "{count} of these days would be leave in this game, for its weekends do not count anyway; of the {allowed} "
            "it allows you would have {left} left.",
            days, allowed=days_words(allowed), left=foreseen.left,
        )  # fmt: skip
    if foreseen.suffices:
        return say(
            "All of these days would be leave in this game; of the {allowed} it allows you would have {left} left.",
            allowed=days_words(allowed), left=foreseen.left,
        )  # fmt: skip
    return say_n(
        "Only {count} of these days would be leave in this game: it allows each player {allowed}, and "
        "that is all that is left.",
        "Only {count} of these days would be leave in this game: it allows each player {allowed}, and "
        "that is all that is left.",
        days, allowed=days_words(allowed),
    )  # fmt: skip


def _due(due: Due, locale: ReaderLocale) -> Sentence:
    if due.without is None or due.with_leave is None:
        return say("The clock is stopped, so your answer has no deadline now.")
    without, leave, began = locale.when(due.without), locale.when(due.with_leave), locale.when(due.began)
    if due.decision is None:
        return say(
            "If you were asked for something when you leave, on {began}, it would be due {without} without "
            "this leave, and {leave} with it.",
            began=began, without=without, leave=leave,
        )  # fmt: skip
    if due.without == due.with_leave:
        return say("Your answer is due by {without}; this leave would not change that.", without=without)
    return say(
        "Your answer is due by {without} without this leave, and by {leave} with it.", without=without, leave=leave
    )


def _day(at: int, locale: ReaderLocale) -> date:
    return moment(at).astimezone(zone(locale.timezone)).date()
