"""What is played for a seat that is away: the small harmless actions of CH-15.7."""

from domain.city_hall.rules.actions import (
    Accept,
    Activate,
    Build,
    Buy,
    Campaign,
    Draft,
    Health,
    Keep,
    Lobby,
    Pass,
    Tax,
    Zone,
)
from domain.city_hall.rules.available import available_lands
from domain.city_hall.rules.candidates import held
from domain.city_hall.rules.pieces import PARK
from domain.city_hall.rules.position import (
    empty_lands,
    free_offices,
    hand_of,
    high_bid,
    high_bidders,
    influence_of,
    must_return,
)
from domain.city_hall.rules.state import State
from domain.engine.game import Action, Seat


def caretaker(state: State, seat: Seat) -> Action:
    """An action for an awaited seat, from a blind state of its own. "By name" is the alphabet: B1, M1, Q1.

    Raises ValueError for a seat of which nothing is asked.
    """
    match state.phase:
        case "draft":
            return Draft(max(sorted(available_lands(state)), key=lambda land: state.lands[land].money))
        case "build":
            first, *others = [permit for permit in held(hand_of(state, seat)) if permit != PARK]
            return Build(first, min(empty_lands(state, seat)), others[-1] if must_return(state) else None)
        case "activate":
            return Activate(free_offices(state)[0])
        case "bid":
            return Pass()
        case "decide":
            payable = influence_of(state, seat) >= high_bid(state)
            return Keep() if payable else Accept(high_bidders(state)[0])
        case "resolve":
            return _resolution(state)
        case _:
            raise ValueError("nothing is asked of this seat")


def _resolution(state: State) -> Action:
    match state.office:
        case "tax":
            return Tax()
        case "campaign":
            return Campaign(0)
        case "surveyor":
            return Buy(None)
        case "lobbyist":
            return Lobby()
        case "zoning":
            return Zone(state.revealed[:2])
        case "health":
            return Health("plus3")
        case _:
            raise ValueError("this Office asks for nothing")
