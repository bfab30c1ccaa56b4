"""How well each seat stands: its share of winning, from 0 to 1, all of them together 1."""

import math
import operator
from collections.abc import Sequence
from typing import Any, Final

from domain.engine.decider import Decider
from domain.engine.guidance import Guidance

MARGIN: Final = 0.2
"""Of a finished game, what counts for the points and not for winning: so that a lost game is still played well."""


def shares(decider: Decider[Any, Any, Any], guidance: Guidance[Any, Any], state: Any) -> list[float]:
    """By seat: what came of a game that is over, else what the weights make of its features (a softmax)."""
    if (result := decider.result(state)) is not None:
        return _of_result(result["winners"], result["scores"])
    weights = guidance.weights[guidance.stage(state)]
    return softmax(
        [sum(map(operator.mul, weights, guidance.features(state, seat))) for seat in range(len(state.players))]
    )


def softmax(values: Sequence[float]) -> list[float]:
    """Positive numbers in the proportion of the exponents, that are 1 together."""
    most = max(values)
    raised = [math.exp(value - most) for value in values]
    total = sum(raised)
    return [value / total for value in raised]


def _of_result(winners: Sequence[int], scores: Sequence[int]) -> list[float]:
    best = max(*scores, 1)
    points = softmax([4 * score / best for score in scores])
    won = [(seat in winners) / len(winners) for seat in range(len(scores))]
    return [(1 - MARGIN) * win + MARGIN * point for win, point in zip(won, points, strict=True)]
