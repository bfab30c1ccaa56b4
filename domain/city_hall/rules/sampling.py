"""A legal action by chance. Where the candidates are many, one is made at a time until `decide` accepts it."""

from random import Random
from typing import Final

from domain.city_hall.rules.actions import Activate, Lobby, Placement, Zone
from domain.city_hall.rules.candidates import considered, held
from domain.city_hall.rules.decide import decide
from domain.city_hall.rules.pieces import PERMITS
from domain.city_hall.rules.position import empty_lands, free_offices, hand_of, lands_in_deck
from domain.city_hall.rules.state import State
from domain.engine.game import Action, Seat
from domain.engine.legal import is_legal

TRIES: Final = 60
"""After so many candidates that are none, all of them are gone through."""
MOST_CARDS: Final = 4


def sample(state: State, seat: Seat, rng: Random) -> Action:
    """A legal action of an awaited seat: the Offices as likely as one another, and A, B and C of the Zoning Board."""
    for _ in range(TRIES):
        action = _candidate(state, seat, rng)
        if is_legal(decide, state, seat, action):
            return action
    return next(action for action in considered(state, seat) if is_legal(decide, state, seat, action))


def _candidate(state: State, seat: Seat, rng: Random) -> Action:
    if state.phase == "activate":
        return _activation(state, rng)
    if state.phase == "resolve" and state.office == "zoning":
        return _zoning(state, seat, rng)
    if state.phase == "resolve" and state.office == "lobbyist":
        clause = rng.choice(["buy", "sell"])
        return Lobby([{clause: rng.randint(1, MOST_CARDS)}] if rng.random() < 0.5 else [])  # type: ignore[dict-item]
    return rng.choice(list(considered(state, seat)))


def _activation(state: State, rng: Random) -> Action:
    office, deck = rng.choice(free_offices(state)), lands_in_deck(state)
    searches = office == "surveyor" and deck and rng.random() < 0.5
    return Activate(office, rng.choice(deck) if searches else None)


def _zoning(state: State, seat: Seat, rng: Random) -> Action:
    hand, lands, shown = held(hand_of(state, seat)), empty_lands(state, seat), list(state.revealed)
    rng.shuffle(shown)
    match rng.randrange(3):
        case 1 if shown and lands:
            built = rng.choice([shown[0], *hand])
            return Zone([shown[0]], [Placement(built, rng.choice(lands))])
        case 2 if hand and len(lands) > 1:
            places = rng.sample(lands, 2)
            return Zone([], [Placement(rng.choice(hand), land) for land in places])
        case _:
            return Zone(sorted(shown[:2], key=PERMITS.index))
