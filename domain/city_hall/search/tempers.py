"""Tempers: what a seat likes besides winning."""

from typing import Final

from domain.city_hall.rules.state import State
from domain.city_hall.search.features import projected
from domain.city_hall.search.outlook import outlook
from domain.engine.game import Seat

MOST: Final = 0.2


def leans(before: State, after: State, seat: Seat, temper: str) -> float:
    """By how much a seat of a temper likes what became of the first state."""
    if temper == "even" or after.board is None or before.board is None:
        return 0.0
    match temper:
        case "cautious":
            liked = _cautious(before, after, seat)
        case "patient":
            liked = _patient(before, after, seat)
        case _:
            liked = _vindictive(before, after, seat)
    return max(-MOST, min(MOST, liked))


def _cautious(before: State, after: State, seat: Seat) -> float:
    """Money and Influence in hand."""
    now, then = before.players[seat], after.players[seat]
    return 0.002 * ((then.money or 0) - (now.money or 0)) + 0.012 * ((then.influence or 0) - (now.influence or 0))


def _patient(before: State, after: State, seat: Seat) -> float:
    """Land, stars and Population rather than money."""
    now, then = outlook(before).seats[seat], outlook(after).seats[seat]
    grown = (then.lands - now.lands) + 0.4 * (then.stars - now.stars) + 0.2 * (then.population - now.population)
    return 0.04 * grown


def _vindictive(before: State, after: State, seat: Seat) -> float:
    """Harm to the rival who stood best."""
    first, second = outlook(before), outlook(after)
    rivals = [number for number in range(len(first.seats)) if number != seat]
    leader = max(rivals, key=lambda number: projected(first, number))
    return 0.004 * (projected(first, leader) - projected(second, leader))
