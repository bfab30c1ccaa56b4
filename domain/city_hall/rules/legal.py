"""Legal actions: the candidates that `decide` accepts, or a sample of them where they are many."""

from typing import Final

from domain.city_hall.rules.actions import (
    Lobby,
    Zone,
)
from domain.city_hall.rules.candidates import considered
from domain.city_hall.rules.decide import decide
from domain.city_hall.rules.position import (
    awaiting,
)
from domain.city_hall.rules.state import State
from domain.engine.game import Action, Seat
from domain.engine.legal import Legal, legal_among

MOST: Final = 400
"""Above so many actions of one kind a sample is listed."""


def legal_actions(state: State, seat: Seat) -> Legal[Action]:
    """What the seat may do now, found from a blind state of its own.

    A sample for the Lobbyist, for very rich bidders, and for the Zoning Board where the order below the deck can be
    spelled out.
    """
    if seat not in awaiting(state):
        return Legal([])
    found = list(legal_among(decide, state, seat, considered(state, seat)))
    actions = _sample(found)
    complete = len(actions) == len(found) and not isinstance(found[0], Lobby)
    rests = any(isinstance(action, Zone) and len(action.take) < len(state.revealed) for action in found)
    return Legal(actions, complete and not rests)


def _sample(actions: list[Action]) -> list[Action]:
    """All of them, or an even sample with both ends where there are too many."""
    if len(actions) <= MOST:
        return actions
    return [actions[number * (len(actions) - 1) // (MOST - 1)] for number in range(MOST)]
