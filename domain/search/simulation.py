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
from domain.search.tree import Edge, Node, key

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
    moves: Sequence[Move[Any]]
    """The moves that are compared, the most promising first."""


def is_mixed(guidance: Guidance[Any, Any], state: Any, waits: frozenset[Seat], effort: Effort) -> bool:
    """Whether several seats answer at the same time, each by a mixed strategy."""
    return len(waits) > 1 and effort.mixes and guidance.sealed(state)


class Simulation:
    """A deal of one position being played on. The state is owned: the simulation leaves another one."""

    def __init__(self, task: Task, state: Any, rng: Random) -> None:
        self.task, self.state, self.rng = task, state, rng
        self.rules, self.guidance, self.effort = task.rules, task.guidance, task.effort
        self.depth = min(task.effort.depth, task.guidance.depth)
        self.dice = RandomDice(rng)
        self.lessons: list[Learn] = []
        self.root: Node | None = None

    def run(self, root: Node, edge: Edge) -> None:
        """Make a move of the root and play on to the end; every node passed learns the shares of winning by seat."""
        settle(self.rules.decider, self.state, self.dice)
        fresh = not edge.visits
        waits = self.follow(root, edge)
        self.finish(waits if fresh else self.descend(edge.node, waits, self.depth - 1))

    def run_sealed(self, root: Node, first: Move[Any] | None) -> None:
        """The same from a root at which several seats answer unseen, the thinking seat with `first`, if given."""
        self.root = root
        waits = settle(self.rules.decider, self.state, self.dice)
        node, waits, fresh = self.answer(root, waits, first)
        self.finish(waits if fresh else self.descend(node, waits, self.depth - 1))

    def finish(self, waits: frozenset[Seat]) -> None:
        """Play on without the tree, judge, and learn."""
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

    def descend(self, node: Node, waits: frozenset[Seat], depth: int) -> frozenset[Seat]:
        """Down to the first move that was never made before, and one step more. Who is awaited there."""
        for _ in range(depth):
            if not waits:
                break
            sealed = is_mixed(self.guidance, self.state, waits, self.effort)
            node, waits, fresh = self.answer(node, waits) if sealed else self.move(node, min(waits))
            if fresh:
                break
        return waits

    def move(self, node: Node, seat: Seat) -> tuple[Node, frozenset[Seat], bool]:
        """One seat moves, by the tree. What is forced is no step."""
        moves = self.guidance.candidates(self.state, seat, self.rng, node.width(self.effort.width))
        edge = node.choose(seat, moves, self.effort)
        fresh = not edge.visits and len(moves) > 1
        return edge.node, self.follow(node, edge), fresh

    def follow(self, node: Node, edge: Edge) -> frozenset[Seat]:
        """Make the move of an edge. Who is awaited then."""
        self.lessons.append(lambda values: node.learn(edge, values))
        return make(self.rules.decider, self.state, edge.seat, edge.move, self.dice)

    def answer(
        self, node: Node, waits: frozenset[Seat], first: Move[Any] | None = None
    ) -> tuple[Node, frozenset[Seat], bool]:
        """Several seats answer at the same time, each by its own strategy."""
        moves = {seat: {key(move): move for move in self.answers(node, seat)} for seat in sorted(waits)}
        matrix = node.matrix(waits)
        chosen = matrix.choose(moves, self.rng)
        if first is not None:
            own = matrix.seats.index(self.task.seat)
            chosen = (*chosen[:own], key(first), *chosen[own + 1 :])
        fresh = chosen not in matrix.cells
        self.lessons.append(lambda values: matrix.learn(chosen, values))
        after = waits
        for seat, name in zip(matrix.seats, chosen, strict=True):
            after = make(self.rules.decider, self.state, seat, moves[seat][name], self.dice)
        return matrix.after.setdefault(chosen, Node()), after, fresh

    def answers(self, node: Node, seat: Seat) -> Sequence[Move[Any]]:
        """What a seat can answer: at the root the thinking seat's moves that are compared."""
        if node is self.root and seat == self.task.seat:
            return self.task.moves
        return self.guidance.candidates(self.state, seat, self.rng, min(self.effort.width, MOST_ANSWERS))

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
