"""What each bid for an Office was worth, once the activator had decided (CH-7.5 to CH-7.9)."""

from collections.abc import Iterator

from domain.city_hall.rules import events as fact
from domain.city_hall.rules.events import EVOLVE
from domain.city_hall.rules.position import influence_of, offers
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import TITLES
from domain.engine.game import Seat
from domain.engine.statistics import BidValue, Facts


def bid_values(state: State, facts: Facts) -> list[BidValue]:
    """A row for every bid, and for each activator who kept an Office; `state` is the first, and used up."""
    found: list[BidValue] = []
    for version, event in facts:
        match event:
            case fact.BidAccepted():
                found += _accepted(version, state, event)
            case fact.OfficeKept():
                found += _kept(version, state, event)
            case fact.OfficeControlled() if not offers(state.bids):  # all passed (CH-7.8)
                found.append(_value(version, state, event.seat, bid=0, paid=0, needed=0, won=True, contested=False))
        EVOLVE[type(event)](state, event)
    return found


def _accepted(version: int, state: State, event: fact.BidAccepted) -> Iterator[BidValue]:
    """A match of the others would have been enough to be taken; the others did not match, or were not taken."""
    bids = dict(offers(state.bids))
    for seat, bid in bids.items():
        won = seat == event.bidder
        needed = max((other for rival, other in bids.items() if rival != seat), default=0) if won else event.influence
        yield _value(version, state, seat, bid=bid, paid=bid if won else 0, needed=needed, won=won)


def _kept(version: int, state: State, event: fact.OfficeKept) -> Iterator[BidValue]:
    """The activator paid the high bid; one that the activator could not have paid would have taken the Office."""
    yield _value(
        version, state, event.seat, bid=event.influence, paid=event.influence, needed=event.influence, won=True
    )
    beyond = influence_of(state, event.seat) + 1
    for seat, bid in offers(state.bids):
        yield _value(version, state, seat, bid=bid, paid=0, needed=beyond, won=False)


def _value(
    version: int, state: State, seat: Seat, *, bid: int, paid: int, needed: int, won: bool, contested: bool = True
) -> BidValue:
    return BidValue(
        version=version,
        period=state.round,
        prize=TITLES[state.office or ""],
        seat=seat,
        contested=contested,
        won=won,
        bid=bid,
        most=influence_of(state, seat),
        paid=paid,
        needed=needed,
    )
