"""The root of a search: the moves that are compared, and the simulations that tell them apart."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from domain.engine.game import Action, Seat
from domain.engine.guidance import Guidance, Move
from domain.search.simulation import Simulation, Task, is_mixed
from domain.search.tree import Node, key

DEALS = 3
"""The candidates are those of so many deals: what is promising may depend on what is hidden."""


@dataclass(frozen=True, slots=True)
class Line:
    """A move that was looked at: what share of winning it seems to bring, and how often it was tried."""

    actions: tuple[Action, ...]
    value: float
    visits: int
    weight: float = 1.0
    """Its share of the trials; of a sealed answer, the probability to give it."""
    mixed: bool = False
    """Whether it is a sealed answer, best given by chance."""


def root_moves(guidance: Guidance[Any, Any], blind: Any, seat: Seat, most: int, rng: Random) -> list[Move[Any]]:
    """The moves that are compared, so many at most, those first that are promising in most deals."""
    points: dict[bytes, float] = {}
    moves: dict[bytes, Move[Any]] = {}
    for _ in range(DEALS):
        deal = guidance.sample_hidden(blind, seat, rng)
        for rank, move in enumerate(guidance.candidates(deal, seat, rng, most)):
            name = key(move)
            moves[name] = move
            points[name] = points.get(name, 0.0) + most - rank
    return [moves[name] for name in sorted(moves, key=lambda name: -points[name])][:most]


class Root:
    """A search for the best of a seat's moves. The same base of chance finds the same one.

    Each move meets the same deals in the same order, so that none looks better for better luck.
    """

    def __init__(self, task: Task, base: int) -> None:
        self.task, self.base = task, base
        self.node = Node()
        self.count = 0
        self.mixed = is_mixed(task.guidance, task.blind, task.rules.decider.awaiting(task.blind), task.effort)

    def simulate(self, first: Move[Any] | None = None) -> None:
        """Try a move once more: the most promising one, or the one that is given."""
        task = self.task
        if self.mixed:
            self._simulation(self.count).run_sealed(self.node, first)
        else:
            width = self.node.width(task.effort.width)
            moves = task.moves if first else [*task.moves[:width], *task.moves[task.effort.width :]]
            edge = self.node.choose(task.seat, moves, task.effort, first)
            self._simulation(edge.visits).run(self.node, edge)
        self.count += 1

    def _simulation(self, number: int) -> Simulation:
        rng = Random(self.base + number)  # noqa: S311
        return Simulation(self.task, self.task.guidance.sample_hidden(self.task.blind, self.task.seat, rng), rng)

    def behind(self, move: Move[Any]) -> int:
        """How much less often a move was tried than the one that was tried most often."""
        visits = {key(line.actions): line.visits for line in self.lines()}
        return max(visits.values()) - visits.get(key(move), 0)

    def lines(self) -> list[Line]:
        """What was learnt of each move, the best first."""
        return list(self._answers() if self.mixed else self._moves())

    def _moves(self) -> Iterator[Line]:
        """By what they can be expected to bring, so that a move that was hardly tried is not believed in."""
        seat, tally = self.task.seat, self.node.tally(self.task.seat)
        tried = [
            (edge.expected(tally, rank, self.task.effort), edge)
            for rank, move in enumerate(self.task.moves)
            if (edge := self.node.edges.get((seat, key(move)))) and edge.visits
        ]
        for _, edge in sorted(tried, key=lambda each: -each[0]):
            yield Line(tuple(edge.move), edge.mean, edge.visits, edge.visits / self.count)

    def _answers(self) -> Iterator[Line]:
        """By how often they should be given."""
        (matrix,) = self.node.matrices.values()
        weights = matrix.strategy(self.task.seat)
        answers = matrix.answers[self.task.seat]
        for name in sorted(weights, key=lambda name: -weights[name]):
            yield Line(tuple(answers[name].move), answers[name].mean, answers[name].visits, weights[name], mixed=True)
