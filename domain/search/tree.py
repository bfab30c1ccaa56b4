"""The tree of a search: what was tried where, and which move to try next (information-set UCT, widened by and by).

After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012): every simulation deals what is
hidden anew, one tree serves all deals, and a move is weighed against those that could have been made as often.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.engine.game import Seat
from domain.engine.guidance import Move
from domain.search.matrix import Answers, Matrix
from domain.search.strengths import Effort

FIRST_WIDTH: Final = 2.0
"""A node that was met n times looks at FIRST_WIDTH times the square root of n moves."""
TRUST: Final = 0.15
"""What the order of the candidates adds to the value of the first, before it was tried often."""


def key(move: Move[Any]) -> bytes:
    """What two equal moves have in common, whatever they are made of."""
    return msgspec.json.encode(move)


class Edge:
    """A move that was tried from a node: how often it could have been, how often it was, and what it brought."""

    __slots__ = ("available", "move", "node", "total", "visits")

    def __init__(self, move: Move[Any]) -> None:
        self.move = move
        self.available = 0
        self.visits = 0
        self.total = 0.0
        self.node = Node()

    @property
    def mean(self) -> float:
        """What the move brought whoever made it."""
        return self.total / self.visits if self.visits else 0.0


class Node:
    """A point at which one seat chooses, or at which several answer unseen."""

    __slots__ = ("edges", "matrices", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.edges: dict[bytes, Edge] = {}
        self.matrices: dict[bytes, Matrix] = {}

    def width(self, most: int) -> int:
        """How many candidates are looked at, this time."""
        return min(most, math.ceil(FIRST_WIDTH * math.sqrt(self.visits + 1)))

    def choose(self, moves: Sequence[Move[Any]], effort: Effort, first: Move[Any] | None = None) -> Edge:
        """The most promising of the moves that can be made, which come the likeliest first; `first` if it is given."""
        self.visits += 1
        best, highest = None, -math.inf
        for rank, move in enumerate(moves):
            name = key(move)
            edge = self.edges.get(name)
            if edge is None:
                edge = self.edges[name] = Edge(move)
            edge.available += 1
            bound = _bound(edge, rank, effort.exploration)
            if bound > highest:
                best, highest = edge, bound
        if first is not None:
            return self.edges[key(first)]
        if best is None:
            raise ValueError("a seat that is awaited has no move: its candidates are wrong")
        return best

    def matrix(self, moves: Mapping[Seat, Sequence[Move[Any]]]) -> Matrix:
        """What was learnt of these answers given at the same time."""
        self.visits += 1
        name = msgspec.json.encode(list(moves.values()))
        if name not in self.matrices:
            self.matrices[name] = Matrix({seat: Answers(answers) for seat, answers in moves.items()})
        return self.matrices[name]


def _bound(edge: Edge, rank: int, exploration: float) -> float:
    """The upper bound of a move; of one never made, by its rank among the candidates alone."""
    if not edge.visits:
        return 2.0 - rank / 100
    bound = math.sqrt(math.log(edge.available) / edge.visits)
    return edge.mean + exploration * bound + TRUST / ((rank + 1) * (edge.visits + 1))
