"""The moves of Tammany Hall that are worth a thought, by what is asked (TH-16.1)."""

from collections.abc import Callable
from random import Random
from typing import Final

from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.bids import bids, quick_bid
from domain.tammany_hall.search.choices import assignments, bonuses
from domain.tammany_hall.search.turns import quick_turn, turns

Candidates = Callable[[State, Seat, Random, int], list[Move[Action]]]
ASKED: Final[dict[str, Candidates]] = {"turn": turns, "bid": bids, "bonus": bonuses, "assign": assignments}


def candidates(state: State, seat: Seat, rng: Random, most: int) -> list[Move[Action]]:
    """Up to so many different legal moves of an awaited seat, best first. Raises KeyError where nothing is asked."""
    return ASKED[state.phase](state, seat, rng, max(1, most))


def quick_move(state: State, seat: Seat, rng: Random) -> Move[Action]:
    """A sensible legal move of an awaited seat, a little at random. Raises KeyError where nothing is asked."""
    match state.phase:
        case "turn":
            return quick_turn(state, seat, rng)
        case "bid":
            return quick_bid(state, seat, rng)
        case phase:
            few = ASKED[phase](state, seat, rng, 3)
            return few[0] if rng.random() < 0.7 else rng.choice(few)
