"""Ward elections: candidates, sealed bids, votes, and the pawns that leave (TH-9.1 to TH-9.12)."""

from collections.abc import Mapping
from functools import partial

from domain.engine.game import Event, Seat
from domain.engine.refusals import require
from domain.engine.sentences import Sentence
from domain.tammany_hall.rules.actions import Bid
from domain.tammany_hall.rules.board import COLOURS, ELECTION_ORDER, INDEX
from domain.tammany_hall.rules.bonus import bonus_offered
from domain.tammany_hall.rules.events import BiddingOpened, BidSealed, BidsRevealed, Candidate, WardResolved, evolves
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.position import bidders, bidding_ward, by_colour, candidates, is_active, usable
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import FAVORS, NO, listed

Bids = Mapping[Seat, list[int]]


def decide_bid(state: State, seat: Seat, action: Bid) -> list[Event]:
    """Decide a sealed bid: usable colours, no more chips than the bidder has (TH-9.8).

    Raises RuleViolation; its message tells the bidder what the bidder knows.
    """
    number = bidding_ward(state)
    require(
        action.ward in (None, number),
        "wrong-ward",
        "TH-9.2",
        "Ward {ward} is being bid for now, not ward {other}.",
        ward=number,
        other=action.ward,
    )
    require(
        seat in bidders(state, number), "no-bid-due", "TH-9.7", "You do not have to bid for ward {ward}.", ward=number
    )
    require(
        option(state, "sealed-bid") == "replaceable" or seat not in state.bids,
        "already-bid",
        "TH-17.3",
        "You have handed in your bid, and in this game it cannot be replaced.",
    )
    cubes, held = state.wards[number].cubes, state.players[seat].chips

    def can_use() -> Sentence:
        return listed(usable(state, number, seat))

    for colour, index in INDEX.items():
        count = action.chips.get(colour, 0)
        require(
            cubes[index] or not count,
            "colour-not-in-ward",
            "TH-9.8",
            "No {colour} immigrant lives in ward {ward}; you can use {chips}.",
            colour=NO[colour],
            ward=number,
            chips=can_use,
        )
        require(
            count <= held[index],
            "not-enough-chips",
            "TH-9.8",
            "You do not have {wanted} chips; you can use {chips}.",
            wanted=partial(FAVORS[colour], count),
            chips=can_use,
        )
    return [BidSealed(seat, number, {colour: action.chips[colour] for colour in COLOURS if action.chips.get(colour)})]


def next_ward(state: State) -> int | None:
    """The active ward whose election comes after `state.ward`; None after the last (TH-9.2)."""
    held = 0 if state.ward is None else ELECTION_ORDER.index(state.ward) + 1
    return next((number for number in ELECTION_ORDER[held:] if is_active(state.wards[number])), None)


def hold_election(state: State, number: int) -> list[Event]:
    """Open the bidding for a ward, or resolve it at once where nobody owes a bid (TH-9.4, TH-9.7)."""
    owes = bidders(state, number)
    if not owes:
        votes, winner, removed = _count(state, number, {})
        return [WardResolved(number, votes, winner, removed, bonus_offered(state, number, winner, state.supply))]
    announced = [
        Candidate(seat, state.wards[number].bosses[seat], by_colour(usable(state, number, seat)))
        for seat in candidates(state.wards[number])
    ]
    return [BiddingOpened(number, announced, owes)]


def reveal_bids(state: State) -> list[Event]:
    """Open all bids once the last one owed is in (TH-9.9); [] before, or where some may not be known."""
    number = bidding_ward(state)
    bids: dict[Seat, list[int]] = {}
    for seat in bidders(state, number):
        chips = state.bids.get(seat)
        if chips is None:
            return []
        bids[seat] = chips
    votes, winner, removed = _count(state, number, bids)
    returned = [sum(chips) for chips in zip(*bids.values(), strict=True)]
    supply = [left + back for left, back in zip(state.supply, returned, strict=True)]
    return [
        BidsRevealed(
            ward=number,
            bids={str(seat): by_colour(chips) for seat, chips in bids.items()},
            votes=votes,
            winner=winner,
            returned=by_colour(returned),
            removed=removed,
            bonus=bonus_offered(state, number, winner, supply),
        )
    ]


def _count(state: State, number: int, bids: Bids) -> tuple[dict[str, int], Seat | None, dict[str, int]]:
    """Votes by candidate (TH-9.10), the single highest if there is one, and the pawns that leave (TH-9.12)."""
    bosses = state.wards[number].bosses
    votes = {seat: bosses[seat] + sum(bids.get(seat, ())) for seat in candidates(state.wards[number])}
    best = [seat for seat, total in votes.items() if total == max(votes.values())]
    winner = best[0] if len(best) == 1 else None
    removed = {seat: bosses[seat] - (seat == winner) for seat in votes}
    return _by_seat(votes), winner, _by_seat({seat: pawns for seat, pawns in removed.items() if pawns})


def _by_seat(counts: Mapping[Seat, int]) -> dict[str, int]:
    return {str(seat): count for seat, count in counts.items()}


@evolves(BiddingOpened)
def bidding_opened(state: State, event: BiddingOpened) -> None:
    """The ward waits for bids."""
    state.phase = "bid"
    state.ward = event.ward
    state.bids = {}


@evolves(BidSealed)
def bid_sealed(state: State, event: BidSealed) -> None:
    """The bid is in; the last one counts."""
    chips = event.chips
    state.bids[event.seat] = None if chips is None else [chips.get(colour, 0) for colour in COLOURS]


@evolves(WardResolved)
def ward_resolved(state: State, event: WardResolved) -> None:
    """The pawns have left, the ward has a winner or none."""
    bosses = state.wards[event.ward].bosses
    for seat, pawns in event.removed.items():
        bosses[int(seat)] -= pawns
    if event.winner is not None:
        state.won[event.ward] = event.winner
    state.ward = event.ward
    state.phase = "bonus" if event.bonus else "election"


@evolves(BidsRevealed)
def bids_revealed(state: State, event: BidsRevealed) -> None:
    """The chips are in the supply, the pawns have left, the ward has a winner or none."""
    for bidder, chips in event.bids.items():
        held = state.players[int(bidder)].chips
        for colour, count in chips.items():
            held[INDEX[colour]] -= count
    for colour, count in event.returned.items():
        state.supply[INDEX[colour]] += count
    bosses = state.wards[event.ward].bosses
    for seat, pawns in event.removed.items():
        bosses[int(seat)] -= pawns
    if event.winner is not None:
        state.won[event.ward] = event.winner
    state.bids = {}
    state.phase = "bonus" if event.bonus else "election"
