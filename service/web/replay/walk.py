"""The way through a replay: where its steps stop, and which of them come first, before, after and last."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from service.games.replay import Step
from service.web.replay.spot import Spot


@dataclass(frozen=True, slots=True)
class Walk:
    """The versions at which to stop, in their order; the one that is looked at is among them."""

    stops: list[int]
    place: int
    """Which of them is looked at."""
    start: int
    """The version that the first of them is told after, 0 for the beginning."""

    @property
    def after(self) -> int:
        """The version that what is looked at is told after."""
        return self.stops[self.place - 1] if self.place else self.start

    @property
    def before(self) -> int | None:
        """The stop before; None for the first one."""
        return self.stops[self.place - 1] if self.place else None

    @property
    def next(self) -> int | None:
        """The stop after; None for the last one."""
        return self.stops[self.place + 1] if self.place + 1 < len(self.stops) else None

    def stop_of(self, version: int) -> int:
        """The stop at which an event has happened; the last one where none is so late."""
        return self.stops[min(bisect_left(self.stops, version), len(self.stops) - 1)]


def walk_of(spot: Spot, steps: Sequence[Step]) -> Walk:
    """The way through a game, or through the part of it that the spot names."""
    ends = [step.last for step in steps]
    if spot.part is not None:
        first, last = spot.part
        ends = sorted({first, last, *(end for end in ends if first < end < last)})
    stops = sorted({*ends, spot.version})
    begun = bisect_right([step.first for step in steps], stops[0]) - 1
    return Walk(stops, stops.index(spot.version), steps[begun].first - 1)
