"""The time for what is owed again, as it was taken back: the same that it had been told to have (Q-9, DESIGN 2).

Whatever moved the deadline that was told last is in it: an outage, a pause, a notice that came late. What came after
the answer, when its player owed nothing, is added: pauses, more time and outages, as the history has them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from domain.engine.game import Seat
from domain.table import events as e
from domain.table.clock import ClockFold
from domain.table.undo import Past
from service.clocks import leave_days
from service.clocks.hours import Hours, scaled
from service.clocks.seat_clocks import Clocks, Owing, bank_of, hours_of
from service.kernel.clock import SECOND, from_text
from service.store.clocks import outages
from service.store.clocks.decisions import Decision
from service.store.database import Connection


def owed_before(tx: Connection, clocks: Clocks, told: ClockFold, past: Sequence[Past], seat: Seat) -> Owing:
    """Return the time for a question that a seat is asked again, up to now; `told` is the clock before it is."""
    row, clock = clocks.rows[seat], clocks.policy
    hours, last = hours_of(row), outages.latest(tx)
    before = told.asked_before(seat, row.decision)
    known = next((shown for shown in reversed(before.told if before else []) if shown.due is not None), None)
    began = from_text(before.began) if before else clocks.at
    given, since = 0, before.since if before else len(past)
    if before is not None and known is not None and known.due is not None:
        since = known.version
        until = from_text(past[before.ended - 1].at)
        charged = _hours_then(tx, row, hours, until).charged(began, from_text(known.due))
        given = max(0, charged - clock.per_move - bank_of(clocks.table, seat, clock))
    given += sum(_given_since(tx, clocks, told, past, since, seat, hours))
    due = began if known is None or known.due is None else from_text(known.due)
    return Owing(began, given, due, 0 if last is None else last.number)


def _moved_at(told: ClockFold, version: int) -> Iterator[int]:
    """Yield how far an event moved each deadline, in microseconds."""
    for question in (*told.over, *told.asked.values()):
        for before, after in pairwise(question.told):
            if after.version == version and before.due is not None and after.due is not None:
                yield from_text(after.due) - from_text(before.due)


def _hours_then(tx: Connection, row: Decision, hours: Hours, at: int) -> Hours:
    """Return the hours of a clock without the leave that was announced later."""
    known = leave_days.announced_by(tx, row.player_id or "", at) if hours.away else set()
    return replace(hours, away=tuple(day for day in hours.away if day in known))


def _given_since(
    tx: Connection, clocks: Clocks, told: ClockFold, past: Sequence[Past], since: int, seat: Seat, hours: Hours
) -> Iterator[int]:
    """Yield the time that a seat was given since an event: pauses, more time and outages."""
    turns = [entry for entry in past[:since] if isinstance(entry.event, e.ClockPaused | e.ClockResumed)]
    stopped = from_text(past[since - 1].at) if turns and isinstance(turns[-1].event, e.ClockPaused) else None
    numbers = set[int]()
    for entry in past[since:]:
        match entry.event:
            case e.ClockPaused():
                stopped = from_text(entry.at)
            case e.ClockResumed() if stopped is not None:
                yield hours.charged(stopped, from_text(entry.at))
                stopped = None
            case e.TimeExtended(seconds=seconds, seat=extended) if extended in (None, seat):
                yield scaled(seconds * SECOND, clocks.policy.quiet_hours)
            case e.DeadlineMoved(outage=int(number)):
                numbers.add(number)
            case e.DeadlineMoved(why="service"):
                at, moved = from_text(entry.at), max(_moved_at(told, entry.version), default=0)
                yield hours.charged(at - moved, at)
    if stopped is not None:
        yield hours.charged(stopped, clocks.now)
    for outage in outages.every(tx):
        if outage.number in numbers:
            yield hours.charged(max(outage.began_at, from_text(past[since - 1].at)), outage.ended_at)
