"""How well each seat stands: its share of winning, from 0 to 1, all of them together 1."""

import math
import operator
from collections.abc import Sequence
from typing import Any, Final

from domain.engine.decider import Decider
from domain.engine.guidance import Guidance

MARGIN: Final = 0.2
"""Of a finished game, what counts for the points and not for winning: so that a lost game is still played well."""
SPREAD: Final = 4.0
"""How much more of that a seat with the most points gets than one without any: so many powers of e."""


def shares(decider: Decider[Any, Any, Any], guidance: Guidance[Any, Any], state: Any) -> list[float]:
    """By seat: what came of a game that is over, else what the weights make of its features."""
    if (result := decider.result(state)) is not None:
        return of_result(result["winners"], result["scores"])
    return predicted(guidance.weights[guidance.stage(state)], guidance.features(state))


def predicted(weights: Sequence[float], features: Sequence[Sequence[float]]) -> list[float]:
    """By seat: a softmax of weights times features."""
    return softmax([sum(map(operator.mul, weights, own)) for own in features])


def of_result(winners: Sequence[int], scores: Sequence[int]) -> list[float]:
    """By seat: a victory, shared by its winners, and a little for points."""
    best = max(*scores, 1)
    points = softmax([SPREAD * score / best for score in scores])
    won = [(seat in winners) / len(winners) for seat in range(len(scores))]
    return [(1 - MARGIN) * win + MARGIN * point for win, point in zip(won, points, strict=True)]


def softmax(values: Sequence[float]) -> list[float]:
    """Positive numbers in the proportion of the exponents, that are 1 together."""
    most = max(values)
    raised = [math.exp(value - most) for value in values]
    total = sum(raised)
    return [value / total for value in raised]
