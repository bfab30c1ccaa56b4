"""One simulation: down the tree and one node further, played out by the quick policy, judged, and learnt from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from domain.engine.game import Seat
from domain.engine.guidance import Guidance, Move
from domain.engine.ruleset import Ruleset
from domain.search.advance import RandomDice, make, settle
from domain.search.evaluation import shares
from domain.search.strengths import Effort
from domain.search.tree import Edge, Node, key

MOST_ANSWERS = 7
"""So many sealed answers of a seat are weighed against those of the others."""
LONGEST_PLAYOUT = 400
"""Moves; a playout that gets there is judged as it stands."""
Learn = Callable[[Sequence[float]], None]


@dataclass(frozen=True, slots=True)
class Leaning:
    """Whose thought it is: a seat of a temper, and the blind state it stands in."""

    before: Any
    seat: Seat
    temper: str


class Simulation:
    """A deal of one position being played on. The state is owned: the simulation leaves another one."""

    def __init__(
        self,
        rules: Ruleset[Any, Any, Any],
        guidance: Guidance[Any, Any],
        effort: Effort,
        state: Any,
        rng: Random,
        leaning: "Leaning",
        include: Sequence[Move[Any]] = (),
        first: Move[Any] | None = None,
    ) -> None:
        self.rules, self.guidance, self.effort, self.state, self.rng = rules, guidance, effort, state, rng
        self.include, self.first = include, first
        self.dice = RandomDice(rng)
        self.leaning = leaning
        self.lessons: list[Learn] = []

    def run(self, root: Node) -> None:
        """To the end; every node passed learns the shares of winning by seat.

        At the root the moves of `include` can be made besides the candidates; `first` is made there, if it is given.
        """
        waits = self.descend(root, settle(self.rules.decider, self.state, self.dice))
        self.play_out(waits)
        values = shares(self.rules.decider, self.guidance, self.state)
        leaning = self.leaning
        if leaning.temper != "even":
            values[leaning.seat] += self.guidance.leans(leaning.before, self.state, leaning.seat, leaning.temper)
        for learn in self.lessons:
            learn(values)

    def descend(self, node: Node, waits: frozenset[Seat]) -> frozenset[Seat]:
        """Down to the first move that was never made before, and one step more. Who is awaited there."""
        while waits:
            if self.guidance.sealed(self.state) and len(waits) > 1:
                node, waits, fresh = self.answer(node, waits)
            else:
                node, waits, fresh = self.move(node, min(waits))
            self.include, self.first = (), None
            if fresh:
                break
        return waits

    def move(self, node: Node, seat: Seat) -> tuple[Node, frozenset[Seat], bool]:
        """One seat moves, by the tree."""
        width = node.width(self.effort.width)
        edge = node.choose(self.candidates(seat, width), self.effort, self.first)
        self.lessons.append(lambda values, edge=edge: _learn(edge, values[seat]))  # type: ignore[misc]
        waits = make(self.rules.decider, self.state, seat, edge.move, self.dice)
        return edge.node, waits, not edge.visits

    def answer(self, node: Node, waits: frozenset[Seat]) -> tuple[Node, frozenset[Seat], bool]:
        """Several seats answer at the same time, each by its own strategy."""
        width = min(self.effort.width, MOST_ANSWERS)
        moves = {seat: self.candidates(seat, width) for seat in sorted(waits)}
        matrix = node.matrix(moves)
        chosen = matrix.choose(self.rng)
        if self.first is not None:
            own = sorted(waits).index(self.leaning.seat)
            chosen = (*chosen[:own], place_of(self.first, moves[self.leaning.seat]), *chosen[own + 1 :])
        fresh = chosen not in matrix.cells
        self.lessons.append(lambda values: matrix.learn(chosen, values))
        after = waits
        for seat, number in zip(moves, chosen, strict=True):
            after = make(self.rules.decider, self.state, seat, matrix.answers[seat].moves[number], self.dice)
        return matrix.after.setdefault(chosen, Node()), after, fresh

    def candidates(self, seat: Seat, width: int) -> Sequence[Move[Any]]:
        """The moves of a seat that are looked at; of the seat that thinks also those it was told to look at."""
        moves = self.guidance.candidates(self.state, seat, self.rng, width)
        if not self.include or seat != self.leaning.seat:
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


def place_of(move: Move[Any], moves: Sequence[Move[Any]]) -> int:
    """Where a move stands among others."""
    return [key(other) for other in moves].index(key(move))


def _learn(edge: Edge, value: float) -> None:
    edge.visits += 1
    edge.total += value
