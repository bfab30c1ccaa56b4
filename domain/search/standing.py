"""How one player stands against another, from the records of their matches: shares of wins and what is sure of them."""

import math
from collections.abc import Sequence
from statistics import fmean, quantiles
from typing import Final

import msgspec

from domain.engine.game import Seat

SURE: Final = 1.959964
"""Standard deviations on either side of a mean that hold 95 % of a normal distribution."""


class Pairing(msgspec.Struct, frozen=True):
    """Who plays whom at what: `a` alone among the `b` at each table."""

    game: str
    """The kind of a ruleset: "tammany-hall"."""
    seats: int
    a: str
    b: str


class Record(msgspec.Struct, frozen=True):
    """One match of a pairing. Pairing, seed and number say all about it, as long as the code is the same."""

    pairing: Pairing
    seed: str
    """Of the whole arena."""
    number: int
    """From 0, by which seats rotate."""
    code: str
    """A digest of the code that played it."""
    winners: list[Seat]
    """Nobody where the game had no end."""
    scores: list[int]
    moves: int
    times: list[int]
    """Microseconds of processor time of each decision of `a` with more than one move."""
    memory: int
    """Most memory of the process that played it, in KiB."""

    @property
    def seat(self) -> Seat:
        """Where `a` sat."""
        return self.number % self.pairing.seats

    @property
    def won(self) -> float:
        """What `a` won of it: a victory that is shared counts by its share."""
        return (self.seat in self.winners) / max(1, len(self.winners))


class Standing(msgspec.Struct, frozen=True):
    """What the records of a pairing say of its `a`."""

    tables: int
    """Those that count: that came to an end."""
    endless: int
    share: float
    """Of wins, from 0 to 1."""
    low: float
    high: float
    """Between which the share lies with a probability of 95 %."""
    fair: float
    """The share of somebody who plays as well as the others."""
    points_a: float
    points_b: float
    """Means."""
    decisions: int
    """Those of `a` with more than one move."""
    median: float
    slow: float
    """Seconds of processor time for a decision: the median, and what 95 % keep to."""
    memory: int
    """Most memory of a process, in KiB."""


def standing(pairing: Pairing, records: Sequence[Record]) -> Standing:
    """How `a` of a pairing stands by these records, which are of this pairing."""
    ended = [record for record in records if record.winners]
    won = sum(record.won for record in ended)
    low, high = wilson(won, len(ended))
    times = [time / 1e6 for record in records for time in record.times]
    return Standing(
        tables=len(ended),
        endless=len(records) - len(ended),
        share=won / len(ended) if ended else 0.0,
        low=low,
        high=high,
        fair=1 / pairing.seats,
        points_a=_mean([record.scores[record.seat] for record in ended]),
        points_b=_mean([s for record in ended for seat, s in enumerate(record.scores) if seat != record.seat]),
        decisions=len(times),
        median=percentile(times, 50),
        slow=percentile(times, 95),
        memory=max((record.memory for record in records), default=0),
    )


def wilson(won: float, tables: int) -> tuple[float, float]:
    """The interval that holds the true share of wins with 95 %, by Wilson's score; 0 to 1 where nothing is known."""
    if not tables:
        return 0.0, 1.0
    share, square = won / tables, SURE * SURE
    middle = share + square / (2 * tables)
    reach = SURE * math.sqrt(share * (1 - share) / tables + square / (4 * tables * tables))
    whole = 1 + square / tables
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that so many percent of the values do not surpass; 0 of none."""
    if len(values) < 2:
        return values[0] if values else 0.0
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def _mean(values: Sequence[int]) -> float:
    return fmean(values) if values else 0.0
