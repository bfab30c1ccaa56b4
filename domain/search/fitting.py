"""Fitting: what the features of a game count for, learnt from who won games that the quick policy played with itself.

The share of winning of a seat is a softmax over the seats of weights times features; the weights of a stage are those
under which the shares that came out were the likeliest (the least mean cross-entropy), and small ones where that is
hardly worse (L2).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from domain.engine.game import Seat
from domain.engine.guidance import Guidance
from domain.engine.ruleset import Ruleset
from domain.search.evaluation import of_result, predicted
from domain.search.match import play
from domain.search.players import Choice

ODD: Final = 0.1
"""The share of moves that are any of the first candidates, so that there are games of all kinds."""
WIDTH: Final = 6
"""So many candidates."""
SAMPLED: Final = 0.1
"""The share of decisions whose positions are taken besides those at which the horizon changed."""
ROUNDS: Final = 12
"""How often all situations are gone through."""
PACE: Final = 0.1
"""How far the weights move at first for one situation."""
L2: Final = 1e-3

Weights = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Situation:
    """A position of a game that came to its end: the features of each seat, and each seat's share of winning."""

    stage: str
    features: Sequence[Sequence[float]]
    shares: list[float]


def situations(rules: Ruleset[Any, Any, Any], seats: int, seed: str) -> list[Situation]:
    """Those of one game; none of a game without an end. The same seed gives the same ones.

    Raises LookupError for a ruleset without guidance.
    """
    guidance = rules.guidance
    if guidance is None:
        raise LookupError(f"{rules.kind} has no guidance: there is nothing to fit")
    rng, found = Random(seed), list[tuple[str, Sequence[Sequence[float]]]]()  # noqa: S311
    horizon: Any = None

    def watch(state: Any) -> None:
        nonlocal horizon
        now = guidance.horizon(state)
        if now != horizon or rng.random() < SAMPLED:
            found.append((guidance.stage(state), guidance.features(state)))
        horizon = now

    played = play(rules, [quick_player] * seats, seed, watch=watch)
    if not played.winners:
        return []
    shares = of_result(played.winners, played.scores)
    return [Situation(stage, features, shares) for stage, features in found]


def quick_player(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, seed: bytes) -> Choice:
    """The quick policy, which now and then does something else. It knows a deal of what is hidden, not the truth."""
    assert rules.guidance is not None
    guidance: Guidance[Any, Any] = rules.guidance
    rng = Random(seed)  # noqa: S311
    deal = guidance.sample_hidden(blind, seat, rng)
    if rng.random() < ODD:
        return Choice(rng.choice(guidance.candidates(deal, seat, rng, WIDTH)))
    return Choice(guidance.quick_move(deal, seat, rng))


def fit(known: Sequence[Situation], count: int, seed: str) -> dict[str, list[float]]:
    """The weights of so many features by stage: by gradient descent, one situation after the other."""
    return {
        stage: _descend([situation for situation in known if situation.stage == stage], count, Random(seed))  # noqa: S311
        for stage in sorted({situation.stage for situation in known})
    }


def _descend(known: list[Situation], count: int, rng: Random) -> list[float]:
    """Ever smaller steps; the mean of the weights of the second half of the way is taken."""
    weights, mean, steps = [0.0] * count, [0.0] * count, 0
    for turn in range(ROUNDS):
        pace = PACE / (1 + turn)
        rng.shuffle(known)
        for situation in known:
            slope = _slope(weights, situation)
            weights = [weight - pace * (part + L2 * weight) for weight, part in zip(weights, slope, strict=True)]
            if 2 * turn >= ROUNDS:
                steps += 1
                mean = [middle + (weight - middle) / steps for middle, weight in zip(mean, weights, strict=True)]
    return mean


def _slope(weights: Sequence[float], situation: Situation) -> Iterator[float]:
    """The gradient of the cross-entropy of one situation."""
    expected = predicted(weights, situation.features)
    wrong = [guess - share for guess, share in zip(expected, situation.shares, strict=True)]
    return (
        sum(off * value for off, value in zip(wrong, column, strict=True))
        for column in zip(*situation.features, strict=True)
    )


def loss(weights: Weights, known: Sequence[Situation]) -> float:
    """The mean cross-entropy of the shares that came out, in nats; of a stage without weights as if all stood alike."""
    total = 0.0
    for situation in known:
        own = weights.get(situation.stage) or [0.0] * len(situation.features[0])
        expected = predicted(own, situation.features)
        total -= sum(
            share * math.log(max(guess, 1e-12)) for share, guess in zip(situation.shares, expected, strict=True)
        )
    return total / len(known)


def write_table(weights: Weights, names: Sequence[str], facts: Mapping[str, str | int | float]) -> str:
    """The table of a game as a text in TOML: how it was made, and the weights by stage and name."""
    lines = [f"{name} = {_toml(fact)}" for name, fact in facts.items()]
    for stage, numbers in weights.items():
        lines += ["", f'[stage."{stage}"]']
        lines += [f'"{name}" = {number + 0.0:.3f}' for name, number in zip(names, numbers, strict=True)]
    return "\n".join(lines) + "\n"


def _toml(fact: str | float) -> str:
    return f'"{fact}"' if isinstance(fact, str) else f"{fact}"
