"""What befalls the whole service in the course of a run: outages, a clock that jumps, beats that fall silent."""

from collections.abc import Callable
from functools import partial
from typing import Final

from tests.simulation.conductor import BEAT, SWEEP, Conductor
from tests.simulation.habits import DAY, HOUR, MINUTE

WRONG_FOR: Final = 12
"""Beats in which the clock is wrong."""


def outage(span: int, it: Conductor) -> None:
    """Nobody sweeps, and players play on; then the clocks are credited, before anybody plays again (Q-9)."""
    it.settle()
    last = it.sweep_calmly()
    back = it.next_beat() + span
    while (at := it.diary.after(it.moment.record)) < back:
        it.go_to(at)
        it.act(it.diary.due(at) + it.diary.tables(), {}, calm=True)
        it.look()
    it.go_to(back)
    it.told.outages.append((last, it.sweep_calmly()))
    it.told.faults["outage"] += 1
    it.settle()


def jump(it: Conductor) -> None:
    """The clock is set a day ahead, and a minute later set right. Nothing is decided meanwhile (F-43, T-41)."""
    it.settle()
    it.sweep_calmly(lambda free: free)  # each worker has seen the right time
    right = it.moment.record
    it.set_clock(right + DAY)
    for _ in range(WRONG_FOR):
        it.go_to(it.moment.record + BEAT)
        it.act([], {hand.number: [SWEEP] for hand in it.company.free()}, calm=True)
    it.told.jumps.append((right + DAY, it.moment.record))
    it.set_clock(right + WRONG_FOR * BEAT)
    it.told.faults["jump"] += 1
    it.sweep_calmly(lambda free: free)
    it.settle()


def silence(span: int, it: Conductor) -> None:
    """No beat beats; the tickers of the workers take over (F-11)."""
    now = it.moment.record
    it.silent = [now + span for _ in it.silent]
    it.told.silences.append((now, now + span))
    it.told.faults["silence of the beats"] += 1


def frozen_beat(which: int, it: Conductor) -> None:
    """One beat stands still for five minutes (F-12)."""
    it.silent[which] = it.moment.record + 5 * MINUTE
    it.told.faults["frozen beat"] += 1


SCRIPT: Final[tuple[tuple[float, Callable[[Conductor], None]], ...]] = (
    (0.15, partial(outage, 25 * MINUTE)),
    (0.25, partial(silence, 10 * MINUTE)),
    (0.35, partial(frozen_beat, 0)),
    (0.45, jump),
    (0.55, partial(outage, 5 * HOUR)),
    (0.65, partial(silence, 12 * MINUTE)),
    (0.75, partial(frozen_beat, 1)),
    (0.85, partial(outage, 40 * MINUTE)),
)
"""What happens when such a share of the deadlines has begun."""


def run(it: Conductor, deadlines: int, report: Callable[[int], None]) -> None:
    """Simulate until so many deadlines have begun, and what is due is done."""
    script = list(SCRIPT)
    while len(it.seen) < deadlines:
        it.step()
        if script and len(it.seen) >= script[0][0] * deadlines:
            script.pop(0)[1](it)
        if it.told.moments % 1000 == 0:
            report(len(it.seen))
    it.settle()
    for _ in range(60):  # whatever waits for its time in the next five minutes
        due = it.eyes.due(it.moment.record)
        it.go_to(max(it.next_beat(), -(-min(due) // BEAT) * BEAT))
        it.sweep_calmly(lambda free: free[-2:])
    it.told.over = it.moment.record
