"""What the teacher finds in a game: plain data, without anybody's name, that can be kept and shown in any language.

Values are shares of winning, from 0 to 1, all seats together 1. Sentences are packed (`domain.engine.sentences.pack`).
"""

from typing import Any, Final, Literal

import msgspec

Verdict = Literal["best", "sound", "slip", "mistake", "blunder"]
LOSSES: Final[tuple[tuple[float, Verdict], ...]] = ((0.12, "blunder"), (0.06, "mistake"), (0.03, "slip"))
"""From which loss on a move is called so; below all of them it is sound."""
EDITION: Final = 1
"""Of these shapes, and of how findings come about: what was found by another edition is looked for again."""


class Line(msgspec.Struct, frozen=True):
    """A move that could have been made."""

    move: list[str]
    """In the notation of the game, a line an action."""
    value: float
    share: float
    """How much of the search it got; of a sealed answer, how often it should be given."""
    why: Any = None
    """A packed sentence."""


class JudgedDecision(msgspec.Struct, frozen=True, tag="decision"):
    """One decision: what was played, and the best of what could have been, from what the seat knew then."""

    version: int
    """The event after which it was asked: the position of `GET /games/{id}?version=`."""
    seat: int
    by: Literal["seat", "orders"]
    part: Any
    """The part of the game, packed."""
    played: Line
    best: float
    """What the best line is worth: the position before the move."""
    loss: float
    verdict: Verdict
    lines: list[Line]
    sealed: bool = False


class JudgedDraw(msgspec.Struct, frozen=True, tag="draw"):
    """One draw, with everything open: by seat, what it was worth to draw, and what came of what was drawn."""

    version: int
    """The event of the draw."""
    part: Any
    told: Any
    """What was drawn, packed."""
    before: list[float]
    after: list[float]

    def luck(self, seat: int) -> float:
        """By how much a seat stood better after it, or worse."""
        return self.after[seat] - self.before[seat]


class JudgedBid(msgspec.Struct, frozen=True, tag="bid"):
    """One sealed bid, with everything open."""

    version: int
    """The event that opened it."""
    seat: int
    part: Any
    prize: Any
    bid: str
    price: int
    won: bool
    least: int | None
    """What would just have won against the others' bids; None where nothing that could be bid would have."""
    worth: float
    """By how much the seat stood better for it than for the smallest bid."""


Finding = JudgedDecision | JudgedDraw | JudgedBid


def verdict(loss: float, *, is_best: bool) -> Verdict:
    """What to call a move that lost so much."""
    named = next((name for least, name in LOSSES if loss >= least), None)
    return named or ("best" if is_best else "sound")
