"""Rounds: every contender in each, in alternating order; a ratio is formed within a round, then the median taken."""

import gc
import os
import statistics
import time
from collections.abc import Callable
from typing import Final

ROUNDS: Final = int(os.environ.get("BENCH_ROUNDS", "5"))
SECONDS: Final = float(os.environ.get("BENCH_SECONDS", "0.2"))

Cell = Callable[[], float]


def rate(once: Callable[[], int], seconds: float = SECONDS) -> float:
    """Units a second: calls `once`, which says how many units it did."""
    count, start = 0, time.perf_counter()
    while True:
        count += once()
        took = time.perf_counter() - start
        if took >= seconds:
            return count / took


def interleave(cells: dict[str, Cell]) -> dict[str, list[float]]:
    """What each cell measured in each round; one more round beforehand warms up."""
    found: dict[str, list[float]] = {name: [] for name in cells}
    for number in range(-1, ROUNDS):
        for name in list(cells)[:: 1 if number % 2 else -1]:
            gc.collect()
            value = cells[name]()
            if number >= 0:
                found[name].append(value)
    return found


def compare(title: str, unit: str, cells: dict[str, Cell]) -> None:
    """Measure and print; the first cell is the floor."""
    found = interleave(cells)
    floor = next(iter(found))
    width = max(map(len, found))
    print(f"\n{title}  [{unit}]\n  {'':{width}} {'min':>11} {'median':>11} {'max':>11} {'ratio':>8}")
    for name, values in found.items():
        ratio = statistics.median(one / other for one, other in zip(values, found[floor], strict=True))
        middle = statistics.median(values)
        mark = "  floor" if name == floor else ""
        print(
            f"  {name:{width}} {min(values):>11,.4g} {middle:>11,.4g} {max(values):>11,.4g} {ratio:>8.3f}{mark}",
            flush=True,
        )
