"""What a favor chip of each colour is worth to a seat: votes to come, and the majorities at the end (TH-13.2)."""

from typing import Final

from domain.engine.game import Seat
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.outlook import SPREAD, Outlook

KEEP: Final = (0.0, 0.45, 0.4, 0.3, 0.08)
"""By term, what a chip is worth for elections to come, wherever they are and for ties (TH-11.4)."""
MAJORITY: Final = (0.0, 0.02, 0.05, 0.15, 0.45)
"""By term, how much of the two points of a majority moves with one chip, where seats are close."""
VOTE: Final = 0.3
"""How much of a vote a chip is in each ward where it can be used."""


def majority_worth(state: State, seat: Seat, colour: int) -> float:
    """What one chip more or less means for the majority of its colour: most where it is close."""
    held = state.players[seat].chips[colour]
    best = max(player.chips[colour] for rival, player in enumerate(state.players) if rival != seat)
    apart = held - best
    close = 1.0 if -1 <= apart <= 0 else 0.5 if apart in (-2, 1) else 0.15 if -5 < apart < 5 else 0.0
    return MAJORITY[(state.year + 3) // 4] * 2.0 * close


def chip_worths(state: State, seen: Outlook) -> list[float]:
    """By colour, what one chip more is worth in the years."""
    seat = seen.seat
    keep = KEEP[(state.year + 3) // 4]
    worths = [keep + majority_worth(state, seat, colour) for colour in range(4)]
    vote = VOTE / SPREAD[seen.years_left]
    for ward in seen.wards:
        if not ward.bosses[seat]:
            continue
        share = ward.weights[seat] / ward.total
        gain = ward.worth * share * (1 - share) * vote
        for colour in range(4):
            if ward.colours >> colour & 1:
                worths[colour] += gain
    return worths
