"""How long each seat took to answer: from the times of events, which everybody may see who may see the game."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.engine.game import Event, Seat
from domain.table import events as e
from domain.table.clock import owed_decisions
from domain.table.evolve import Rules, apply
from domain.table.state import Table
from service.kernel.clock import SECOND
from service.store.event_store.stream_reader import Recorded


@dataclass(slots=True)
class ClockFacts:
    """What one seat answered by hand: `took` in seconds, from being asked; and how many deadlines it let pass."""

    seat: Seat
    took: list[int] = field(default_factory=list)
    missed: int = 0

    @property
    def mean(self) -> int | None:
        return round(sum(self.took) / len(self.took)) if self.took else None


def clock_facts(rules: Rules, events: Sequence[Event], recorded: Sequence[Recorded]) -> list[ClockFacts]:
    """Of every seat of a game that began, from its whole history; nights, leave and stopped clocks count like any time.

    A decision begins and ends where `commit` lets it: with the request after which another one is owed.
    """
    table, found = Table(), list[ClockFacts]()
    owed: dict[Seat, tuple[str, int]] = {}
    first = 0  # event of the request, whose actor made it
    for number, event in enumerate(events):
        apply(table, rules, event, events[:number])
        if isinstance(event, e.GameStarted):
            found = [ClockFacts(seat) for seat in range(len(event.seats))]
        if isinstance(event, e.TurnExpired):
            found[event.seat].missed += 1
        if number + 1 < len(events) and recorded[number + 1].cause == recorded[number].cause:
            continue
        now, actor, at = owed_decisions(table, rules), recorded[first].actor, recorded[number].at
        first = number + 1
        for seat, (decision, since) in list(owed.items()):
            if now.get(seat) != decision:
                del owed[seat]
                if actor == {"seat": seat}:
                    found[seat].took.append(round((at - since) / SECOND))
        owed = {seat: owed.get(seat, (decision, at)) for seat, decision in now.items() if seat >= 0}
    return found
