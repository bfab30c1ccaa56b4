"""Contests that are decided, as tables for people: an election with its bids, an auction, a count of votes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from domain.engine.game import Seat
from domain.engine.sentences import Sentence

Told = Callable[[Sequence[tuple[int, Any]], int, Seat | None, Sequence[str]], list["Contest"]]
"""The contests decided after an event, for a seat (None: a spectator), from all facts so far and the names by seat."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pieces of one kind: what they are drawn with, how many, and their name for those who hear the page."""

    piece: str
    count: int
    name: str
    colour: str = ""
    """The people of a chip; empty for pieces without one."""
    owner: Seat | None = None
    """The seat whose pawn colours them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One competitor: the pieces that count, a word beside them, and the total if there is one."""

    seat: Seat
    pieces: tuple[Pieces, ...]
    note: str
    total: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A line below the table: its label, pieces, and words."""

    label: Sentence
    pieces: tuple[Pieces, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest and its result."""

    version: int
    """The event that decided it."""
    news: Sentence
    """That it is decided, without the result."""
    heading: Sentence
    """The result."""
    unit: Sentence
    """What the totals count: "votes"."""
    entries: tuple[Entry, ...]
    winner: Seat | None
    outcomes: tuple[Outcome, ...] = ()
    was_sealed: bool = False
    """Whether its bids were secret until now."""

    def has(self, seat: Seat | None) -> bool:
        """Return whether a seat took part."""
        return any(entry.seat == seat for entry in self.entries)
