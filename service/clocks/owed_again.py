"""The time for what is owed again, as it was taken back: the same that it had been told to have (Q-9, DESIGN 2).

Whatever moved the deadline that was told last is in it: an outage, a pause, a notice that came late. What came after
the answer, when its player owed nothing, is added: pauses and more time as recorded, outages by the clocks of others.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from domain.engine.game import Seat
from domain.table import events as e
from domain.table.undo import Past
from service.clocks import leave_days
from service.clocks.hours import Hours, scaled
from service.clocks.policy import Policy, policy
from service.clocks.seat_clocks import Owing, bank_of, hours_of
from service.clocks.told import LastTold, last_told
from service.kernel.clock import SECOND
from service.store.clocks.decisions import Decision
from service.store.database import Connection
from service.store.event_store import checkpoints
from service.store.event_store.streams import Head, Streams

LOST: Final = frozenset({"credited", "halted"})
"""The changes of a clock that give back time in which nobody could play."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that is taken back: the event since which it was owed, the last one before it, and what was owed in
    the game when it was taken back."""

    since: int
    before: int
    rows: Sequence[Decision]


def owed_before(
    streams: Streams, tx: Connection, head: Head, past: Sequence[Past], row: Decision, answer: Answer
) -> Owing:
    """The time for an answer that is owed again, in this row, up to now."""
    clock, hours = policy(head.table.clock), hours_of(row)
    began = streams.time_of(tx, head.game, answer.since)
    told = _told_before(tx, head, row, answer)
    given, since, until = 0, answer.since, began
    if told is not None:
        since, until = told.version, told.until
        charged = _hours_then(tx, row, hours, until).charged(began, told.due)
        given = max(0, charged - clock.per_move - bank_of(head.table, row.seat, clock))
    given += sum(_given_since(streams, tx, head, past, since, row.seat, hours, clock))
    given += sum(hours.charged(max(began, begins), ends) for begins, ends in _lost_since(answer.rows, until))
    return Owing(began, given, told.due if told else began)


def _told_before(tx: Connection, head: Head, row: Decision, answer: Answer) -> LastTold | None:
    """The last deadline that was told of an answer; None where it was asked and given in one request."""
    _, deadlines = checkpoints.deadlines_upto(tx, head.game, answer.before)
    for owed in deadlines:
        if (owed["seat"], owed["decision"]) == (row.seat, row.decision):
            return last_told(tx, head, row.seat, owed["since"])
    return None


def _hours_then(tx: Connection, row: Decision, hours: Hours, at: int) -> Hours:
    """The hours of a clock without the leave that was announced later."""
    known = leave_days.announced_by(tx, row.player_id or "", at) if hours.away else set()
    return replace(hours, away=tuple(day for day in hours.away if day in known))


def _given_since(
    streams: Streams,
    tx: Connection,
    head: Head,
    past: Sequence[Past],
    since: int,
    seat: Seat,
    hours: Hours,
    clock: Policy,
) -> Iterator[int]:
    """What a seat was given since an event: the time in which the clock stood, and more time."""
    turns = [entry.event for entry in past[:since] if isinstance(entry.event, e.ClockPaused | e.ClockResumed)]
    stopped = streams.time_of(tx, head.game, since) if turns and isinstance(turns[-1], e.ClockPaused) else None
    for entry in past[since:]:
        match entry.event:
            case e.ClockPaused():
                stopped = streams.time_of(tx, head.game, entry.version)
            case e.ClockResumed() if stopped is not None:
                yield hours.charged(stopped, streams.time_of(tx, head.game, entry.version))
                stopped = None
            case e.TimeExtended(seconds=seconds, seat=extended) if extended in (None, seat):
                yield scaled(seconds * SECOND, clock.quiet_hours)
    if stopped is not None:
        yield hours.charged(stopped, head.now)


def _lost_since(rows: Sequence[Decision], at: int) -> Iterator[tuple[int, int]]:
    """The stretches that clocks were given back after a time because nobody could play, each once."""
    changes = [json.loads(line) for row in rows for line in row.changes.splitlines()]
    lost = sorted((change["since"], change["at"]) for change in changes if change["what"] in LOST and change["at"] > at)
    end = 0
    for begins, ends in lost:
        yield max(begins, end), ends
        end = max(end, ends)
