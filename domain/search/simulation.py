"""One simulation: down the tree and one node further, played out by the quick policy, judged, and learnt from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from domain.engine.game import Seat
from domain.engine.guidance import Guidance, Move
from domain.engine.ruleset import Ruleset
from domain.search.advance import RandomDice, make, settle
from domain.search.evaluation import shares
from domain.search.strengths import Effort
from domain.search.tree import Node, key

MOST_ANSWERS: Final = 7
"""So many sealed answers of a seat are weighed against those of the others."""
LONGEST_PLAYOUT: Final = 400
"""Moves; a playout that gets there is judged as it stands."""
Learn = Callable[[Sequence[float]], None]


@dataclass(frozen=True, slots=True)
class Task:
    """What is thought about: the move of a seat of a temper, which knows this of a game."""

    rules: Ruleset[Any, Any, Any]
    guidance: Guidance[Any, Any]
    """That of these rules."""
    blind: Any
    seat: Seat
    temper: str
    effort: Effort
    include: Sequence[Move[Any]] = ()
    """Moves that are looked at besides the candidates."""


class Simulation:
    """A deal of one position being played on. The state is owned: the simulation leaves another one."""

    def __init__(self, task: Task, state: Any, rng: Random, first: Move[Any] | None = None) -> None:
        self.task, self.state, self.rng = task, state, rng
        self.include, self.first = task.include, first
        self.rules, self.guidance, self.effort = task.rules, task.guidance, task.effort
        self.dice = RandomDice(rng)
        self.lessons: list[Learn] = []

    def run(self, root: Node) -> None:
        """Play to the end; every node passed learns the shares of winning by seat. `first` is made at the root."""
        waits = self.descend(root, settle(self.rules.decider, self.state, self.dice))
        self.play_out(waits)
        values = self.judge()
        for learn in self.lessons:
            learn(values)

    def judge(self) -> list[float]:
        """The shares of winning by seat; that of the thinking seat with what its temper likes besides."""
        task = self.task
        values = shares(self.rules.decider, self.guidance, self.state)
        if task.temper != "even":
            values[task.seat] += self.guidance.leans(task.blind, self.state, task.seat, task.temper)
        return values

    def descend(self, node: Node, waits: frozenset[Seat]) -> frozenset[Seat]:
        """Down to the first move that was never made before, and one step more. Who is awaited there."""
        for _ in range(self.effort.depth):
            if not waits:
                break
            sealed = len(waits) > 1 and self.effort.mixes and self.guidance.sealed(self.state)
            node, waits, fresh = self.answer(node, waits) if sealed else self.move(node, min(waits))
            self.include, self.first = (), None
            if fresh:
                break
        return waits

    def move(self, node: Node, seat: Seat) -> tuple[Node, frozenset[Seat], bool]:
        """One seat moves, by the tree. What is forced is no step."""
        moves = self.candidates(seat, node.width(self.effort.width))
        edge = node.choose(seat, moves, self.effort, self.first)
        fresh = not edge.visits and len(moves) > 1
        self.lessons.append(edge.learn)
        return edge.node, make(self.rules.decider, self.state, seat, edge.move, self.dice), fresh

    def answer(self, node: Node, waits: frozenset[Seat]) -> tuple[Node, frozenset[Seat], bool]:
        """Several seats answer at the same time, each by its own strategy."""
        width = min(self.effort.width, MOST_ANSWERS)
        moves = {seat: {key(move): move for move in self.candidates(seat, width)} for seat in sorted(waits)}
        matrix = node.matrix(waits)
        chosen = matrix.choose(moves, self.rng)
        if self.first is not None:
            own = matrix.seats.index(self.task.seat)
            chosen = (*chosen[:own], key(self.first), *chosen[own + 1 :])
        fresh = chosen not in matrix.cells
        self.lessons.append(lambda values: matrix.learn(chosen, values))
        after = waits
        for seat, name in zip(matrix.seats, chosen, strict=True):
            after = make(self.rules.decider, self.state, seat, moves[seat][name], self.dice)
        return matrix.after.setdefault(chosen, Node()), after, fresh

    def candidates(self, seat: Seat, width: int) -> Sequence[Move[Any]]:
        """The moves of a seat that are looked at; of the seat that thinks also those it was told to look at."""
        moves = self.guidance.candidates(self.state, seat, self.rng, width)
        if not self.include or seat != self.task.seat:
            return moves
        known = {key(move) for move in moves}
        return [*moves, *(move for move in self.include if key(move) not in known)]

    def play_out(self, waits: frozenset[Seat]) -> None:
        """The quick policy plays every seat until the horizon has changed often enough."""
        decider, guidance = self.rules.decider, self.guidance
        here, left = guidance.horizon(self.state), self.effort.horizons
        for _ in range(LONGEST_PLAYOUT):
            if (now := guidance.horizon(self.state)) != here:
                here, left = now, left - 1
            if not waits or left <= 0:
                return
            seat = min(waits)
            waits = make(decider, self.state, seat, guidance.quick_move(self.state, seat, self.rng), self.dice)
