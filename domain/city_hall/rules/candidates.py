"""Candidates: all actions worth asking `decide` about, in board order."""

import itertools
from collections.abc import Iterator
from typing import Final

from domain.city_hall.rules.actions import (
    Accept,
    Activate,
    Bid,
    Build,
    Buy,
    Campaign,
    Draft,
    Health,
    Keep,
    Lobby,
    Pass,
    Placement,
    Tax,
    Zone,
)
from domain.city_hall.rules.available import available_lands
from domain.city_hall.rules.lobbyist import BUY
from domain.city_hall.rules.pieces import INDEX, PARK, PERMITS, Permit
from domain.city_hall.rules.position import (
    empty_lands,
    free_offices,
    hand_of,
    high_bidders,
    influence_of,
    lands_in_deck,
    lowest_bid,
    money_of,
    must_return,
    rating,
)
from domain.city_hall.rules.state import State
from domain.engine.game import Action, Seat

MOST_STEPS: Final = 12
"""At the Lobbyist, one clause with at most so many cards."""


def considered(state: State, seat: Seat) -> Iterator[Action]:
    """All actions worth asking `decide` about in this phase."""
    match state.phase:
        case "draft":
            yield from map(Draft, available_lands(state))
        case "build":
            yield from foundations(state, seat)
        case "activate":
            yield from activations(state)
        case "bid":
            yield from bids(state, seat)
            yield Pass()
        case "decide":
            yield Keep()
            yield from map(Accept, high_bidders(state))
        case "resolve":
            yield from resolutions(state, seat)


def resolutions(state: State, seat: Seat) -> Iterator[Action]:
    """What the Office in process offers its controller (CH-8)."""
    match state.office:
        case "tax":
            yield from (Tax("plain"), Tax("double"), Tax("triple"))
        case "campaign":
            yield from (Campaign(0), Campaign(10), Campaign(30), Campaign("none"))
        case "surveyor":
            yield from map(Buy, available_lands(state))
            yield Buy(None)
        case "lobbyist":
            yield from dealings(state, seat)
        case "zoning":
            yield from zonings(state, seat)
        case "health":
            yield from (Health("plus3"), Health("double"), Health("none"))


def held(counts: list[int]) -> list[Permit]:
    """The kinds there are some of."""
    return [permit for permit in PERMITS if counts[INDEX[permit]]]


def foundations(state: State, seat: Seat) -> Iterator[Action]:
    """Every Building of the hand on every empty space, with every other Permit to return (CH-5.1)."""
    hand = held(hand_of(state, seat))
    for permit, land in itertools.product(hand, empty_lands(state, seat)):
        if permit != PARK:
            yield from (
                Build(permit, land, returned)
                for returned in (hand if must_return(state) else [None])
                if returned != permit
            )


def activations(state: State) -> Iterator[Action]:
    """Every free Office, the Surveyor with every search, too (CH-7.2, CH-8.9)."""
    for office in free_offices(state):
        yield Activate(office)
        if office == "surveyor":
            yield from (Activate(office, land) for land in lands_in_deck(state))


def bids(state: State, seat: Seat) -> Iterator[Action]:
    """Every bid the seat can make (CH-7.6)."""
    yield from map(Bid, range(lowest_bid(state), influence_of(state, seat) + 1))


def dealings(state: State, seat: Seat) -> Iterator[Action]:
    """Nothing but the Influence for the rating, then purchases, then sales, one clause each (CH-8.7)."""
    yield Lobby()
    yield from (Lobby([{"buy": count}]) for count in range(1, min(MOST_STEPS, money_of(state, seat) // BUY) + 1))
    cards = influence_of(state, seat) + rating(state, seat)
    yield from (Lobby([{"sell": count}]) for count in range(1, min(MOST_STEPS, cards) + 1))


def zonings(state: State, seat: Seat) -> Iterator[Action]:
    """Choices A, B and C (CH-8.17), each with the rest in the order revealed."""
    hand, lands = hand_of(state, seat), empty_lands(state, seat)
    pairs = itertools.combinations(state.revealed, min(2, len(state.revealed)))
    for taken in dict.fromkeys(tuple(sorted(pair, key=INDEX.__getitem__)) for pair in pairs):
        yield Zone(list(taken))
    for permit in held([state.revealed.count(permit) for permit in PERMITS]):
        for built in dict.fromkeys([permit, *held(hand)]):
            yield from (Zone([permit], [Placement(built, land)]) for land in lands)
    yield from (Zone([], [Placement(permit, land)]) for permit in held(hand) for land in lands)
    for first, second in itertools.product(held(hand), repeat=2):
        for land, other in itertools.permutations(lands, 2):
            yield Zone([], [Placement(first, land), Placement(second, other)])
