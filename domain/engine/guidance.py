"""Guidance: what a search must know of a game beyond its rules, to play it well.

All of it is asked of states that the search owns. A `Move` is a list of actions that are sent together: a whole turn,
a bid, a choice. `domain.search` reads nothing else of a game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic

from domain.engine.game import A, S, Seat
from domain.engine.sentences import Sentence

Move = tuple[A, ...]
"""Actions that are one decision: place, slander, office and end of one turn."""


@dataclass(frozen=True, slots=True)
class Guidance(Generic[S, A]):
    """What is known of playing a game well. Functions leave the state alone."""

    sample_hidden: Callable[[S, Seat, Random], S]
    """A whole state that the seat could be in: its blind state, with all it cannot know dealt at random, each deal
    as likely as what the seat has seen makes it."""
    candidates: Callable[[S, Seat, Random, int], Sequence[Move[A]]]
    """Up to so many different legal moves of an awaited seat, the most promising first (for progressive widening)."""
    quick_move: Callable[[S, Seat, Random], Move[A]]
    """A sensible legal move, found in well under a millisecond: the policy of playouts."""
    features: Callable[[S], Sequence[Sequence[float]]]
    """By seat what tells how well it stands, as few numbers near -1 to 1."""
    names: Sequence[str]
    """What each feature is called."""
    weights: Mapping[str, Sequence[float]]
    """By stage of the game ("1" to the last), a weight for each feature: fitted by self-play."""
    stage: Callable[[S], str]
    """Which of the weights hold."""
    horizon: Callable[[S], Any]
    """Where the game stands in its own units (a term, a round): playouts end where it has changed often enough."""
    sealed: Callable[[S], bool]
    """Whether the seats awaited now answer at the same time, none knowing the others' answers."""
    leans: Callable[[S, S, Seat, str], float]
    """By how much a seat of a temper likes what became of the first state: added to its value, about -0.2 to 0.2."""
    reason: Callable[[S, Seat, Move[A]], Sentence]
    """Why somebody would make this move, in a sentence, from what the seat knows."""
    choices_public: bool = False
    """Whether all can reckon what a seat may do. Where they cannot, the only move takes as long a thought as any other:
    an answer that comes at once would tell what the seat holds (CH-15.2)."""
    depth: int = 100
    """At most so many moves of a simulation are chosen by the tree, all others by the quick policy: 1 where looking
    further ahead made a bot weaker."""
    slips: Mapping[int, float] = field(default_factory=dict)
    """By strength how far a move may fall behind the best and still be played at times, in standard deviations: further
    where many moves are nearly as good as the best. A strength that is not here plays the best it finds."""
