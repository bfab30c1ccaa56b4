"""The clock of each seat: its deadline, and the rules by which it moves (DESIGN 7).

A deadline is computed once, when the question is asked, and kept with the hours it was computed from (T-44). Only an
event of the game moves it, and never to an earlier time. A stopped clock has no deadline, but time left.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

import msgspec

from domain.engine.game import Seat
from domain.table import events as e
from domain.table.clock import owed_decisions
from domain.table.record import CLOCK, Due, Record
from domain.table.state import Table
from service.clocks import leave_days
from service.clocks.hours import AWAKE, DAY, HOUR, Hours, scaled
from service.clocks.policy import Policy, policy
from service.kernel.clock import SECOND, text
from service.kernel.clock_guard import OUTAGE
from service.kernel.zones import first_shown
from service.store.clocks import decisions
from service.store.clocks.decisions import BEGINNING, Decision
from service.store.database import Connection
from service.store.event_store.streams import Head

ALWAYS: Final = Hours("UTC")
"""The hours of a game in which all of them count."""
STOPPED: Final[dict[str, Any]] = {"due_at": None, "acts_at": None, "remind_at": None, "bank_from": None}
Values = dict[str, Any]
"""Columns of a decision by name."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The times of a clock: the end of the time of the move, and the deadline with the bank."""

    bank_from: int
    due: int


def hours_of(row: Decision) -> Hours:
    """Return the hours in which the clock of a decision runs."""
    return Hours.read(row.hours) if row.hours else ALWAYS


