"""What a sealed bid was worth, against what the others had bid: with everything open."""

from collections.abc import Iterator
from typing import Any

from domain.engine.game import Action, Event, Seat
from domain.engine.guidance import Guidance
from domain.engine.sentences import pack
from domain.search.evaluation import shares
from domain.teacher.course import OpenedBids, Rules
from domain.teacher.findings import JudgedBid


def judge_bids(rules: Rules, guidance: Guidance[Any, Any], opened: OpenedBids) -> Iterator[JudgedBid]:
    """What each seat's bid bought, and the least that would have won; nothing for games that tell no prices."""
    bidding = rules.bidding
    if bidding is None:
        return
    for seat, bid in opened.bids.items():
        legal = rules.decider.legal_actions(rules.decider.blind(opened.before, seat), seat).actions
        cheapest: dict[int, Action] = {}
        for action in legal:
            cheapest.setdefault(bidding.price(action), action)
        wins = [
            price
            for price in sorted(cheapest)
            if bidding.winner(_open(rules, opened, seat, cheapest[price])[0]) == seat
        ]
        mine, none = (_open(rules, opened, seat, action)[1] for action in (bid, cheapest[min(cheapest)]))
        yield JudgedBid(
            version=opened.version,
            seat=seat,
            part=pack(opened.part),
            prize=pack(bidding.prize(opened.event)),
            bid=rules.notation.write(bid),
            price=bidding.price(bid),
            won=bidding.winner(opened.event) == seat,
            least=wins[0] if wins else None,
            worth=round(shares(rules.decider, guidance, mine)[seat] - shares(rules.decider, guidance, none)[seat], 4),
        )


def _open(rules: Rules, opened: OpenedBids, seat: Seat, bid: Action) -> tuple[Event, Any]:
    """The opening if a seat had bid so, and the state after it."""
    decider, state = rules.decider, opened.before
    for bidder, made in (opened.bids | {seat: bid}).items():
        state = decider.fold(state, decider.decide(state, bidder, made))
    facts = decider.proceed(state)
    return facts[0], decider.fold(state, facts)
