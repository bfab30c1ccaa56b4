"""What the clock of each seat shows: when its answer is due, and what moves that (DESIGN 7).

A deadline is computed once, when the answer begins to be owed, and kept with the hours it was computed from (T-44).
What moves it is written beside it and never moves it earlier. A clock that stands has no deadline, but time left.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from domain.engine.game import Seat
from domain.table import events as e
from domain.table.record import CLOCK, Record
from domain.table.state import Table
from service.clocks import leave_days
from service.clocks.hours import AWAKE, DAY, Hours, scaled
from service.clocks.policy import Policy, policy
from service.kernel.clock import SECOND
from service.kernel.clock_guard import OUTAGE
from service.kernel.zones import first_shown
from service.store.clocks import deadline_moves, decisions
from service.store.clocks.deadline_moves import DeadlineMove
from service.store.clocks.decisions import Decision, owed_decisions
from service.store.clocks.missed import Missed
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.games import game_rows
from service.store.outgoing import feed_entries

RECORDED: Final = frozenset({"paused", "resumed", "extended", "taken-back"})
"""What moves a clock together with an event; whatever else moves a deadline is kept apart."""
ALWAYS: Final = Hours("UTC")
"""The hours of a game in which all of them count."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a clock shows: until when the time of the move lasts, and until when with the bank."""

    bank_from: int
    due: int


def hours_of(row: Decision | Missed) -> Hours:
    """The hours a decision's clock runs."""
    return Hours.read(row.hours) if row.hours else ALWAYS


def begun(tx: Connection, head: Head, seat: Seat) -> dict[str, Any]:
    """The clock of a seat whose answer begins to be owed now, for its row among the decisions."""
    clock, now = policy(head.table.clock), head.last_at
    bank = bank_of(head.table, seat, clock)
    hours = ALWAYS if clock.plain else _hours_for(tx, head, seat, clock)
    kept = {"hours": None if hours.plain else hours.text(), "changes": ""}
    if head.table.paused:
        return {**STOPPED, **kept, "left": clock.per_move, "left_bank": bank}
    return kept | running(clock, shown_for(hours, now, clock.per_move, bank), now)


def running(clock: Policy, shown: Shown, now: int, acts_at: int = 0) -> dict[str, Any]:
    """The columns of a clock that runs; the caretaker does not act before `acts_at`."""
    return {
        "due_at": shown.due,
        "acts_at": max(acts_at, shown.due + clock.grace),
        "remind_at": clock.next_look(shown.due, now, shown.bank_from if clock.bank else None),
        "bank_from": shown.bank_from if clock.bank else None,
        "left": None,
        "left_bank": None,
    }


STOPPED: Final[dict[str, Any]] = {"due_at": None, "acts_at": None, "remind_at": None, "bank_from": None}


def bank_of(table: Table, seat: Seat, clock: Policy) -> int:
    """What is in a seat's bank, in charged microseconds."""
    left = table.chairs[seat].bank
    return clock.bank if left is None else scaled(left * SECOND, clock.quiet_hours)


def charge_banks(tx: Connection, head: Head, record: Record, until: int) -> None:
    """Take what their moves used from the banks of the seats that have just answered, and add the increment.

    Called before the record is kept. A deadline that passed has used up all of it; time after `until` costs nothing.
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


def stop(tx: Connection, head: Head, charged: int, until: int | None, late: Seat | None = None) -> None:
    """Nobody's time runs; until then, or until `go_on`. Who was late has the time of a move again when it runs.

    What ran after `charged` is not counted: an outage that no sweep has made good yet.
    """
    for row in decisions.hold_game(tx, head.game):
        left = left_of(row, max(charged, row.began_at))
        if row.seat == late:
            left = Left(policy(head.table.clock).per_move, left.bank)
        kept = {"left": left.move, "left_bank": left.bank}
        _set(tx, row, "paused", head.now, STOPPED | kept)
    game_rows.set_pause_end(tx, head.game, until)


def go_on(tx: Connection, head: Head) -> None:
    """Everybody's time runs again, with what was left of it."""
    clock = policy(head.table.clock)
    for row in decisions.hold_game(tx, head.game):
        if row.left is not None:
            shown = shown_for(hours_of(row), head.now, row.left, row.left_bank or 0)
            _set(tx, row, "resumed", head.now, running(clock, shown, head.now))
    game_rows.set_pause_end(tx, head.game, None)


