"""What each bid for a ward was worth, once it was opened (TH-9.4 to TH-9.11)."""

from collections.abc import Iterator, Mapping

from domain.engine.sentences import say
from domain.engine.statistics import BidValue, Facts
from domain.tammany_hall.rules import events as fact
from domain.tammany_hall.rules.events import EVOLVE
from domain.tammany_hall.rules.position import term
from domain.tammany_hall.rules.state import State


def bid_values(state: State, facts: Facts) -> list[BidValue]:
    """A row for every candidate of every ward election, uncontested wards too; `state` is the first, and used up."""
    found: list[BidValue] = []
    usable: dict[str, int] = {}
    for version, event in facts:
        match event:
            case fact.BiddingOpened():
                usable = {str(candidate.seat): sum(candidate.usable.values()) for candidate in event.candidates}
            case fact.BidsRevealed():
                chips = {seat: sum(bid.values()) for seat, bid in event.bids.items()}
                found += _values(version, term(state), event, chips, usable)
            case fact.WardResolved():  # nobody could bid (TH-9.4, TH-9.7)
                found += _values(version, term(state), event, {}, {})
        EVOLVE[type(event)](state, event)
    return found


def _values(
    version: int,
    period: int,
    event: fact.BidsRevealed | fact.WardResolved,
    chips: Mapping[str, int],
    usable: Mapping[str, int],
) -> Iterator[BidValue]:
    """What each candidate paid, and what one vote more than all the others would have cost (TH-9.10)."""
    for seat, votes in event.votes.items():
        bid = chips.get(seat, 0)
        rivals = [other for candidate, other in event.votes.items() if candidate != seat]
        yield BidValue(
            version=version,
            period=period,
            prize=say("Ward {ward}", ward=event.ward),
            seat=int(seat),
            contested=bool(rivals),
            won=event.winner == int(seat),
            bid=bid,
            most=usable.get(seat, 0),
            paid=bid,  # the chips of losers are gone as well (TH-9.11)
            needed=max(0, max(rivals, default=0) + 1 - (votes - bid)),
        )
