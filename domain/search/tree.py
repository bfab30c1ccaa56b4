"""The tree of a search: what was tried where, and which move to try next (information-set UCT, widened by and by).

After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012): every simulation deals what is
hidden anew, one tree serves all deals, and a move is weighed against those that could have been made as often.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from domain.engine.game import Seat
from domain.engine.guidance import Move
from domain.search.matrix import Matrix
from domain.search.strengths import Effort

FIRST_WIDTH: Final = 2.0
"""A node that was met n times looks at FIRST_WIDTH times the square root of n moves."""
TRUST: Final = 0.15
"""What the order of the candidates adds to the value of the first, before it was tried often."""


def key(move: Move[Any]) -> bytes:
    """What two equal moves have in common, whatever they are made of."""
    return msgspec.json.encode(move)


class Edge:
    """A move of a seat: how often it could have been made, how often it was, and what it brought."""

    __slots__ = ("available", "move", "node", "seat", "total", "visits")

    def __init__(self, seat: Seat, move: Move[Any]) -> None:
        self.seat = seat
        self.move = move
        self.available = 0
        self.visits = 0
        self.total = 0.0
        self.node = Node()

    @property
    def mean(self) -> float:
        """The share of winning that it brought its seat."""
        return self.total / self.visits if self.visits else 0.0

    def learn(self, values: Sequence[float]) -> None:
        """Take in what came of it, by seat."""
        self.visits += 1
        self.total += values[self.seat]


class Node:
    """A point at which a seat chooses, or at which several answer unseen. Which seats may differ from deal to deal."""

    __slots__ = ("edges", "matrices", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.edges: dict[tuple[Seat, bytes], Edge] = {}
        self.matrices: dict[frozenset[Seat], Matrix] = {}

    def width(self, most: int) -> int:
        """How many candidates are looked at, this time."""
        return min(most, math.ceil(FIRST_WIDTH * math.sqrt(self.visits + 1)))

    def choose(self, seat: Seat, moves: Sequence[Move[Any]], effort: Effort, first: Move[Any] | None = None) -> Edge:
        """The most promising of the moves that a seat can make, which come the likeliest first; `first` if given."""
        self.visits += 1
        best, highest = None, -math.inf
        for rank, move in enumerate(moves):
            name = seat, key(move)
            edge = self.edges.get(name)
            if edge is None:
                edge = self.edges[name] = Edge(seat, move)
            edge.available += 1
            bound = _bound(edge, rank, effort.exploration)
            if bound > highest:
                best, highest = edge, bound
        if first is not None:
            return self.edges[seat, key(first)]
        if best is None:
            raise ValueError("a seat that is awaited has no move: its candidates are wrong")
        return best

    def matrix(self, waits: frozenset[Seat]) -> Matrix:
        """What was learnt of the answers that these seats give at the same time."""
        self.visits += 1
        if waits not in self.matrices:
            self.matrices[waits] = Matrix(waits)
        return self.matrices[waits]


def _bound(edge: Edge, rank: int, exploration: float) -> float:
    """The upper bound of a move; of one never made, by its rank among the candidates alone."""
    if not edge.visits:
        return 2.0 - rank / 100
    bound = math.sqrt(math.log(edge.available) / edge.visits)
    return edge.mean + exploration * bound + TRUST / ((rank + 1) * (edge.visits + 1))
