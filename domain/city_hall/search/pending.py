"""The Office in process: what its auction and its action may bring each seat, so that a turn can be judged halfway."""

from domain.city_hall.rules.position import activator, high_bid, high_bidders, lowest_bid, office_of
from domain.city_hall.search.auction import accepted, bid_values, kept, price, prizes, proceeds
from domain.city_hall.search.offices import population_gains
from domain.city_hall.search.outlook import Outlook

BIDS = 5
"""So many amounts above the lowest one are thought about."""


def pending(seen: Outlook) -> list[float]:
    """Votes by seat, by what everybody would do next; nothing between two turns."""
    state = seen.state
    votes = [0.0] * len(seen.seats)
    if state.phase not in ("bid", "decide", "resolve"):
        return votes
    prize = prizes(seen, office_of(state), list(range(len(votes))))
    if state.office == "health":
        votes = population_gains(seen, [standing.stars for standing in seen.seats])
    if state.phase == "resolve" and state.controller is not None:
        votes[state.controller] += prize[state.controller]
    else:
        _auctioned(seen, prize, votes)
    return votes


def _auctioned(seen: Outlook, prize: dict[int, float], votes: list[float]) -> None:
    """Add what becomes of the auction: bids still to come, then the answer of the activator."""
    state, first = seen.state, activator(seen.state)
    bidders, amount, lowest = high_bidders(state), high_bid(state), lowest_bid(state)
    for seat in state.waiting:
        high = (bidders[0], amount) if bidders else None
        amounts = range(lowest, min(seen.seats[seat].influence, lowest + BIDS) + 1)
        _, bid = max(bid_values(seen, prize, seat, first, high, amounts), key=lambda choice: choice[0])
        if bid is not None:
            bidders = [*bidders, seat] if bidders and bid == amount else [seat]
            amount = lowest = bid
    _answered(seen, prize, votes, bidders, amount)


def _answered(seen: Outlook, prize: dict[int, float], votes: list[float], bidders: list[int], amount: int) -> None:
    first = activator(seen.state)
    if not bidders:
        votes[first] += prize[first]
        return
    bidder = max(bidders, key=lambda seat: accepted(seen, prize, first, seat, amount))
    payable = seen.seats[first].influence >= amount
    if payable and kept(seen, prize, first, amount) >= accepted(seen, prize, first, bidder, amount):
        votes[first] += kept(seen, prize, first, amount)
        return
    votes[first] += proceeds(seen, first, amount)
    votes[bidder] += prize[bidder] - price(seen, bidder, amount)
