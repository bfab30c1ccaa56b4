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
SPREAD: Final = 0.15
"""The usual standard deviation of the shares of winning that simulations of one position end with."""
KNOWN: Final = 4
"""So many simulations of it are thought to be known beforehand."""


def key(move: Move[Any]) -> bytes:
    """What two equal moves have in common, whatever they are made of."""
    return msgspec.json.encode(move)


class Tally:
    """What simulations have brought a seat: how many they were, the sum of the shares, and how far they go apart."""

    __slots__ = ("squares", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, value: float) -> None:
        """One more simulation."""
        self.visits += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """The mean share of winning; an even one where nothing is known."""
        return self.total / self.visits if self.visits else 0.5

    @property
    def spread(self) -> float:
        """The standard deviation, as if it had been the usual one in some simulations before."""
        known = self.squares - self.total * self.mean if self.visits else 0.0
        return math.sqrt((max(known, 0.0) + KNOWN * SPREAD * SPREAD) / (self.visits + KNOWN))


class Edge(Tally):
    """A move of a seat, what it brought the seat, and how often it could have been made."""

    __slots__ = ("available", "move", "node", "seat")

    def __init__(self, seat: Seat, move: Move[Any]) -> None:
        super().__init__()
        self.seat = seat
        self.move = move
        self.available = 0
        self.node = Node()

    def expected(self, tally: Tally, rank: int, effort: Effort) -> float:
        """What it can be expected to bring: at first what moves here bring, less for its place among them."""
        prior = tally.mean - effort.step * tally.spread * rank
        return (self.total + effort.trust * prior) / (self.visits + effort.trust)


class Node:
    """A point at which a seat chooses, or at which several answer unseen. Which seats may differ from deal to deal."""

    __slots__ = ("edges", "matrices", "tallies", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.edges: dict[tuple[Seat, bytes], Edge] = {}
        self.matrices: dict[frozenset[Seat], Matrix] = {}
        self.tallies: dict[Seat, Tally] = {}

    def width(self, most: int) -> int:
        """How many candidates are looked at, this time."""
        return min(most, math.ceil(FIRST_WIDTH * math.sqrt(self.visits + 1)))

    def tally(self, seat: Seat) -> Tally:
        """What was learnt of a seat's moves here."""
        if seat not in self.tallies:
            self.tallies[seat] = Tally()
        return self.tallies[seat]

    def choose(self, seat: Seat, moves: Sequence[Move[Any]], effort: Effort, first: Move[Any] | None = None) -> Edge:
        """The most promising of the moves that a seat can make, which come the likeliest first; `first` if given."""
        self.visits += 1
        best, highest, tally = None, -math.inf, self.tally(seat)
        for rank, move in enumerate(moves):
            name = seat, key(move)
            edge = self.edges.get(name)
            if edge is None:
                edge = self.edges[name] = Edge(seat, move)
            edge.available += 1
            bound = edge.expected(tally, rank, effort)
            reach = effort.exploration * max(edge.spread, tally.spread)
            bound += reach * math.sqrt(math.log(edge.available + 1) / (edge.visits + 1))
            if bound > highest:
                best, highest = edge, bound
        if first is not None:
            return self.edges[seat, key(first)]
        if best is None:
            raise ValueError("a seat that is awaited has no move: its candidates are wrong")
        return best

    def learn(self, edge: Edge, values: Sequence[float]) -> None:
        """Take in what came of a move made here, by seat."""
        edge.add(values[edge.seat])
        self.tally(edge.seat).add(values[edge.seat])

    def matrix(self, waits: frozenset[Seat]) -> Matrix:
        """What was learnt of the answers that these seats give at the same time."""
        self.visits += 1
        if waits not in self.matrices:
            self.matrices[waits] = Matrix(waits)
        return self.matrices[waits]
