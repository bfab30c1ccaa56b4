"""What a chart shows, and where its numbers lie: scales with round ticks, and room for what is written around them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Final, Literal

from service.pictures import font

WIDTH: Final = 320
"""Of every chart, in units that are pixels on a narrow phone: letters stay readable there."""
HEIGHT: Final = 216
SMALL: Final = 11
"""Size of letters."""
TOP: Final = 30
BOTTOM: Final = 42
MOST_TICKS: Final = 5


@dataclass(frozen=True, slots=True)
class Series:
    """The numbers of one seat, one a period: its name and mark, and the pawn that gives the colour."""

    name: str
    mark: str
    pawn: str
    values: Sequence[int]


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart in the reader's words: what is counted in what unit, over which periods, for whom."""

    title: str
    unit: str
    period: str
    periods: Sequence[int]
    series: Sequence[Series]
    kind: Literal["line", "bars"] = "line"

    @property
    def is_empty(self) -> bool:
        return not self.periods or not self.series


def ticks(low: int, high: int, most: int = MOST_TICKS) -> list[int]:
    """Round numbers that hold all from `low` to `high` between them: steps of 1, 2 or 5 and as many zeros."""
    high = max(high, low + 1)
    step = next(step for step in _steps() if -(-high // step) - low // step <= most)
    return list(range(low // step * step, -(-high // step) * step + 1, step))


def marked_periods(periods: Sequence[int], most: int = 10) -> list[int]:
    """The places of the periods that are written below the axis: all of few, of many the first and every n-th."""
    step = next(step for step in _steps() if len(periods) / step <= most)
    return [place for place, period in enumerate(periods) if step == 1 or period % step == 0 or place == 0]


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Where labels stand that want to be at these heights: none nearer to another than `gap`, all within bounds."""
    order = sorted(range(len(wanted)), key=lambda place: (wanted[place], place))
    found = list(wanted)
    least = low
    for place in order:
        found[place] = least = max(found[place], least)
        least += gap
    most = high
    for place in reversed(order):
        found[place] = most = min(found[place], most)
        most -= gap
    return found


@dataclass(frozen=True)
class Frame:
    """The area in which numbers are drawn, `right` units free on its right."""

    plot: Plot
    right: float

    @cached_property
    def ticks(self) -> list[int]:
        """What is written on the axis of numbers; it begins at 0 unless a number is less."""
        values = [value for series in self.plot.series for value in series.values]
        return ticks(min(0, *values), max(values))

    @cached_property
    def left(self) -> float:
        return 10 + max(font.width(str(tick), SMALL) for tick in self.ticks)

    @property
    def wide(self) -> float:
        return WIDTH - self.right - self.left

    @property
    def base(self) -> float:
        """The height of the lowest tick."""
        return HEIGHT - BOTTOM

    def y(self, value: float) -> float:
        """How far down a number lies."""
        low, high = self.ticks[0], self.ticks[-1]
        return self.base - (value - low) / (high - low) * (self.base - TOP)

    def x(self, place: int) -> float:
        """How far to the right the period at a place lies, where its numbers are points."""
        last = len(self.plot.periods) - 1
        return self.left + 6 + (self.wide - 12) * (place / last if last else 0.5)

    def middle(self, place: int) -> float:
        """The same where its numbers share a part of the axis."""
        return self.left + self.wide * (place + 0.5) / len(self.plot.periods)


def _steps() -> Iterator[int]:
    for zeros in count():
        for first in (1, 2, 5):
            yield first * 10**zeros
