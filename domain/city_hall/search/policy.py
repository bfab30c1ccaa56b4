"""Moves with their worth: the candidates of a search, and the one a playout makes."""

from collections.abc import Sequence
from random import Random
from typing import Final

from domain.city_hall.rules.actions import Accept, Activate, Bid, Build, Draft, Keep, Pass
from domain.city_hall.rules.available import available_lands
from domain.city_hall.rules.pieces import INDEX, PERMITS
from domain.city_hall.rules.position import (
    activator,
    free_offices,
    high_bid,
    high_bidders,
    lands_in_deck,
    lowest_bid,
    must_return,
    office_of,
)
from domain.city_hall.rules.state import State
from domain.city_hall.search.auction import accepted, activation_value, bid_values, kept, price, prizes
from domain.city_hall.search.building import held_worth, placed_worth
from domain.city_hall.search.offices import Scored, resolutions
from domain.city_hall.search.outlook import Outlook, outlook
from domain.city_hall.search.worth import land_worth, money_worth
from domain.city_hall.search.worths import WORTHS
from domain.engine.game import Action, Seat
from domain.engine.guidance import Move

NOISE: Final = 1.0
"""Votes by which a quick move may misjudge."""
BIDS: Final = 7
"""So many bids above the lowest one are thought about."""


def candidates(state: State, seat: Seat, rng: Random, most: int) -> Sequence[Move[Action]]:
    """The most promising moves, best first."""
    found = scored(outlook(state), seat, most)
    found.sort(key=lambda choice: -choice[0])
    return [(action,) for action in _distinct(found)[:most]]


def quick_move(state: State, seat: Seat, rng: Random) -> Move[Action]:
    """A sensible move, a little by chance."""
    found = scored(outlook(state), seat, 1)
    if len(found) == 1:
        return (found[0][1],)
    gauss = rng.gauss
    return (max(found, key=lambda choice: choice[0] + gauss(0, NOISE))[1],)


def scored(seen: Outlook, seat: Seat, most: int) -> Scored:
    """Moves with their worth in votes: enough for so many candidates, in no order."""
    state = seen.state
    match state.phase:
        case "draft":
            return _drafts(seen, seat)
        case "build":
            return _foundations(seen, seat)
        case "activate":
            return _activations(seen, seat, most)
        case "bid":
            return _bids(seen, seat)
        case "decide":
            return _decisions(seen, seat)
        case _:
            return resolutions(seen, seat, office_of(state), most)


def _drafts(seen: Outlook, seat: Seat) -> Scored:
    standing, lands = seen.seats[seat], seen.state.lands
    found: Scored = []
    for land in available_lands(seen.state):
        money = money_worth(seen, standing, standing.money + lands[land].money)
        found.append((WORTHS.draft * land_worth(seen, seat, land) + money, Draft(land)))
    return found


def _foundations(seen: Outlook, seat: Seat) -> Scored:
    standing = seen.seats[seat]
    hand = standing.hand or [0, 0, 0, 0]
    own = [permit for permit in PERMITS[:3] if hand[INDEX[permit]]]
    found: Scored = []
    for permit in own:
        for land in standing.empty:
            worth = placed_worth(seen, seat, permit, land)
            if not must_return(seen.state):
                found.append((worth, Build(permit, land)))
                continue
            for returned in own:
                if returned != permit:
                    found.append((worth - held_worth(seen, returned), Build(permit, land, returned)))
    return found


def _activations(seen: Outlook, seat: Seat, most: int) -> Scored:
    found: Scored = [(activation_value(seen, seat, office), Activate(office)) for office in free_offices(seen.state)]
    searching = seen.seats[seat].influence + seen.state.offices["surveyor"].influence >= 1
    if most > 1 and searching and seen.state.offices["surveyor"].staffer is None:
        found += _searches(seen, seat, found)
    return found


def _searches(seen: Outlook, seat: Seat, found: Scored) -> Scored:
    """The two best spaces to search for at the Surveyor."""
    deck = sorted(lands_in_deck(seen.state), key=lambda land: -land_worth(seen, seat, land))
    base = next(worth for worth, action in found if action == Activate("surveyor"))
    if not deck:
        return []
    mean = sum(land_worth(seen, seat, land) for land in deck) / len(deck)
    cost = price(seen, seat, 1)
    return [
        (base - cost + 0.4 * (land_worth(seen, seat, land) - mean), Activate("surveyor", land)) for land in deck[:2]
    ]


def _bids(seen: Outlook, seat: Seat) -> Scored:
    state = seen.state
    first, held = activator(state), seen.seats[seat].influence
    bidders = high_bidders(state)
    high = (bidders[0], high_bid(state)) if bidders else None
    prize = prizes(seen, office_of(state), sorted({seat, first, *bidders}))
    lowest = lowest_bid(state)
    amounts = range(lowest, min(held, lowest + BIDS) + 1)
    return [
        (worth, Pass() if amount is None else Bid(amount))
        for worth, amount in bid_values(seen, prize, seat, first, high, amounts)
    ]


def _decisions(seen: Outlook, seat: Seat) -> Scored:
    state = seen.state
    bidders, amount = high_bidders(state), high_bid(state)
    prize = prizes(seen, office_of(state), [seat, *bidders])
    found: Scored = [(accepted(seen, prize, seat, bidder, amount), Accept(bidder)) for bidder in bidders]
    if seen.seats[seat].influence >= amount:
        found.append((kept(seen, prize, seat, amount), Keep()))
    return found


def _distinct(found: Scored) -> list[Action]:
    """The actions without repetition: those with lists in them compare by what they say."""
    seen: list[Action] = []
    for _, action in found:
        if action not in seen:
            seen.append(action)
    return seen
