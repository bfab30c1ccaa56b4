"""What each bid for a ward was worth, once it was opened (TH-9.4 to TH-9.11)."""

from collections.abc import Iterator, Mapping
from typing import Final

from domain.engine.game import Seat
from domain.engine.sentences import say
from domain.engine.statistics import BidValue, Facts
from domain.tammany_hall.rules import events as fact
from domain.tammany_hall.rules.events import EVOLVE
from domain.tammany_hall.rules.position import term
from domain.tammany_hall.rules.state import State

Election = fact.BidsRevealed | fact.WardResolved
NOTHING: Final[Mapping[str, int]] = {}


def bid_values(state: State, facts: Facts) -> list[BidValue]:
    """A row for every candidate of every ward election, uncontested wards too; `state` is the first, and used up."""
    found: list[BidValue] = []
    usable: dict[str, int] = {}
    for version, event in facts:
        match event:
            case fact.BiddingOpened():
                usable = {str(candidate.seat): sum(candidate.usable.values()) for candidate in event.candidates}
            case fact.BidsRevealed() | fact.WardResolved():
                found += election_values(version, term(state), event, usable)
                usable = {}
        EVOLVE[type(event)](state, event)
    return found


def election_values(
    version: int, period: int, event: Election, usable: Mapping[str, int] = NOTHING
) -> Iterator[BidValue]:
    """Yield what each candidate paid, and what one vote more than all the others would have cost (TH-9.10).

    Nobody bids in a ward that is resolved at once (TH-9.4, TH-9.7).
    """
    bids = event.bids if isinstance(event, fact.BidsRevealed) else {}
    for seat in event.votes:
        bid = sum(bids.get(seat, {}).values())
        yield BidValue(
            version=version,
            period=period,
            prize=say("Ward {ward}", ward=event.ward),
            seat=int(seat),
            contested=len(event.votes) > 1,
            won=event.winner == int(seat),
            bid=bid,
            most=usable.get(seat, 0),
            paid=bid,  # the chips of losers are gone as well (TH-9.11)
            needed=max(0, 1 - lead(event, int(seat)) + bid),
        )


def lead(event: Election, seat: Seat) -> int:
    """Return how many votes a candidate has more than the best of the others; below 0 for fewer."""
    rivals = [votes for candidate, votes in event.votes.items() if int(candidate) != seat]
    return event.votes[str(seat)] - max(rivals, default=0)