class Clocks:
    """The clocks of a game as one commit leaves them, before they are written.

    `at` and `version` are those of the last event of the commit.
    """

    def __init__(self, tx: Connection, head: Head, record: Record) -> None:
        self.tx, self.game, self.table = tx, head.game, record.table
        self.policy = policy(record.table.clock)
        self.version = head.version + len(record.facts)
        self.now, self.at = head.now, max(head.now, head.last_at)
        self.begun: dict[Seat, Decision] = {}
        self.moved: dict[Seat, Values] = {}
        self._rows: dict[Seat, Decision] | None = None
        self._ended: Collection[Seat] = ()

    def ask(self, ended: Collection[Seat], begun: Mapping[Seat, str]) -> None:
        """Let these questions end, and these be asked."""
        self._ended = ended
        for seat, decision in begun.items():
            row: Values = {
                "game_id": self.game, "seat": seat, "decision": decision, "since": self.version,
                "player_id": self.table.chairs[seat].player, "began_at": self.at,
            }  # fmt: skip
            columns: Values = dict.fromkeys(Decision.__struct_fields__)
            self.begun[seat] = Decision(**columns | BEGINNING | row | self._begun(seat))

    def _begun(self, seat: Seat) -> Values:
        """Return the columns of the clock of a seat that is asked now."""
        clock, bank = self.policy, bank_of(self.table, seat, self.policy)
        hours = ALWAYS if clock.plain else hours_for(self.tx, self.game, self.table, seat, clock)
        kept = {"hours": None if hours.plain else hours.text()}
        if self.table.paused:
            return {**STOPPED, **kept, "stopped_at": self.at, "left": clock.per_move, "left_bank": bank}
        return kept | running(clock, shown_for(hours, self.at, clock.per_move, bank), self.at)

    @property
    def rows(self) -> dict[Seat, Decision]:
        """Return the decisions after the commit by seat; rows that stay are locked."""
        if self._rows is None:
            kept = (row for row in decisions.hold_game(self.tx, self.game) if row.seat not in self._ended)
            self._rows = {row.seat: row for row in kept}
        return self._rows | self.begun

    def set(self, seat: Seat, values: Values) -> None:
        """Give columns of what a seat owes other values."""
        row = msgspec.structs.replace(self.rows[seat], **values)
        if seat in self.begun:
            self.begun[seat] = row
        else:
            assert self._rows is not None
            self._rows[seat] = row
            self.moved[seat] = self.moved.get(seat, {}) | values

    def due(self) -> Due:
        """Return the deadlines that the commit sets or moves, by seat."""
        moved = [seat for seat, values in self.moved.items() if "due_at" in values]
        rows = [self.begun[seat] if seat in self.begun else self.rows[seat] for seat in sorted({*self.begun, *moved})]
        return {str(row.seat): None if row.due_at is None else text(row.due_at) for row in rows}

    def told_anew(self) -> list[Decision]:
        """Return the questions asked before whose deadline has moved."""
        return [self.rows[seat] for seat, values in self.moved.items() if "due_at" in values]

    # -- what moves them

    def stop(self, charged: int, late: Seat | None = None) -> None:
        """Stop all clocks. The seat that was late has the time of a move again when they run.

        Time after `charged` is not counted. It belongs to an outage, and no sweep has given it back yet.
        """
        for row in self.rows.values():
            left = left_of(row, max(charged, row.began_at))
            if row.seat == late:
                left = Left(self.policy.per_move, left.bank)
            self.set(row.seat, STOPPED | {"stopped_at": self.now, "left": left.move, "left_bank": left.bank})

    def go_on(self) -> None:
        """Let all clocks run again, with the time that was left."""
        for row in self.rows.values():
            if row.left is not None:
                shown = shown_for(hours_of(row), self.now, row.left, row.left_bank or 0)
                self.set(row.seat, running(self.policy, shown, self.now))

    def extend(self, seconds: int, seat: Seat | None = None) -> None:
        """Give all who owe an answer, or one seat, more time, counted like the time of a move."""
        more = scaled(seconds * SECOND, self.policy.quiet_hours)
        for row in self.rows.values():
            if row.due_at is not None and seat in (None, row.seat):
                hours = hours_of(row)
                bank_from = row.due if row.bank_from is None else row.bank_from
                shown = Shown(hours.until(bank_from, more), told_until(hours, row.due, more))
                self.set(row.seat, running(self.policy, shown, self.now, row.acts_at or 0))

    def rebegin(self, seat: Seat, owed: "Owing", least: int) -> None:
        """Let a seat that took its answer back alone owe it again since it was first asked.

        It has `least` more time at least. If the clock is stopped, the time that it had run is taken off what is left.
        """
        row, clock = self.rows[seat], self.policy
        hours, bank, move = hours_of(row), bank_of(self.table, seat, clock), clock.per_move + owed.given
        began = {"began_at": owed.began, "outage": owed.outage}
        if row.due_at is None:
            used = hours.charged(owed.began, self.now)
            left, rest = max(move - used, min(least, clock.per_move)), max(0, bank - max(0, used - move))
            return self.set(seat, began | {"left": left, "left_bank": rest})
        then = shown_for(hours, owed.began, move, bank)
        floor = told_until(hours, self.now, min(least, clock.per_move))
        due = max(then.due, owed.told)
        shown = Shown(then.bank_from, due) if due >= floor else Shown(floor, floor)
        return self.set(seat, running(clock, shown, self.now) | began)

    def keep_law(self, seat: Seat, told: int | None) -> None:
        """Move a deadline to the one told before for the same decision, if that is later.

        A stopped clock gets enough time that it cannot be due earlier when it runs.
        """
        row = self.rows[seat]
        if told is None:
            return
        if row.due_at is None:
            left, bank = hours_of(row).charged(self.now, told), row.left_bank or 0
            self.set(seat, {"left": max(row.left or 0, left - bank)})
        elif row.due_at < told:
            bank_from = told if row.bank_from is None else row.bank_from
            self.set(seat, running(self.policy, Shown(bank_from, told), self.now, row.acts_at or 0))


def running(clock: Policy, shown: Shown, now: int, acts_at: int = 0) -> Values:
    """Return the columns of a clock that runs; the caretaker does not act before `acts_at`."""
    return {
        "due_at": shown.due,
        "acts_at": max(acts_at, shown.due + clock.grace),
        "remind_at": clock.next_look(shown.due, now, shown.bank_from if clock.bank else None),
        "bank_from": shown.bank_from if clock.bank else None,
        "stopped_at": None,
        "left": None,
        "left_bank": None,
    }


