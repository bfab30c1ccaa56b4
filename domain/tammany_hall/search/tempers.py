"""What seats of different tempers like besides winning."""

from domain.engine.game import Seat
from domain.tammany_hall.rules.state import State


def leans(before: State, after: State, seat: Seat, temper: str) -> float:
    """By how much a seat of a temper likes what became of a position, -0.2 to 0.2."""
    match temper:
        case "cautious":
            liked = 0.01 * _chips(before, after, seat) + 0.02 * (_margins(after, seat) - _margins(before, seat))
        case "patient":
            led = sum(seat in leaders for leaders in after.leaders) - sum(seat in it for it in before.leaders)
            liked = 0.015 * _chips(before, after, seat) + 0.03 * led
        case "vindictive":
            foe = leader(before, seat)
            liked = 0.02 * (_strength(before, foe) - _strength(after, foe))
        case _:
            return 0.0
    return max(-0.2, min(0.2, liked))


def leader(state: State, seat: Seat) -> Seat:
    """The rival who is ahead: most points, then most chips."""
    rivals = [rival for rival in range(len(state.players)) if rival != seat]
    return max(rivals, key=lambda rival: (state.players[rival].vp, sum(state.players[rival].chips), -rival))


def _chips(before: State, after: State, seat: Seat) -> int:
    return sum(after.players[seat].chips) - sum(before.players[seat].chips)


def _margins(state: State, seat: Seat) -> int:
    """Wards safely led less wards in an open fight."""
    margins = 0
    for ward in state.wards.values():
        if ward.bosses[seat]:
            apart = ward.bosses[seat] - max(count for rival, count in enumerate(ward.bosses) if rival != seat)
            margins += 1 if apart > 1 else -1 if apart < 1 else 0
    return margins


def _strength(state: State, seat: Seat) -> int:
    """Bosses on wards and points."""
    return state.players[seat].vp + sum(ward.bosses[seat] for ward in state.wards.values())
