"""Proxies, the standing orders of City Hall: bidding, keeping or accepting as soon as that is asked."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, field

from domain.city_hall.rules.actions import Accept, Amount, Bid, Keep, Pass, SeatNumber
from domain.city_hall.rules.pieces import Office
from domain.city_hall.rules.position import awaiting, high_bid, high_bidders, influence_of, lowest_bid, office_of
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import THE_OFFICES, amount_of_influence
from domain.engine.game import Seat
from domain.engine.refusals import Unfit
from domain.engine.sentences import say

OTHERS: Final = "others"
"""Stands for every Office without a line of its own."""
SEVERAL: Final = say("Orders are for one round or for every round; keep only one of these lines.")
Named = Literal[Office, "others"]


class Proxy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is ordered about one Office, or about all others."""

    office: Named


class BidExactly(Proxy, frozen=True, tag="bid"):
    """Bid so much Influence; pass where the high bid is above it (CH-7.6)."""

    influence: Amount


class BidUpTo(Proxy, frozen=True, tag="bid-up-to"):
    """Raise the high bid by 1, or match it, with at most so much Influence and what is held; else pass (CH-7.6)."""

    influence: Amount


class PassOn(Proxy, frozen=True, tag="pass"):
    """Do not bid (CH-7.6)."""


class KeepUpTo(Proxy, frozen=True):
    """Keep the Office where the high bid is at most so much and can be paid; else accept a high bid (CH-7.9)."""

    influence: Amount


Bidding: TypeAlias = BidExactly | BidUpTo | PassOn


class Proxies(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one seat bids for a rival's Office, keeps an own one for, and whom it accepts of several high bidders, the
    first one first. `round` is the only one they are for, filled in when they are filed if it is left out."""

    bids: Annotated[list[Bidding], Meta(max_length=8)] = field(default_factory=list)
    keep: Annotated[list[KeepUpTo], Meta(max_length=8)] = field(default_factory=list)
    accept: Annotated[list[SeatNumber], Meta(max_length=3)] = field(default_factory=list)
    every_round: bool = False
    round: Annotated[int, Meta(ge=0, le=9999)] = 0


P = TypeVar("P", bound=Proxy)
Followed: TypeAlias = Bid | Pass | Keep | Accept


def follow(state: State, seat: Seat, orders: Proxies) -> Followed | None:
    """What the proxies of an awaited seat do now, from a blind state of its own; None where they do not say.

    Raises Unfit for an exact bid the seat cannot pay.
    """
    if seat not in awaiting(state) or not is_for(orders, state.round):
        return None
    match state.phase:
        case "bid":
            return _bid(state, seat, orders)
        case "decide":
            return _decide(state, seat, orders)
        case _:
            return None


def is_for(orders: Proxies, number: int) -> bool:
    """Whether the proxies are for the round of this number."""
    return orders.every_round or orders.round == number


def about(office: Office, lines: Sequence[P]) -> P | None:
    """The line that names an Office, else the one for all others."""
    by_office = {line.office: line for line in lines}
    return by_office.get(office) or by_office.get(OTHERS)


def _bid(state: State, seat: Seat, orders: Proxies) -> Bid | Pass | None:
    least, held = lowest_bid(state), influence_of(state, seat)
    match about(office_of(state), orders.bids):
        case None:
            return None
        case BidExactly(influence=influence) if influence >= least:
            if influence > held:
                message = say(
                    "Your orders bid {influence} for {office}, and you have {held}.",
                    influence=amount_of_influence(influence),
                    office=THE_OFFICES[office_of(state)],
                    held=held,
                )
                raise Unfit("not-enough-influence", "CH-7.6", message)
            return Bid(influence)
        case BidUpTo(influence=most):
            # From 1, also where nobody has bid: an activator keeps for nothing what somebody bids 0 for (CH-7.9).
            influence = min(high_bid(state) + 1, most, held)
            return Bid(influence) if influence >= least else Pass()
        case _:
            return Pass()


def _decide(state: State, seat: Seat, orders: Proxies) -> Keep | Accept | None:
    limit, price = about(office_of(state), orders.keep), high_bid(state)
    if limit is None:
        return None
    if price <= min(limit.influence, influence_of(state, seat)):
        return Keep()
    bidders = high_bidders(state)
    preferred = [bidder for bidder in orders.accept if bidder in bidders] if len(bidders) > 1 else bidders
    return Accept(preferred[0]) if preferred else None