def bank_of(table: Table, seat: Seat, clock: Policy) -> int:
    """Return the time in a seat's bank, in charged microseconds."""
    left = table.chairs[seat].bank
    return clock.bank if left is None else scaled(left * SECOND, clock.quiet_hours)


def charge_banks(tx: Connection, head: Head, record: Record, until: int) -> None:
    """Charge the banks of the seats that have just answered, and add the increment.

    Called before the record is kept. A deadline that passed has used up its bank. Time after `until` costs nothing.
    Time that a seat was given beyond its bank is no part of it.
    """
    clock = policy(head.table.clock)
    if not clock.bank or any(isinstance(fact.event, e.Rewound) for fact in record.facts):
        return
    was, now = owed_decisions(head.table, head.rules), owed_decisions(record.table, record.rules)
    answered = {seat for seat in was if now.get(seat) != was[seat]}
    expired = {fact.event.seat for fact in record.facts if isinstance(fact.event, e.TurnExpired)}
    for row in decisions.hold_game(tx, head.game) if answered else ():
        seat = row.seat
        if seat not in answered or record.table.chairs[seat].bot is not None:
            continue
        before = bank_of(head.table, seat, clock)
        rest = min(before, left_of(row, max(until, row.began_at)).bank)
        left = 0 if seat in expired else min(clock.bank, rest + clock.increment)
        if left != before:
            record.add(CLOCK, e.BankChanged(seat, policy_seconds(left, clock)))


def give_again(head: Head, row: Decision) -> Values:
    """Return the clock of a player who was not told in time: the time of a move once more, from now on."""
    clock, hours = policy(head.table.clock), hours_of(row)
    fresh = shown_for(hours, head.now, clock.per_move, bank_of(head.table, row.seat, clock))
    shown = Shown(max(fresh.bank_from, row.bank_from or 0), max(fresh.due, row.due))
    return running(clock, shown, head.now, row.acts_at or 0) | {"extended": True}


@dataclass(frozen=True, slots=True)
class Owing:
    """An answer as it was owed before it was taken back: `began`, and the deadline `told` last.

    `given` is charged time beyond that of a move and the bank. `outage` is the last outage that is in it.
    """

    began: int
    given: int
    told: int
    outage: int


def given_back(row: Decision, began: int, ended: int) -> Values:
    """Return the columns of a running clock that is given an outage back, {} if nothing moves (Q-9).

    It gets the time that it was charged, and what was left of its grace, which is not charged. A clock that began in
    the last minutes of an outage gets nothing.
    """
    if row.due_at is None:
        return {}
    hours, since = hours_of(row), max(began, row.began_at)
    if ended - since <= (OUTAGE if row.due > ended else 0):
        return {}
    return _moved_by(row, hours, since, ended, hours.charged(since, ended))


def stood(row: Decision, began: int, ended: int) -> Values:
    """Return the columns of a clock whose game was stopped: its deadline moves by at least that time."""
    hours, since = hours_of(row), max(began, row.began_at)
    return _moved_by(row, hours, since, ended, hours.charged(since, ended), least=row.due + ended - since)


def _moved_by(row: Decision, hours: Hours, since: int, ended: int, away: int, least: int = 0) -> Values:
    due = told_until(hours, row.due, away) if away else row.due
    if least > due:
        due = told_until(hours, least, 0)
    grace = ended + row.acts - max(since, row.due) if since < row.acts else 0
    values = {"due_at": due, "acts_at": max(row.acts + due - row.due, grace if due < ended else 0)}
    if row.bank_from is not None:
        values["bank_from"] = hours.until(row.bank_from, away) if away else row.bank_from
    return {name: value for name, value in values.items() if getattr(row, name) != value}


def mend(tx: Connection, row: Decision, until: int) -> None:
    """Let the caretaker wait for a better mail until then, once a decision (IN-35)."""
    decisions.change(tx, row.game_id, row.seat, {"acts_at": until, "graced": True})


