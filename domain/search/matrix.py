"""Answers given at the same time: a mixed strategy for each seat, learnt by regret matching.

After Lanctot, Lisý and Winands, "Monte Carlo Tree Search in Simultaneous Move Games with Applications to Goofspiel"
(2014): what another answer would have brought is the mean of the cell it leads to; of a cell that was never met, the
mean of the answer against everything.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from domain.engine.game import Seat
from domain.engine.guidance import Move

EXPLORED: Final = 0.2
"""The share of answers tried whatever the strategy says."""


class Answer:
    """An answer of one seat: the regret for not giving it, what it brought, how often it was given, and called for.

    Later simulations call louder, for they know better.
    """

    __slots__ = ("called", "move", "regret", "total", "visits")

    def __init__(self, move: Move[Any]) -> None:
        self.move = move
        self.regret = 0.0
        self.called = 0.0
        self.visits = 0
        self.total = 0.0

    @property
    def mean(self) -> float:
        """The share of winning that it brought its seat."""
        return self.total / self.visits if self.visits else 0.0


class Matrix:
    """A point at which several seats answer unseen, each by a strategy of its own."""

    __slots__ = ("after", "answers", "cells", "count", "seats")

    def __init__(self, seats: Iterable[Seat]) -> None:
        self.seats = sorted(seats)
        self.count = 0
        self.answers: dict[Seat, dict[bytes, Answer]] = {seat: {} for seat in self.seats}
        self.cells: dict[tuple[bytes, ...], tuple[list[float], int]] = {}
        """What answers of all seats together brought each seat of the game, and how often."""
        self.after: dict[tuple[bytes, ...], Any] = {}
        """The node that each combination leads to."""

    def choose(self, moves: Mapping[Seat, Mapping[bytes, Move[Any]]], rng: Random) -> tuple[bytes, ...]:
        """An answer of each seat out of those it can give now, in seat order, by name."""
        self.count += 1
        return tuple(self._choose(seat, moves[seat], rng) for seat in self.seats)

    def _choose(self, seat: Seat, moves: Mapping[bytes, Move[Any]], rng: Random) -> bytes:
        known, names = self.answers[seat], list(moves)
        for name in names:
            if name not in known:
                known[name] = Answer(moves[name])
        strategy = matching([known[name].regret for name in names])
        for name, probability in zip(names, strategy, strict=True):
            known[name].called += self.count * probability
        if untried := [name for name in names if not known[name].visits]:
            return untried[0]
        if rng.random() < EXPLORED:
            return rng.choice(names)
        return rng.choices(names, strategy)[0]

    def learn(self, chosen: tuple[bytes, ...], values: Sequence[float]) -> None:
        """Take in what came of these answers, by seat of the game."""
        totals, count = self.cells.get(chosen, ([0.0] * len(values), 0))
        self.cells[chosen] = [total + value for total, value in zip(totals, values, strict=True)], count + 1
        for place, seat in enumerate(self.seats):
            given = self.answers[seat][chosen[place]]
            given.visits += 1
            given.total += values[seat]
            for name, answer in self.answers[seat].items():
                if answer is not given and answer.visits:
                    cell = self.cells.get((*chosen[:place], name, *chosen[place + 1 :]))
                    instead = cell[0][seat] / cell[1] if cell else answer.mean
                    answer.regret += instead - values[seat]

    def strategy(self, seat: Seat) -> dict[bytes, float]:
        """The mean strategy of a seat, the later simulations the weightier, which is the one that converges."""
        total = sum(answer.called for answer in self.answers[seat].values())
        return {name: answer.called / total for name, answer in self.answers[seat].items()}


def matching(regrets: Sequence[float]) -> list[float]:
    """The probability of each answer: as its positive regret; all alike while there is none."""
    positive = [max(regret, 0.0) for regret in regrets]
    total = sum(positive)
    return [regret / total for regret in positive] if total > 0 else [1 / len(positive)] * len(positive)
