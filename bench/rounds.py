"""Rounds: every contender in each, in alternating order; a ratio is formed within a round, then the median taken."""

import gc
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from bench.kept import SINCE_RELEASE

Cell = Callable[[], float]


@dataclass(slots=True)
class Effort:
    """How much a run does: rounds, and those before them that warm up; seconds a cell, games and copies of a game in a
    database, letters a cell, turns that begin at once."""

    rounds: int = field(default_factory=lambda: int(os.environ.get("BENCH_ROUNDS", "5")))
    warm_up: int = 1
    seconds: float = field(default_factory=lambda: float(os.environ.get("BENCH_SECONDS", "0.2")))
    games: int = 400
    copies: int = 120
    letters: int = 40
    turns: int = 1000

    def shrink(self) -> None:
        """Do everything once, to see that it works; the numbers say nothing then."""
        self.rounds, self.warm_up, self.seconds, self.games, self.copies = 1, 0, 0.01, 12, 2
        self.letters, self.turns = 2, 20


EFFORT: Final = Effort()


def rate(unit: Callable[[], int], times: int = 1) -> float:
    """Units a second: calls `unit`, which says how many units it did, for so many times the seconds of a cell."""
    count, start = 0, time.perf_counter()
    while True:
        count += unit()
        took = time.perf_counter() - start
        if took >= times * EFFORT.seconds:
            return count / took


def interleave(cells: dict[str, Cell]) -> dict[str, list[float]]:
    """What each cell measured in each round, but for those that warm up."""
    found: dict[str, list[float]] = {name: [] for name in cells}
    for number in range(-EFFORT.warm_up, EFFORT.rounds):
        for name in list(cells)[:: 1 if number % 2 else -1]:
            gc.collect()
            value = cells[name]()
            if number >= 0:
                found[name].append(value)
    return found


def compare(title: str, unit: str, cells: dict[str, Cell]) -> None:
    """Measure and print; the first cell is the floor. The last column is the change since the last release."""
    found = interleave(cells)
    floor = next(iter(found))
    width = max(map(len, found))
    print(f"\n{title}  [{unit}]\n  {'':{width}} {'min':>11} {'median':>11} {'max':>11} {'ratio':>8} {'change':>7}")
    for name, values in found.items():
        ratio = statistics.median(mine / its for mine, its in zip(values, found[floor], strict=True))
        middle = statistics.median(values)
        mark = "  floor" if name == floor else SINCE_RELEASE.note(title, name, ratio, unit)
        print(
            f"  {name:{width}} {min(values):>11,.4g} {middle:>11,.4g} {max(values):>11,.4g} {ratio:>8.3f} {mark:>7}",
            flush=True,
        )