def with_leave_of(
    connection: Connection, head: Head, row: Decision, more: Sequence[date] = ()
) -> tuple[Hours, Shown | None] | None:
    """Return the times of a decision's clock with all leave that its player has announced and `more` days of it.

    Returns None if that changes nothing, and no times if the clock is stopped. Zone and wake time stay what they were
    (T-44).
    """
    clock, old = policy(head.table.clock), hours_of(row)
    if not clock.leave_days:
        return None
    player = row.player_id or ""
    home = old if row.hours else Hours(leave_days.home_of(connection, player)[0])
    of = (player, head.game, clock.leave_days, home.zone)
    days = leave_days.count(connection, *of, passed_over(row), more, skips_weekends=clock.skips_weekends).days
    if days == old.away:
        return None
    hours, new = replace(home, away=days), [day for day in days if day not in old.away]
    if row.due_at is None or not new:
        return hours, None
    start = max(row.began_at, min(head.now, first_shown(home.zone, new[0].toordinal(), 0)))
    left = left_of(row, start)
    fresh = shown_for(hours, start, left.move, left.bank)
    return hours, Shown(max(fresh.bank_from, row.bank_from or 0), max(fresh.due, row.due_at))


def passed_over(row: Decision) -> list[date]:
    """Return the days of leave that a clock has passed over before it is due, or was stopped."""
    hours = hours_of(row)
    upto = row.due_at or row.stopped_at or row.began_at
    return [day for day in hours.away if first_shown(hours.zone, day.toordinal(), 0) < upto]


def stands(row: Decision, now: int) -> bool:
    """Return whether the clock of a decision stands now: it was stopped, or it is night, a weekend or leave."""
    return row.due_at is None or bool(hours_of(row).pauses(now, now + 1))


@dataclass(frozen=True, slots=True)
class Left:
    """Charged time that is left: of the move, and of the bank."""

    move: int
    bank: int


def left_of(row: Decision, now: int) -> Left:
    """Return the time that is left of a decision now."""
    if row.due_at is None:
        return Left(row.left or 0, row.left_bank or 0)
    hours = hours_of(row)
    bank_from = row.due_at if row.bank_from is None else row.bank_from
    return Left(hours.charged(now, bank_from), hours.charged(max(now, bank_from), row.due_at))


def shown_for(hours: Hours, now: int, move: int, bank: int) -> Shown:
    """Return the times of a clock that runs in these hours from `now` on.

    `move` and `bank` are what is left of them, in charged microseconds.
    """
    bank_from = hours.until(now, move)
    return Shown(bank_from, told_until(hours, bank_from, bank))


def told_until(hours: Hours, start: int, budget: int) -> int:
    """Return the deadline at which `budget` has been charged since `start`.

    With the hours of a person it is a full hour. So it does not tell zone and wake time to the minute.
    """
    due = hours.until(start, budget) if budget else start
    return due if hours.plain else -(-due // HOUR) * HOUR


def hours_for(tx: Connection, game: str, table: Table, seat: Seat, clock: Policy) -> Hours:
    """Return the hours of a seat in this game, as its player has set them."""
    player = str(table.chairs[seat].player)
    home, wakes = leave_days.home_of(tx, player)
    of = (player, game, clock.leave_days, home)
    away = leave_days.count(tx, *of, skips_weekends=clock.skips_weekends).days if clock.leave_days else ()
    return Hours(home, wakes if clock.quiet_hours else None, clock.skips_weekends, away)


def hours_ahead(tx: Connection, head: Head, seat: Seat) -> Hours:
    """Return the hours in which the clock of a seat runs, as its player has set them now."""
    clock = policy(head.table.clock)
    return ALWAYS if clock.plain else hours_for(tx, head.game, head.table, seat, clock)


def policy_seconds(charged: int, clock: Policy) -> int:
    """Charged microseconds as seconds of the policy's own measure."""
    return (charged * DAY // AWAKE if clock.quiet_hours else charged) // SECOND