def extend(tx: Connection, head: Head, seconds: int, seat: Seat | None = None) -> None:
    """Everybody who owes an answer, or one seat, has so much more time, counted like the time of a move."""
    clock = policy(head.table.clock)
    more = scaled(seconds * SECOND, clock.quiet_hours)
    for row in decisions.hold_game(tx, head.game):
        if row.due_at is not None and seat in (None, row.seat):
            _later(tx, row, clock, head.now, more, {"seconds": seconds} | ({} if seat is None else {"alone": 1}))


def give_again(tx: Connection, head: Head, row: Decision, why: str) -> None:
    """A player who could not be told has the time of a move once more, from now on."""
    clock, hours = policy(head.table.clock), hours_of(row)
    fresh = shown_for(hours, head.now, clock.per_move, bank_of(head.table, row.seat, clock))
    shown = Shown(max(fresh.bank_from, row.bank_from or 0), max(fresh.due, row.due))
    again = running(clock, shown, head.now, row.acts_at or 0)
    _set(tx, row, why, head.now, again | {"extended": True})


@dataclass(frozen=True, slots=True)
class Owing:
    """Since when an answer was owed; what its player was given beyond the time of a move and the bank, charged; and the
    deadline that was told last, in hours which may have been others."""

    began: int
    given: int
    told: int


def rebegin(tx: Connection, head: Head, row: Decision, owed: Owing, least: int) -> None:
    """What a seat took back freely it owes as it was owed, not since now; it has `least` more at the least.

    Where the clock stands, it has as much less as it had run.
    """
    clock = policy(head.table.clock)
    hours, bank, move = hours_of(row), bank_of(head.table, row.seat, clock), clock.per_move + owed.given
    began = {"began_at": owed.began}
    if row.due_at is None:
        used = hours.charged(owed.began, head.now)
        rest = {"left": max(move - used, min(least, clock.per_move)), "left_bank": max(0, bank - max(0, used - move))}
        _set(tx, row, "taken-back", head.now, rest | began)
        return
    then = shown_for(hours, owed.began, move, bank)
    floor = hours.until(head.now, min(least, clock.per_move))
    due = max(then.due, owed.told)
    shown = Shown(then.bank_from, due) if due >= floor else Shown(floor, floor)
    _set(tx, row, "taken-back", head.now, running(clock, shown, head.now) | began)


def credit(tx: Connection, began: int, ended: int, *, halted: str | None = None) -> int:
    """Give every clock that runs what it was charged while the service was away. How many (Q-9).

    With `halted` those of the game that was stopped so long: their deadlines move by all of it at the least. What a
    game stands it is given then, and never twice.
    """
    rows = decisions.hold_running(tx, halted)
    if halted is not None:
        return sum(_credit_clock(tx, row, began, ended, "halted") for row, _ in rows)
    ends = [(row, ended if stopped is None else min(ended, stopped)) for row, stopped in rows]
    return sum(began < end and _credit_clock(tx, row, began, end, "credited") for row, end in ends)


def _credit_clock(tx: Connection, row: Decision, began: int, ended: int, what: str) -> bool:
    """Give one clock what it was charged since it began; and of its grace, which is no charged time, what was left.

    A clock that began in the last minutes of an outage has seen none that counts: no event would tell why it moves.
    """
    hours, since = hours_of(row), max(began, row.began_at)
    if what == "credited" and ended - since <= OUTAGE and row.due > ended:
        return False
    away = hours.charged(since, ended) - (0 if what == "halted" else _given_back(row, hours, since, ended))
    due = hours.until(row.due, away) if away else row.due
    if what == "halted":
        due = max(due, hours.until(row.due + ended - since, 0))
    moved = due - row.due
    grace = ended + row.acts - max(since, row.due) if since < row.acts else 0
    values = {"due_at": due, "acts_at": max(row.acts + moved, grace if due < ended else 0)}
    if row.bank_from is not None:
        values["bank_from"] = hours.until(row.bank_from, away) if away else row.bank_from
    if all(getattr(row, name) == value for name, value in values.items()):
        return False
    _set(tx, row, what, ended, values, since=since)
    return True


def _given_back(row: Decision, hours: Hours, since: int, ended: int) -> int:
    """What a clock was given back of this time already, for its game had stood."""
    stood = [change for change in map(json.loads, row.changes.splitlines()) if change["what"] == "halted"]
    return sum(hours.charged(max(since, halt["since"]), min(ended, halt["at"])) for halt in stood)


def mend(tx: Connection, row: Decision, until: int, now: int) -> None:
    """A mail that was in time could not be used: the caretaker waits until then, once a decision (IN-35)."""
    _set(tx, row, "mending", now, {"acts_at": until, "graced": True}, until=until)


