"""A legal action by chance: candidates are made one at a time until `decide` accepts one."""

from collections.abc import Callable
from random import Random
from typing import Final, cast

from domain.engine.game import Action, Seat
from domain.engine.legal import is_legal
from domain.tammany_hall.rules.actions import (
    Bid,
    BonusCube,
    BonusFavor,
    BonusPass,
    End,
    OfficeFavor,
    OfficeLock,
    OfficeMove,
    OfficePolice,
    Place,
    Settle,
    Slander,
)
from domain.tammany_hall.rules.board import COLOURS, NEIGHBOURS, WardNumber
from domain.tammany_hall.rules.candidates import active_wards, assignments, open_to_all
from domain.tammany_hall.rules.decide import decide
from domain.tammany_hall.rules.legal import legal_actions
from domain.tammany_hall.rules.position import available, bidding_ward, usable
from domain.tammany_hall.rules.state import State

TRIES: Final = 60
"""After so many candidates that are none, the legal actions are listed."""


def sample(state: State, seat: Seat, rng: Random) -> Action:
    """A legal action of an awaited seat; of a turn, each kind of order as likely as the next."""
    for _ in range(TRIES):
        action = KINDS[state.phase](state, seat, rng)
        if is_legal(decide, state, seat, action):
            return action
    return rng.choice(legal_actions(state, seat).actions)


def _turn(state: State, seat: Seat, rng: Random) -> Action:
    wards = open_to_all(state)
    match rng.randrange(5):
        case 0:
            return End()
        case 1:
            return Place([rng.choice(wards) for _ in range(min(2, available(state, seat)))] or [wards[0]])
        case 2:
            return Settle(rng.choice(wards), rng.choice(COLOURS), rng.choice(wards))
        case 3:
            return _slander(state, rng)
        case _:
            return _benefit(state, seat, rng)


def _slander(state: State, rng: Random) -> Action:
    ward = rng.choice(active_wards(state))
    then = rng.choice([None, _neighbour(ward, rng)])
    return Slander(rng.randrange(len(state.players)), ward, rng.choice(COLOURS), then)


def _benefit(state: State, seat: Seat, rng: Random) -> Action:
    ward, colour = rng.choice(active_wards(state)), rng.choice(COLOURS)
    match state.players[seat].office:
        case "deputy":
            return OfficeFavor(colour)
        case "council":
            return OfficeLock(ward)
        case "police":
            return OfficePolice(ward, colour)
        case "precinct":
            return OfficeMove(colour, ward, _neighbour(ward, rng))
        case _:
            return End()


def _neighbour(ward: WardNumber, rng: Random) -> WardNumber:
    return cast(WardNumber, rng.choice(sorted(NEIGHBOURS[ward])))


def _bid(state: State, seat: Seat, rng: Random) -> Action:
    held = usable(state, bidding_ward(state), seat)
    chips = {colour: rng.randint(0, count) for colour, count in zip(COLOURS, held, strict=True)}
    return Bid({colour: count for colour, count in chips.items() if count})


def _bonus(state: State, seat: Seat, rng: Random) -> Action:
    colour = rng.choice(COLOURS)
    return rng.choice([BonusCube(colour, rng.choice(active_wards(state))), BonusFavor(colour), BonusPass()])


def _assign(state: State, seat: Seat, rng: Random) -> Action:
    return rng.choice(list(assignments(state, seat)))


KINDS: Final[dict[str, Callable[[State, Seat, Random], Action]]] = {
    "turn": _turn,
    "bid": _bid,
    "bonus": _bonus,
    "assign": _assign,
}
"""By phase that asks a seat, how a candidate is made."""
