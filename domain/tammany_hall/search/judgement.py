"""The numbers the candidates of Tammany Hall are judged by, in victory points and votes.

Tuned by self-play: every seat of a game judged by numbers a little different, and each number followed those that won.
"""

from math import exp
from typing import Final

from domain.tammany_hall.rules.board import CHIP_WARDS, CUBE_WARDS, TAMMANY_HALL, Title
from domain.tammany_hall.rules.candidates import WARDS

SPREAD: Final = (1.12, 0.64, 0.76, 0.87, 0.87, 1.15, 0.88, 0.96)
"""How many votes make the odds of two seats e to 1: by seats still to move in the last year, then by years left."""
LAST_YEAR: Final = 4
"""The place in SPREAD from which years left are counted."""
CHIP_VOTES: Final = tuple(2.52 * (1 - 0.97**count) for count in range(141))
"""By usable chips, the votes they promise in one of the many wards they may be spent in."""
CHIP_VOTES_NOW: Final = tuple(3.47 * (1 - 0.68**count) for count in range(141))
"""The same in the last year before the election."""
ENTRY: Final = (0.26, 0.25, 0.35, 0.35)
"""By years left, the weight of a seat that has no boss in the ward yet, and a turn to come."""
NOBODY: Final = 0.24
"""The weight of a ward left alone."""
TIE: Final = 0.79
"""How much of the second seat's weight is that of a tie, in which nobody wins (TH-9.10)."""
RIVALRY: Final = 0.45
"""How much of what all rivals lose together counts as gain."""
AHEAD: Final = 4.53
"""So many points ahead make a rival e times as much to be feared."""

POINTS: Final = {
    ward: 1.0 + (ward == TAMMANY_HALL) + 0.19 * (ward in CUBE_WARDS) + 0.61 * (ward in CHIP_WARDS) for ward in WARDS
}
"""Points and bonus (TH-9.14, TH-9.15, TH-11.1) of a ward."""
MAYOR: Final = (0.0, 1.5, 1.5, 1.5, 2.32)
"""By term, what one ward more is worth where two seats are level for the office of mayor (TH-11.2)."""
WARDS_APART: Final = 3.09
"""How many wards apart halve that."""
LEADER: Final = (0.0, 0.48, 0.49, 0.53, 0.08)
"""By term, what one cube more in a ward won is worth where two seats are level for its colour (TH-10.2)."""
CUBES_APART: Final = 1.74
"""How many cubes apart halve that."""
KEPT: Final = (0.0, 0.25, 0.25, 0.25, 0.0)
"""By term, what the boss left in a ward won is worth for the next election (TH-9.12)."""

CHIP: Final = (0.0, 2.73, 1.55, 0.32, 0.13)
"""By term, what a chip is worth for elections to come, and for ties (TH-11.4), to a seat that has none."""
ENOUGH: Final = 1.63
"""How many times the chips of the others make the next one worth half."""
MAJORITY: Final = (0.0, 0.04, 0.1, 0.41, 0.43)
"""By term, how much a chip moves the points of a majority (TH-13.2), where seats are close."""
VOTE: Final = 0.48
"""How much of a vote a chip is in each ward where it can be used."""
UNUSED: Final = 1.79
"""What a slander chip kept is worth; at the end a point (TH-13.4)."""
LATER: Final = (0.0, 0.11, 0.22, 0.33)
"""By years left in the term, what waiting for a better slander is worth."""
LOCKED: Final = 0.5
"""The share of a ward from which on locking it pays (TH-7.11)."""

NOISE: Final = 0.2
"""How much worse in points a bid may be and still be e times less likely."""
ERRATIC: Final = 0.28
"""The share of bids that follow no reason: any number of chips."""
CHIP_SPENT: Final = (0.0, 1.09, 0.85, 0.67, 0.09)
"""By term, what a chip spent in a bid is missed for after this election."""
WARD_AHEAD: Final = 0.07
"""What a chip spent is missed for in each ward still to be fought for in this election where it counts."""
SPOILED: Final = 0.44
"""How much of the ward's worth it is that a feared rival does not win it, for each point of fear."""
POWER: Final[dict[Title, float]] = {"deputy": 1.53, "council": 0.84, "police": 0.74, "precinct": 1.11}
"""What an office is worth to its holder in a term."""

BOSSES: Final = tuple(tuple(exp(bosses / spread) for bosses in range(24)) for spread in SPREAD)
FAVORS: Final = tuple(
    tuple(exp(votes / spread) for votes in (CHIP_VOTES if place > LAST_YEAR else CHIP_VOTES_NOW))
    for place, spread in enumerate(SPREAD)
)
"""Weights of bosses and of usable chips, by the places of SPREAD."""
