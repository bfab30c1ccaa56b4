"""Tempers: what a seat likes besides winning, each counted against what the other seats got of it meanwhile."""

from collections.abc import Callable
from typing import Final

from domain.engine.game import Seat
from domain.tammany_hall.rules.state import State

MOST: Final = 0.2
Count = Callable[[State, Seat], float]


def leans(before: State, after: State, seat: Seat, temper: str) -> float:
    """By how much a seat of a temper likes what became of the first state."""
    match temper:
        case "cautious":
            liked = 0.006 * _grown(before, after, seat, chips) + 0.012 * _grown(before, after, seat, safe_wards)
        case "patient":
            liked = 0.008 * _grown(before, after, seat, chips) + 0.012 * _grown(before, after, seat, kept)
        case "vindictive":
            liked = -0.01 * _grown(before, after, leader(before, seat), strength)
        case _:
            return 0.0
    return max(-MOST, min(MOST, liked))


def leader(state: State, seat: Seat) -> Seat:
    """The rival who is ahead: most points, then most chips, then the first."""
    rivals = [rival for rival in range(len(state.players)) if rival != seat]
    return max(rivals, key=lambda rival: (state.players[rival].vp, chips(state, rival), -rival))


def chips(state: State, seat: Seat) -> float:
    """Favor chips in hand."""
    return sum(state.players[seat].chips)


def kept(state: State, seat: Seat) -> float:
    """What is left for later terms: slander chips, colours led, an office that does something."""
    player = state.players[seat]
    return player.slander + sum(seat in leaders for leaders in state.leaders) + (player.office not in (None, "mayor"))


def safe_wards(state: State, seat: Seat) -> float:
    """Wards led by two bosses or more, less those in an open fight."""
    margins = 0
    for ward in state.wards.values():
        if ward.bosses[seat]:
            apart = ward.bosses[seat] - max(count for rival, count in enumerate(ward.bosses) if rival != seat)
            margins += 1 if apart > 1 else -1 if apart < 1 else 0
    return margins


def strength(state: State, seat: Seat) -> float:
    """Points, and bosses on wards."""
    return state.players[seat].vp + sum(ward.bosses[seat] for ward in state.wards.values())


def _grown(before: State, after: State, seat: Seat, count: Count) -> float:
    """How much more of something a seat has got than the mean of the others."""
    grown = [count(after, other) - count(before, other) for other in range(len(before.players))]
    return grown[seat] - (sum(grown) - grown[seat]) / (len(grown) - 1)
