"""What a seat cannot know of Tammany Hall: sealed bids handed in, and no more (TH-14.2)."""

from random import Random

from domain.engine.game import Seat
from domain.tammany_hall.rules.copying import copy
from domain.tammany_hall.rules.position import bidding_ward
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.bids import bid_chances, sampled_bid
from domain.tammany_hall.search.stakes import ward_worths


def sample_hidden(state: State, seat: Seat, rng: Random) -> State:
    """A copy with a sensible legal bid for every one that is not for this seat's eyes; chips stay with their owners."""
    whole = copy(state)
    unknown = [bidder for bidder, chips in whole.bids.items() if chips is None]
    if unknown:
        number = bidding_ward(whole)
        chances = bid_chances(whole, number, ward_worths(whole, number))
        for bidder in unknown:
            whole.bids[bidder] = sampled_bid(whole, bidder, rng, chances)
    return whole
