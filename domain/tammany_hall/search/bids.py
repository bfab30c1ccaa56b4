"""Sealed bids: how many chips are sensible, against what the others may bid, and in which colours (TH-9.7 to TH-9.10).

How many chips each candidate bids is taken to be the noisy best answer to what the others seem to bid: bids that win
where it pays are likely, bids that cannot win are not.
"""

from math import exp
from random import Random
from typing import Final

from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.tammany_hall.rules.actions import Bid
from domain.tammany_hall.rules.board import COLOURS, ELECTION_ORDER
from domain.tammany_hall.rules.position import bidders, bidding_ward, candidates, usable
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.outlook import KEPT, LEAD, POINTS, STEP_TO_MAYOR

NOISE: Final = 0.22
"""How much worse in points a bid may be and still be e times less likely."""
KEEP: Final = (0.0, 0.42, 0.38, 0.3, 0.1)
"""By term, what a chip kept is worth after this election."""
LATER: Final = 0.16
"""What a chip kept is worth for each ward still to be fought for in this election where it counts."""
MAJORITY: Final = (0.0, 0.02, 0.05, 0.15, 0.5)
Chances = list[float]
"""By number of chips, how likely a bid of that many is."""


def ward_worth(state: State, number: int) -> float:
    """What winning the ward that is bid for is worth to its winner."""
    in_term = KEPT[(state.year + 3) // 4]
    return POINTS[number] + in_term + STEP_TO_MAYOR + LEAD * sum(state.wards[number].cubes)  # type: ignore[index]


def prices(state: State, seat: Seat, number: int) -> list[float]:
    """By colour, what a chip spent now is missed for: this election's later wards, and all that comes after."""
    term = (state.year + 3) // 4
    later = ELECTION_ORDER[ELECTION_ORDER.index(number) + 1 :]
    found = []
    for colour in range(4):
        price = KEEP[term]
        held = state.players[seat].chips[colour]
        best = max(player.chips[colour] for rival, player in enumerate(state.players) if rival != seat)
        if held and -1 <= held - best <= 1:
            price += MAJORITY[term]
        found.append(price)
    for ahead in later:
        ward = state.wards[ahead]
        if not ward.bosses[seat] or len(candidates(ward)) < 2:
            continue
        for colour in range(4):
            if ward.cubes[colour]:
                found[colour] += LATER
    return found


def payment(held: list[int], price: list[float], count: int) -> list[int]:
    """So many chips, the cheapest first; of equal ones those there are most of."""
    paid = [0, 0, 0, 0]
    for colour in sorted(range(4), key=lambda colour: (price[colour], -held[colour])):
        paid[colour] = min(count, held[colour])
        count -= paid[colour]
    return paid


def bid_chances(state: State, number: int) -> dict[Seat, Chances]:
    """By bidder, how likely each number of chips is: the answer to an answer to bids that are all alike."""
    ward = state.wards[number]
    rivals = candidates(ward)
    owed = bidders(state, number)
    held = {seat: sum(usable(state, number, seat)) if seat in owed else 0 for seat in rivals}
    cost = {seat: _mean_price(state, seat, number) for seat in owed}
    chances = {seat: [1 / (held[seat] + 1)] * (held[seat] + 1) for seat in rivals}
    worth = ward_worth(state, number)
    for _ in range(2):
        chances = {
            seat: _answer(ward.bosses, chances, seat, worth, cost[seat]) if seat in cost else [1.0] for seat in rivals
        }
    return chances


def _mean_price(state: State, seat: Seat, number: int) -> float:
    counts = usable(state, number, seat)
    price = prices(state, seat, number)
    return sum(count * worth for count, worth in zip(counts, price, strict=True)) / sum(counts)


def _answer(bosses: list[int], chances: dict[Seat, Chances], seat: Seat, worth: float, cost: float) -> Chances:
    """How likely each bid of a seat is against these bids of the others."""
    values = bid_values(bosses, chances, seat, worth, [cost * count for count in range(len(chances[seat]))])
    best = max(values)
    likely = [exp((value - best) / NOISE) for value in values]
    whole = sum(likely)
    return [share / whole for share in likely]


def bid_values(
    bosses: list[int], chances: dict[Seat, Chances], seat: Seat, worth: float, costs: list[float]
) -> list[float]:
    """By number of chips, what a bid is worth against these bids of the others, its cost taken off."""
    values = []
    for count, cost in enumerate(costs):
        votes = bosses[seat] + count
        win = tie = 1.0
        for rival, likely in chances.items():
            if rival != seat:
                below = votes - bosses[rival]
                win *= sum(likely[: max(0, below)])
                tie *= sum(likely[: max(0, below + 1)])
        values.append(worth * (win + SPOILED * (tie - win)) - cost)
    return values


SPOILED: Final = 0.12
"""The part of a ward's worth that a tie at the top saves, since no rival wins it."""


def bid(state: State, seat: Seat, paid: list[int]) -> Bid:
    """A bid of these chips by colour."""
    return Bid({colour: count for colour, count in zip(COLOURS, paid, strict=True) if count})


def bids(state: State, seat: Seat, rng: Random, most: int) -> list[Move[Action]]:
    """The most promising bids, best first."""
    number = bidding_ward(state)
    held, price = usable(state, number, seat), prices(state, seat, number)
    paid = [payment(held, price, count) for count in range(sum(held) + 1)]
    costs = [sum(count * worth for count, worth in zip(chips, price, strict=True)) for chips in paid]
    values = bid_values(state.wards[number].bosses, bid_chances(state, number), seat, ward_worth(state, number), costs)
    best = sorted(range(len(paid)), key=values.__getitem__, reverse=True)
    return [(bid(state, seat, paid[count]),) for count in best[:most]]


def quick_bid(state: State, seat: Seat, rng: Random) -> Move[Action]:
    """A bid as likely as it is sensible."""
    return (bid(state, seat, sampled_bid(state, seat, rng, bid_chances(state, bidding_ward(state)))),)


def sampled_bid(state: State, seat: Seat, rng: Random, chances: dict[Seat, Chances]) -> list[int]:
    """The chips by colour of a bid that the seat may well make."""
    number = bidding_ward(state)
    (count,) = rng.choices(range(len(chances[seat])), chances[seat])
    return payment(usable(state, number, seat), prices(state, seat, number), count)