def with_leave(tx: Connection, head: Head, row: Decision) -> bool:
    """Let the clock of a decision pass over the leave that was announced since it began. Whether it is due later."""
    foreseen = with_leave_of(tx, head, row)
    if foreseen is None:
        return False
    hours, shown = foreseen
    if shown is None or shown.due == row.due_at:
        decisions.change(tx, row.game_id, row.seat, {"hours": hours.text()})
        return False
    again = running(policy(head.table.clock), shown, head.now, row.acts)
    _set(tx, row, "leave", head.now, again | {"hours": hours.text()})
    return True


def with_leave_of(
    connection: Connection, head: Head, row: Decision, more: Sequence[date] = ()
) -> tuple[Hours, Shown | None] | None:
    """What the clock of a decision would show with all leave its player has announced, and with `more` days of it.

    None where that is nothing new; no times where the clock stands. Zone and wake time stay what they were (T-44).
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
    """The days of leave that a clock has passed over: those before it is due, or was stopped."""
    hours, upto = hours_of(row), row.due_at
    if upto is None:
        upto = max([row.began_at, *(json.loads(line)["at"] for line in row.changes.splitlines())])
    return [day for day in hours.away if first_shown(hours.zone, day.toordinal(), 0) < upto]


def stands(row: Decision, now: int) -> bool:
    """Whether the clock of a decision stands just now: it was stopped, or it is night, a weekend or leave."""
    return row.due_at is None or bool(hours_of(row).pauses(now, now + 1))


@dataclass(frozen=True, slots=True)
class Left:
    """Charged time that is left: of the move, and of the bank."""

    move: int
    bank: int


def left_of(row: Decision, now: int) -> Left:
    """What is left of a decision's time now."""
    if row.due_at is None:
        return Left(row.left or 0, row.left_bank or 0)
    hours = hours_of(row)
    bank_from = row.due_at if row.bank_from is None else row.bank_from
    return Left(hours.charged(now, bank_from), hours.charged(max(now, bank_from), row.due_at))


def shown_for(hours: Hours, now: int, move: int, bank: int) -> Shown:
    """What a clock shows that runs in these hours from `now` on, with so much left of the move and of the bank."""
    bank_from = hours.until(now, move)
    return Shown(bank_from, hours.until(bank_from, bank) if bank else bank_from)


def _later(tx: Connection, row: Decision, clock: Policy, now: int, more: int, particulars: Mapping[str, int]) -> None:
    hours = hours_of(row)
    bank_from = row.due if row.bank_from is None else row.bank_from
    shown = Shown(hours.until(bank_from, more), hours.until(row.due, more))
    again = running(clock, shown, now, row.acts_at or 0)
    _set(tx, row, "extended", now, again, **particulars)


def _hours_for(tx: Connection, head: Head, seat: Seat, clock: Policy) -> Hours:
    """The hours of a seat in this game, as its player has set them."""
    player = str(head.table.chairs[seat].player)
    home, wakes = leave_days.home_of(tx, player)
    of = (player, head.game, clock.leave_days, home)
    away = leave_days.count(tx, *of, skips_weekends=clock.skips_weekends).days if clock.leave_days else ()
    return Hours(home, wakes if clock.quiet_hours else None, clock.skips_weekends, away)


def hours_ahead(tx: Connection, head: Head, seat: Seat) -> Hours:
    """The hours in which the clock of a seat runs as its player has set them now."""
    clock = policy(head.table.clock)
    return ALWAYS if clock.plain else _hours_for(tx, head, seat, clock)


def _set(tx: Connection, row: Decision, what: str, at: int, values: Mapping[str, Any], **more: int) -> None:
    """Change a clock, and write down what did; `more` are its particulars."""
    change: dict[str, Any] = {"what": what, "at": at, **more}
    was, due = row.due_at, values.get("due_at", row.due_at)
    if due != was:
        change |= {"was": was, "due": due}
        feed_entries.tell_again(tx, str(row.player_id), row.game_id, row.since)
        if what not in RECORDED and was is not None and due is not None:
            deadline_moves.keep(tx, DeadlineMove(row.game_id, row.seat, row.since, at, due, was))
    if values.get("left") is not None:
        change |= {"left": values["left"], "left_bank": values["left_bank"]}
    decisions.change(tx, row.game_id, row.seat, {**values, "changes": row.changes + change_line(change)})


def change_line(change: Mapping[str, Any]) -> str:
    """One change of a clock as it is kept."""
    return json.dumps(change, separators=(",", ":"), sort_keys=True) + "\n"


def policy_seconds(charged: int, clock: Policy) -> int:
    """Charged microseconds as seconds of the policy's own measure."""
    return (charged * DAY // AWAKE if clock.quiet_hours else charged) // SECOND
