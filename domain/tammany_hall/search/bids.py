"""Sealed bids: how many chips are sensible, against what the others may bid, and in which colours (TH-9.7 to TH-9.10).

How many chips each candidate bids is taken to be the noisy best answer to what the others seem to bid: bids that win
where it pays are likely, bids that cannot win are not.
"""

from itertools import accumulate
from math import exp
from random import Random

from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.tammany_hall.rules.actions import Bid
from domain.tammany_hall.rules.board import COLOURS
from domain.tammany_hall.rules.position import bidders, bidding_ward, candidates, usable
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge
from domain.tammany_hall.search.outlook import fears
from domain.tammany_hall.search.stakes import prices, ward_worths

Chances = list[float]
"""By number of chips, how likely a bid of that many is."""


def payment(held: list[int], price: list[float], count: int) -> list[int]:
    """So many chips, the cheapest first; of equal ones those there are most of."""
    paid = [0, 0, 0, 0]
    for colour in sorted(range(4), key=lambda colour: (price[colour], -held[colour])):
        paid[colour] = min(count, held[colour])
        count -= paid[colour]
    return paid


def bid_chances(state: State, number: int, worths: list[float]) -> dict[Seat, Chances]:
    """By candidate, how likely each number of chips is: the answer to an answer to bids that are all alike."""
    ward = state.wards[number]
    rivals, owed = candidates(ward), bidders(state, number)
    held = {seat: sum(usable(state, number, seat)) if seat in owed else 0 for seat in rivals}
    cost = {seat: _mean_price(state, seat, number) for seat in rivals if held[seat]}
    chances = {seat: [1 / (held[seat] + 1)] * (held[seat] + 1) for seat in rivals}
    for _ in range(2):
        chances = {
            seat: _answer(ward.bosses, chances, seat, worths[seat], cost[seat]) if seat in cost else [1.0]
            for seat in rivals
        }
    return chances


def _mean_price(state: State, seat: Seat, number: int) -> float:
    counts = usable(state, number, seat)
    price = prices(state, seat, number)
    return sum(count * worth for count, worth in zip(counts, price, strict=True)) / sum(counts)


def _answer(bosses: list[int], chances: dict[Seat, Chances], seat: Seat, worth: float, cost: float) -> Chances:
    """How likely each bid of a seat is against these bids of the others."""
    values = bid_values(bosses, chances, seat, worth, [cost * count for count in range(len(chances[seat]))], 0.1)
    best = max(values)
    likely = [exp((value - best) / judge.NOISE) for value in values]
    unit, any_bid = (1 - judge.ERRATIC) / sum(likely), judge.ERRATIC / len(likely)
    return [share * unit + any_bid for share in likely]


def bid_values(
    bosses: list[int], chances: dict[Seat, Chances], seat: Seat, worth: float, costs: list[float], spoiled: float
) -> list[float]:
    """By number of chips, what a bid is worth against these bids of the others, its cost taken off.

    `spoiled` is the part of the ward's worth that a tie at the top brings, since then no rival wins it.
    """
    rivals = [
        (bosses[rival], len(likely), [0.0, *accumulate(likely)]) for rival, likely in chances.items() if rival != seat
    ]
    values = []
    for votes, cost in enumerate(costs, bosses[seat]):
        win = tie = 1.0
        for standing, most, up_to in rivals:
            below = votes - standing
            if below <= most:
                win *= up_to[below] if below > 0 else 0.0
                if below < most:
                    tie *= up_to[below + 1] if below >= 0 else 0.0
        values.append(worth * (win + spoiled * tie) - cost)
    return values


def as_bid(paid: list[int]) -> Bid:
    """A bid of these chips by colour."""
    return Bid({colour: count for colour, count in zip(COLOURS, paid, strict=True) if count})


def bids(state: State, seat: Seat, rng: Random, most: int) -> list[Move[Action]]:
    """The most promising bids, best first."""
    number = bidding_ward(state)
    held, price, worths = usable(state, number, seat), prices(state, seat, number), ward_worths(state, number)
    paid = [payment(held, price, count) for count in range(sum(held) + 1)]
    costs = [sum(count * worth for count, worth in zip(chips, price, strict=True)) for chips in paid]
    chances, feared = bid_chances(state, number, worths), fears(state, seat)
    spoiled = judge.SPOILED * max(feared[rival] for rival in chances)
    values = bid_values(state.wards[number].bosses, chances, seat, worths[seat], costs, spoiled)
    best = sorted(range(len(paid)), key=values.__getitem__, reverse=True)
    return [(as_bid(paid[count]),) for count in best[:most]]


def quick_bid(state: State, seat: Seat, rng: Random) -> Move[Action]:
    """A bid as likely as it is sensible."""
    number = bidding_ward(state)
    return (as_bid(sampled_bid(state, seat, rng, bid_chances(state, number, ward_worths(state, number)))),)


def sampled_bid(state: State, seat: Seat, rng: Random, chances: dict[Seat, Chances]) -> list[int]:
    """The chips by colour of a bid that the seat may well make."""
    number = bidding_ward(state)
    (count,) = rng.choices(range(len(chances[seat])), chances[seat])
    return payment(usable(state, number, seat), prices(state, seat, number), count)
