"""The time that each seat took to answer, from the times of events: all who may see the game may see these."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.engine.game import Seat
from domain.table.clock import fold_clock
from domain.table.evolve import Rules
from domain.table.undo import Past
from service.kernel.clock import SECOND, from_text


@dataclass(slots=True)
class ClockFacts:
    """What one seat answered by hand: `took` in seconds, from being asked; and how many deadlines it let pass."""

    seat: Seat
    took: list[int] = field(default_factory=list)
    missed: int = 0

    @property
    def mean(self) -> int | None:
        return round(sum(self.took) / len(self.took)) if self.took else None


def clock_facts(rules: Rules, past: Sequence[Past]) -> list[ClockFacts]:
    """Return the facts of every seat of a game that began, from its whole history.

    Nights, leave and stopped clocks count like any time. An answer counts if its seat gave it by hand.
    """
    clock, made_by = fold_clock(rules, past), dict[str, Any]()
    found = [ClockFacts(seat) for seat in range(len(clock.table.chairs))]
    for entry in past:
        made_by.setdefault(entry.cause, entry.actor)
    for question in clock.over:
        ended = past[question.ended - 1]
        if made_by[ended.cause] == {"seat": question.seat}:
            took = from_text(ended.at) - from_text(question.at)
            found[question.seat].took.append(round(took / SECOND))
    for lapse in clock.missed:
        found[lapse.question.seat].missed += 1
    return found
