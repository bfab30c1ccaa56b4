"""The clock guard: tells a wall clock that jumped from time that passed, by a second clock that only counts (T-41)."""

from dataclasses import dataclass
from typing import Final

from service.kernel.clock import SECOND

OUTAGE: Final = 600 * SECOND
"""A silence longer than this is an outage: clocks that ran meanwhile are credited (Q-9)."""


@dataclass(slots=True)
class ClockGuard:
    """One process's memory of its last sweep: the time of record, and its own count of time, in microseconds."""

    wall: int | None = None
    counted: int = 0

    def jump(self, wall: int, counted: int) -> tuple[int, int]:
        """How far the time of record has run ahead of the count since the last look, and when that look was.

        0 and now for a process that has not looked yet, or not within an outage: others have looked since, or the
        service was away.
        """
        ahead, before = 0, wall
        if self.wall is not None and counted - self.counted <= OUTAGE:
            ahead, before = (wall - self.wall) - (counted - self.counted), self.wall
        self.wall, self.counted = wall, counted
        return ahead, before
