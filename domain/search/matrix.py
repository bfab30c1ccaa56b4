"""Answers given at the same time: a mixed strategy for each seat, learnt by regret matching.

After Lanctot, Lisý and Winands, "Monte Carlo Tree Search in Simultaneous Move Games with Applications to Goofspiel"
(2014): what another answer would have brought is read from the mean of the cell it leads to.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from domain.engine.game import Seat
from domain.engine.guidance import Move

EXPLORED: Final = 0.2
"""The share of answers tried whatever the strategy says."""


class Answers:
    """The answers of one seat, the regret for each, and how often the strategy has called for it."""

    def __init__(self, moves: Sequence[Move[Any]]) -> None:
        self.moves = list(moves)
        self.regrets = [0.0] * len(moves)
        self.called = [0.0] * len(moves)
        self.visits = [0] * len(moves)
        self.totals = [0.0] * len(moves)

    def strategy(self) -> list[float]:
        """The probability of each answer: as its positive regret; all alike while there is none."""
        positive = [max(regret, 0.0) for regret in self.regrets]
        total = sum(positive)
        count = len(positive)
        return [regret / total for regret in positive] if total > 0 else [1 / count] * count

    def mean_strategy(self) -> list[float]:
        """The strategy over all simulations, which is the one that converges."""
        total = sum(self.called)
        return [called / total for called in self.called] if total else self.strategy()


class Matrix:
    """One point at which several seats answer unseen. Cells hold the values by seat, and how often they were met."""

    def __init__(self, answers: dict[Seat, Answers]) -> None:
        self.answers = answers
        self.cells: dict[tuple[int, ...], tuple[list[float], int]] = {}
        self.after: dict[tuple[int, ...], Any] = {}
        """The node that each combination leads to."""

    def choose(self, rng: Random) -> tuple[int, ...]:
        """An answer of each seat, in seat order, by number."""
        chosen = []
        for seat in sorted(self.answers):
            answers = self.answers[seat]
            strategy = answers.strategy()
            for number, probability in enumerate(strategy):
                answers.called[number] += probability
            numbers = range(len(strategy))
            explores = rng.random() < EXPLORED
            chosen.append(rng.choice(numbers) if explores else rng.choices(numbers, strategy)[0])
        return tuple(chosen)

    def learn(self, chosen: tuple[int, ...], values: Sequence[float]) -> None:
        """What came of these answers, by seat of the game."""
        totals, count = self.cells.get(chosen, ([0.0] * len(values), 0))
        self.cells[chosen] = [total + value for total, value in zip(totals, values, strict=True)], count + 1
        for place, seat in enumerate(sorted(self.answers)):
            answers, own = self.answers[seat], chosen[place]
            answers.visits[own] += 1
            answers.totals[own] += values[seat]
            for number in range(len(answers.moves)):
                cell = self.cells.get((*chosen[:place], number, *chosen[place + 1 :]))
                if number != own and cell is not None:
                    answers.regrets[number] += cell[0][seat] / cell[1] - values[seat]
