"""Bidding: what is to be known of sealed bids to say afterwards what each of them was worth."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from domain.engine.game import A, Seat
from domain.engine.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Bidding(Generic[A]):
    """What an opening of sealed bids decides; it is told by an event that OPENS."""

    winner: Callable[[Any], Seat | None]
    """Who has won, by that event; None for nobody."""
    prize: Callable[[Any], Sentence]
    """What the bids were for, by that event."""
    price: Callable[[A], int]
    """What a bid costs."""
