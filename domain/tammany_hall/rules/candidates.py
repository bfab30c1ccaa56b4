"""Candidates: all actions worth asking `decide` about, in board order."""

import itertools
import math
from collections.abc import Iterator
from typing import Final, cast

from domain.engine.game import Action, Seat
from domain.tammany_hall.rules.actions import (
    Assign,
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
from domain.tammany_hall.rules.board import COLOURS, ELECTION_ORDER, NEIGHBOURS, TITLES, WardNumber
from domain.tammany_hall.rules.position import available, bidding_ward, is_active, is_open, usable
from domain.tammany_hall.rules.state import State

WARDS: Final = cast(tuple[WardNumber, ...], ELECTION_ORDER)
MOST_BIDS: Final = 400
"""Above so many different bids a sample is listed."""


def considered(state: State, seat: Seat) -> Iterator[Action]:
    """All actions worth asking `decide` about in this phase."""
    match state.phase:
        case "turn" if seat == state.seat:
            yield from benefits(state, seat)
            yield from campaigns(state, seat)
            yield from settlements(state)
            yield from slanders(state, seat)
            yield End()
        case "bid":
            yield from bids(state, seat)
        case "bonus":
            yield from bonuses(state)
        case "assign":
            yield from assignments(state, seat)


def active_wards(state: State) -> list[WardNumber]:
    """The active wards, in election order."""
    return [number for number in WARDS if is_active(state.wards[number])]


def open_to_all(state: State) -> list[WardNumber]:
    """The open wards, in election order."""
    return [number for number in WARDS if is_open(state.wards[number])]


def campaigns(state: State, seat: Seat) -> Iterator[Action]:
    """Unordered pairs of wards, or single wards where one boss is left (TH-6.7)."""
    if not state.placed:
        bosses = min(2, available(state, seat))
        for wards in itertools.combinations_with_replacement(open_to_all(state), bosses):
            yield Place(list(wards))


def settlements(state: State) -> Iterator[Action]:
    """Every immigrant of the Castle Garden into every ward, with a boss in every ward (TH-6.3)."""
    if not state.placed:
        wards = open_to_all(state)
        colours = [colour for colour, count in zip(COLOURS, state.garden, strict=True) if count]
        for boss, colour, ward in itertools.product(wards, colours, wards):
            yield Settle(boss, colour, ward)


def slanders(state: State, seat: Seat) -> Iterator[Action]:
    """Slanders of one step and of two (TH-8), by target, ward and colour held."""
    targets = [target for target in range(len(state.players)) if target != seat]
    held = [colour for colour, count in zip(COLOURS, state.players[seat].chips, strict=True) if count]
    for target, ward, colour in itertools.product(targets, active_wards(state), held):
        if state.wards[ward].bosses[target]:
            yield Slander(target, ward, colour)
            for then in WARDS:
                if then in NEIGHBOURS[ward]:
                    yield Slander(target, ward, colour, then)


def benefits(state: State, seat: Seat) -> Iterator[Action]:
    """What the seat's office offers (TH-7)."""
    wards = active_wards(state)
    match state.players[seat].office:
        case "deputy":
            yield from map(OfficeFavor, COLOURS)
        case "council":
            yield from map(OfficeLock, wards)
        case "police":
            for ward, colour in itertools.product(wards, COLOURS):
                yield OfficePolice(ward, colour)
        case "precinct":
            for origin, colour, to in itertools.product(wards, COLOURS, wards):
                if to in NEIGHBOURS[origin]:
                    yield OfficeMove(colour, origin, to)


def bid_count(state: State, seat: Seat) -> int:
    """How many different bids the seat could make (TH-9.8)."""
    return math.prod(count + 1 for count in usable(state, bidding_ward(state), seat))


def bids(state: State, seat: Seat) -> Iterator[Action]:
    """All bids, from none to all, or an even sample that has both ends."""
    held = usable(state, bidding_ward(state), seat)
    total = bid_count(state, seat)
    listed = min(total, MOST_BIDS)
    for number in range(listed):
        rest = number * (total - 1) // max(1, listed - 1)
        chips = {}
        for colour, count in reversed(list(zip(COLOURS, held, strict=True))):
            rest, chips[colour] = divmod(rest, count + 1)
        yield Bid({colour: chips[colour] for colour in COLOURS if chips[colour]})


def bonuses(state: State) -> Iterator[Action]:
    """Every bonus there is (TH-9.14, TH-9.15); `decide` knows the right one."""
    for colour, ward in itertools.product(COLOURS, active_wards(state)):
        yield BonusCube(colour, ward)
    yield from map(BonusFavor, COLOURS)
    yield BonusPass()


def assignments(state: State, seat: Seat) -> Iterator[Action]:
    """Every way to give each other player an office (TH-12.1)."""
    others = [other for other in range(len(state.players)) if other != seat]
    for titles in itertools.permutations(TITLES, len(others)):
        yield Assign(dict(sorted(zip(titles, others, strict=True), key=lambda given: TITLES.index(given[0]))))
