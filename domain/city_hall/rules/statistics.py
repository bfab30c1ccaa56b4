"""A game in numbers: by round and seat, what everybody had at its end, and how money and Influence came and went."""

from collections.abc import Iterable, Sequence
from typing import Final

from domain.city_hall.rules import events as fact
from domain.city_hall.rules.election import count_votes
from domain.city_hall.rules.events import EVOLVE
from domain.city_hall.rules.pieces import PARK
from domain.city_hall.rules.position import influence_of, money_of, stars_of
from domain.city_hall.rules.state import State
from domain.engine.game import Event, Seat
from domain.engine.statistics import Flow, Row

COLUMNS: Final = {
    "offices": "Offices controlled in the round",
    "population": "Population at its end",
    "approval": "space on the Approval Rating Track",
    "stars": "Star Values of all own Buildings together",
    "lands": "Land spaces owned",
    "buildings": "Buildings on them",
    "parks": "Parks on them",
    "hand": "Permits in hand",
    "money_gained": "dollars received in the round, each act with its balance",
    "money_spent": "dollars paid",
    "money": "dollars held at its end",
    "influence_gained": "Influence received in the round, each act with its balance",
    "influence_spent": "Influence paid",
    "influence": "Influence held at its end",
    "base_votes": "rating times Population in the election; 0 before it",
    "endorsements": "Endorsements won in it",
    "votes": "votes in it",
    "poll": "votes that an election at the end of the round would have brought",
}


def rows(state: State, facts: Iterable[Event]) -> list[Row]:
    """The rows of one game, a round after the other; round 0 is the setup."""
    found: list[Row] = []
    nothing = [0] * len(state.players)
    money, influence, offices, began = Flow(nothing), Flow(nothing), list[Seat](), False
    for event in facts:
        if isinstance(event, fact.RoundBegan):
            found += _closed(state, offices, money, influence)
            offices = []
        if isinstance(event, fact.OfficeControlled):
            offices.append(event.seat)
        EVOLVE[type(event)](state, event)
        money.follow([money_of(state, seat) for seat in range(len(state.players))])
        influence.follow([influence_of(state, seat) for seat in range(len(state.players))])
        began = True
    return found + _closed(state, offices, money, influence) if began else []


def poll(state: State) -> list[int]:
    """By seat, the votes that an election would bring now."""
    return count_votes(state)[2]


def _closed(state: State, offices: Sequence[Seat], money: Flow, influence: Flow) -> list[Row]:
    """The rows of a round that is over."""
    dollars, cards, polled = money.close(), influence.close(), poll(state)
    return [
        {
            "round": state.round,
            "seat": seat,
            "offices": offices.count(seat),
            "population": player.population,
            "approval": player.approval,
            "stars": stars_of(state, seat),
            **_built(state, seat),
            "hand": player.hand_count,
            "money_gained": dollars[0][seat],
            "money_spent": dollars[1][seat],
            "money": dollars[2][seat],
            "influence_gained": cards[0][seat],
            "influence_spent": cards[1][seat],
            "influence": cards[2][seat],
            **_votes(state, seat),
            "poll": polled[seat],
        }
        for seat, player in enumerate(state.players)
    ]


def _built(state: State, seat: Seat) -> dict[str, int]:
    permits = [space.permit for space in state.lands.values() if space.owner == seat]
    parks = permits.count(PARK)
    return {"lands": len(permits), "buildings": len(permits) - parks - permits.count(None), "parks": parks}


def _votes(state: State, seat: Seat) -> dict[str, int]:
    if state.result is None:
        return {"base_votes": 0, "endorsements": 0, "votes": 0}
    return {
        "base_votes": state.result.base_votes[seat],
        "endorsements": list(state.result.endorsements.values()).count(seat),
        "votes": state.result.votes[seat],
    }
