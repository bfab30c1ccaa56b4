"""A game at a glance: the worst mistakes of each seat, its luckiest and unluckiest draws, what its bids were worth."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from domain.engine.game import Seat
from domain.teacher.findings import Finding, JudgedBid, JudgedDecision, JudgedDraw

WORST: Final = 3
TELLING: Final = ("slip", "mistake", "blunder")
"""What is held against a seat; a smaller loss may be chance."""


class SeatSummary(msgspec.Struct, frozen=True):
    """One seat. `accuracy` is the mean share of winning that its moves kept of the best, from 0 to 1; None where it
    decided nothing."""

    seat: Seat
    decisions: int
    accuracy: float | None
    lost: float
    """What all its mistakes cost, in shares of winning."""
    worst: list[JudgedDecision]
    luckiest: JudgedDraw | None
    unluckiest: JudgedDraw | None
    luck: float
    """What all draws brought it."""
    bids: list[JudgedBid]


def summary(findings: Sequence[Finding], seats: Iterable[Seat]) -> list[SeatSummary]:
    """By seat, in the order asked for."""
    decisions = [found for found in findings if isinstance(found, JudgedDecision)]
    draws = [found for found in findings if isinstance(found, JudgedDraw)]
    bids = [found for found in findings if isinstance(found, JudgedBid)]
    return [
        _of(
            seat,
            [found for found in decisions if found.seat == seat],
            draws,
            [found for found in bids if found.seat == seat],
        )
        for seat in seats
    ]


def _of(seat: Seat, decisions: list[JudgedDecision], draws: list[JudgedDraw], bids: list[JudgedBid]) -> SeatSummary:
    kept = [(found.best - found.loss) / found.best if found.best else 1.0 for found in decisions]
    faults = [found for found in decisions if found.verdict in TELLING]
    by_luck = sorted(draws, key=lambda draw: draw.luck(seat))
    return SeatSummary(
        seat=seat,
        decisions=len(decisions),
        accuracy=round(sum(kept) / len(kept), 4) if kept else None,
        lost=round(sum(found.loss for found in faults), 4),
        worst=sorted(faults, key=lambda found: -found.loss)[:WORST],
        luckiest=by_luck[-1] if by_luck and by_luck[-1].luck(seat) > 0 else None,
        unluckiest=by_luck[0] if by_luck and by_luck[0].luck(seat) < 0 else None,
        luck=round(sum(draw.luck(seat) for draw in draws), 4),
        bids=bids,
    )
