"""A turn up to its action: a Staffer on an Office, the bids, and who controls it (CH-7)."""

from collections.abc import Sequence
from typing import Final

from domain.city_hall.rules.actions import Accept, Activate, Bid, Keep, Pass
from domain.city_hall.rules.events import (
    BidAccepted,
    BidMade,
    BidPassed,
    LandSearched,
    OfficeActivated,
    OfficeControlled,
    OfficeKept,
    evolves,
)
from domain.city_hall.rules.pieces import PAWNS, Land
from domain.city_hall.rules.position import (
    clockwise,
    free_offices,
    gain_influence,
    high_bid,
    high_bidders,
    influence_of,
    lands_in_deck,
    lowest_bid,
    office_of,
    permits_in_deck,
)
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import WORDS, amount_of_influence, form
from domain.engine.game import Event, Seat
from domain.engine.refusals import require
from domain.engine.sentences import Sentence, one_of

SEARCH: Final = 1
"""Influence a search costs (CH-8.9)."""
REVEALED: Final = 3
"""Permits the Zoning Board reveals, if the deck has them (CH-8.16)."""


def decide_activate(state: State, seat: Seat, action: Activate) -> list[Event]:
    """Decide an activation: the Staffer, the Influence on the Office, what is revealed (CH-7.2 to CH-7.4).

    Raises RuleViolation.
    """
    chair, deck = state.offices[action.office], lands_in_deck(state)
    require(
        chair.staffer is None,
        "office-taken",
        "CH-7.2",
        "That Office was used this round; free are {offices}.",
        offices=lambda: one_of([WORDS[office] for office in free_offices(state)]),
    )
    if action.search is not None:
        require(
            action.office == "surveyor",
            "search-forbidden",
            "CH-8.9",
            "Only the Surveyor searches: {form}.",
            form=form("activate surveyor search LAND"),
        )
        _require_in_deck(state, action.search, deck)
        require(
            influence_of(state, seat) + chair.influence >= SEARCH,
            "not-enough-influence",
            "CH-8.9",
            "A search costs 1 Influence, and you have none: {form} draws the top card for nothing.",
            form=form("activate surveyor"),
        )
    activated = OfficeActivated(
        seat=seat,
        office=action.office,
        influence=chair.influence,
        waiting=clockwise(state, seat),
        lands=int(action.office == "surveyor" and action.search is None and bool(deck)),
        permits=min(REVEALED, permits_in_deck(state)) if action.office == "zoning" else 0,
    )
    return [activated] if action.search is None else [activated, LandSearched(seat, action.search, SEARCH)]


def _require_in_deck(state: State, land: Land, deck: Sequence[Land]) -> None:
    """Refuse a search for a card that is not in the Land deck."""
    in_deck = state.lands[land].state == "deck"
    require(in_deck or deck, "land-not-in-deck", "CH-8.9", "{land} is not in the Land deck; it is empty.", land=land)
    require(
        in_deck,
        "land-not-in-deck",
        "CH-8.9",
        "{land} is not in the Land deck; it holds {lands}.",
        land=land,
        lands=" ".join(deck),
    )


def decide_bid(state: State, seat: Seat, action: Bid) -> list[Event]:
    """Decide a bid: at least the high bid, at most what the bidder holds (CH-7.6). Raises RuleViolation."""
    least, held = lowest_bid(state), influence_of(state, seat)
    enough = action.influence >= least
    require(enough, "bid-too-low", "CH-7.6", "A bid must be at least {least} now; otherwise pass.", least=least)
    payable = action.influence <= held
    require(
        payable,
        "not-enough-influence",
        "CH-7.6",
        "You can bid at most {held}; otherwise pass.",
        held=amount_of_influence(held),
    )
    return [BidMade(seat, action.influence)]


def decide_pass(state: State, seat: Seat, action: Pass) -> list[Event]:
    """Decide a pass: always possible."""
    return [BidPassed(seat)]


def decide_keep(state: State, seat: Seat, action: Keep) -> list[Event]:
    """Decide to keep the Office for the high bid (CH-7.9). Raises RuleViolation."""
    price, held = high_bid(state), influence_of(state, seat)
    require(
        held >= price,
        "not-enough-influence",
        "CH-7.9",
        "To keep the Office costs {price} and you have {held}; accept the bid of {bidders}.",
        price=amount_of_influence(price),
        held=held,
        bidders=lambda: _named(high_bidders(state)),
    )
    return [OfficeKept(seat, price), control(state, seat)]


def decide_accept(state: State, seat: Seat, action: Accept) -> list[Event]:
    """Decide to take a high bid (CH-7.9). Raises RuleViolation."""
    bidders = high_bidders(state)
    require(
        action.seat in bidders,
        "not-a-high-bidder",
        "CH-7.9",
        "The high bid is {high}, made by {bidders}.",
        high=high_bid(state),
        bidders=lambda: _named(bidders),
    )
    return [BidAccepted(seat, action.seat, high_bid(state)), control(state, action.seat)]


def _named(seats: Sequence[Seat]) -> Sentence:
    return one_of([WORDS[PAWNS[seat]] for seat in seats])


def control(state: State, seat: Seat) -> OfficeControlled:
    """A seat controls the Office in process; the Deputy Mayor asks for nothing now (CH-8.26)."""
    office = office_of(state)
    return OfficeControlled(seat, office, acts=office != "deputy")


@evolves(OfficeActivated)
def office_activated(state: State, event: OfficeActivated) -> None:
    """The Staffer stands there, and the opponents are asked, once all is revealed."""
    chair = state.offices[event.office]
    chair.staffer = event.seat
    chair.influence -= event.influence
    gain_influence(state.players[event.seat], event.influence)
    state.office = event.office
    state.bids = []
    state.waiting = list(event.waiting)
    state.lands_due = event.lands
    state.permits_due = event.permits
    state.phase = "bid"


@evolves(LandSearched)
def land_searched(state: State, event: LandSearched) -> None:
    """The space is available, with nothing on it."""
    state.lands[event.land].state = "available"
    gain_influence(state.players[event.seat], -event.influence)


@evolves(BidMade)
def bid_made(state: State, event: BidMade) -> None:
    """The next opponent is asked, or the activator."""
    _answered(state, event.seat, event.influence)


@evolves(BidPassed)
def bid_passed(state: State, event: BidPassed) -> None:
    """The next opponent is asked, or the activator."""
    _answered(state, event.seat, None)


def _answered(state: State, seat: Seat, amount: int | None) -> None:
    state.bids.append((seat, amount))
    state.waiting.remove(seat)
    if not state.waiting:
        state.phase = "decide"


@evolves(OfficeKept)
def office_kept(state: State, event: OfficeKept) -> None:
    """The Influence is in the bank."""
    gain_influence(state.players[event.seat], -event.influence)


@evolves(BidAccepted)
def bid_accepted(state: State, event: BidAccepted) -> None:
    """The Influence has changed hands."""
    gain_influence(state.players[event.bidder], -event.influence)
    gain_influence(state.players[event.seat], event.influence)


@evolves(OfficeControlled)
def office_controlled(state: State, event: OfficeControlled) -> None:
    """All other bids are back; the controller is asked for the action, if there is one."""
    state.bids = []
    state.controller = event.seat
    if event.acts:
        state.phase = "resolve"
    else:
        state.deputy = event.seat
        state.phase = "ended"
