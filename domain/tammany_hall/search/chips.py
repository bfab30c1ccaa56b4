"""What a favor chip of each colour is worth to a seat: votes to come, and the majorities at the end (TH-13.2)."""

from typing import Final

from domain.engine.game import Seat
from domain.tammany_hall.rules.position import term
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge
from domain.tammany_hall.search.outlook import Outlook

CLOSE: Final = {-2: 0.5, -1: 1.0, 0: 1.0, 1: 0.5}
"""By chips ahead of the best rival, how much one more decides; further apart hardly anything."""
APART: Final = 0.12


def majority_worths(state: State, seat: Seat) -> list[float]:
    """By colour, what one chip more or less means for its majority: most where it is close."""
    held = state.players[seat].chips
    others = [player.chips for rival, player in enumerate(state.players) if rival != seat]
    best = map(max, *others)
    worth = judge.MAJORITY[term(state)]
    return [worth * CLOSE.get(own - most, APART) for own, most in zip(held, best, strict=True)]


def want(state: State, seat: Seat) -> float:
    """How much one chip more is wanted, 1 by a seat that has none: the less, the more it has than the others."""
    held = [sum(player.chips) for player in state.players]
    others = (sum(held) - held[seat]) / (len(held) - 1)
    times = held[seat] / (judge.ENOUGH * (others + 3))
    return 1 / (1 + times * times)


def chip_worths(state: State, seen: Outlook) -> list[float]:
    """By colour, what one chip more is worth in the years."""
    seat = seen.seat
    wanted = want(state, seat)
    keep = judge.CHIP[term(state)] * wanted
    worths = [keep + worth for worth in majority_worths(state, seat)]
    vote = judge.VOTE * wanted / judge.SPREAD[seen.place]
    for ward in seen.wards:
        if not ward.bosses[seat]:
            continue
        share = ward.share(seat)
        gain = ward.worth * share * (1 - share) * vote
        for colour in range(4):
            if ward.colours >> colour & 1:
                worths[colour] += gain
    return worths
