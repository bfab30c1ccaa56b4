"""The outlook of a position: each seat's chance of each ward, and what one more boss, chip or cube is worth.

A ward's election is lost in the future, so a chance is a share: every seat weighs as much as its bosses and its usable
chips promise, the more sharply the nearer the election (TH-9.10). All worths are victory points of the seat that asks,
what its rivals lose counted in part.
"""

from dataclasses import dataclass
from math import exp
from typing import Final

from domain.engine.game import Seat
from domain.tammany_hall.rules.board import CHIP_WARDS, CUBE_WARDS, TAMMANY_HALL, WardNumber
from domain.tammany_hall.rules.candidates import WARDS
from domain.tammany_hall.rules.state import State

SPREAD: Final = (0.75, 1.3, 1.8, 2.2)
"""By full years left before the election: how many votes make the odds of two seats e to 1."""
CHIP_VOTES: Final = tuple(1.6 * (1 - 0.72**count) for count in range(141))
"""By usable chips, the votes they promise in one of the many wards they may be spent in."""
ENTRY: Final = (0.0, 0.25, 0.45, 0.6)
"""By years left, the weight of a seat that has no boss in the ward yet, and turns to come."""
LAST_ENTRY: Final = 0.2
"""The same in the last year, for seats whose turn is still to come."""
NOBODY: Final = 0.15
"""The weight of a tie, or of a ward left alone."""
RIVALRY: Final = 0.5
"""How much of what all rivals lose together counts as gain."""
POINTS: Final = {
    ward: 1.0 + (ward == TAMMANY_HALL) + 0.35 * (ward in CUBE_WARDS) + 0.4 * (ward in CHIP_WARDS) for ward in WARDS
}
"""Points and bonus (TH-9.14, TH-9.15, TH-11.1) of a ward."""
STEP_TO_MAYOR: Final = 0.55
"""What one ward more is worth for the office of mayor (TH-11.2)."""
LEAD: Final = 0.16
"""What one more cube in a ward won is worth, for the chips of leaders (TH-10)."""
KEPT: Final = (0.0, 0.35, 0.35, 0.35, 0.0)
"""By term, what the boss left in a ward won is worth for the next election (TH-9.12)."""

BOSSES: Final = tuple(tuple(exp(bosses / spread) for bosses in range(24)) for spread in SPREAD)
FAVORS: Final = tuple(tuple(exp(votes / spread) for votes in CHIP_VOTES) for spread in SPREAD)


@dataclass(slots=True)
class WardOutlook:
    """One active ward: what it is worth, how each seat weighs in it, what its rivals' share costs the seat."""

    number: WardNumber
    worth: float
    colours: int
    """Those that live there, as bits in colour order."""
    bosses: list[int]
    weights: list[float]
    total: float
    feared: float
    """Of the total, the weights of rivals, each by how much it is to be feared."""
    locked: bool


@dataclass(slots=True)
class Outlook:
    """A position as one seat sees it."""

    seat: Seat
    years_left: int
    fears: list[float]
    wards: list[WardOutlook]
    entry: list[float]
    """By seat, the weight of having no boss in a ward."""
    favors: dict[int, list[float]]
    """By colours, the weight of each seat's usable chips."""


def fears(state: State, seat: Seat) -> list[float]:
    """By seat, what a point lost by it is worth to the seat: most for who leads."""
    shares = [0.0 if rival == seat else exp(player.vp / 5) for rival, player in enumerate(state.players)]
    whole = RIVALRY / sum(shares)
    return [share * whole for share in shares]


def favor_weights(state: State, colours: int, table: tuple[float, ...]) -> list[float]:
    """By seat, the weight of the chips that count where these colours live (TH-9.6)."""
    weights = []
    for player in state.players:
        irish, english, german, italian = player.chips
        usable = 0
        if colours & 1:
            usable += irish
        if colours & 2:
            usable += english
        if colours & 4:
            usable += german
        if colours & 8:
            usable += italian
        weights.append(table[usable])
    return weights


def outlook(state: State, seat: Seat) -> Outlook:
    """The position in the years, before any ward election."""
    left = 3 - (state.year - 1) % 4
    feared, entry = fears(state, seat), entries(state, seat, left)
    powers, chip_powers = BOSSES[left], FAVORS[left]
    kept = KEPT[(state.year + 3) // 4] + STEP_TO_MAYOR
    seen = Outlook(seat, left, feared, [], entry, {})
    favors, found = seen.favors, seen.wards
    for number, ward in state.wards.items():
        irish, english, german, italian = ward.cubes
        colours = (irish > 0) | (english > 0) << 1 | (german > 0) << 2 | (italian > 0) << 3
        if not colours:
            continue
        held = favors.get(colours)
        if held is None:
            held = favors[colours] = favor_weights(state, colours, chip_powers)
        bosses = ward.bosses
        weights = [
            powers[count] * favor if count else nothing * favor
            for count, favor, nothing in zip(bosses, held, entry, strict=True)
        ]
        total, against = NOBODY, 0.0
        for weight, fear in zip(weights, feared, strict=True):
            total += weight
            against += weight * fear
        worth = POINTS[number] + kept + LEAD * (irish + english + german + italian)  # type: ignore[index]
        found.append(WardOutlook(number, worth, colours, bosses, weights, total, against, ward.locked))  # type: ignore[arg-type]
    return seen


def entries(state: State, seat: Seat, left: int) -> list[float]:
    """By seat, the weight of having no boss in a ward: little without a turn to come."""
    seats = len(state.players)
    if state.seat is None or state.first is None:
        return [ENTRY[left]] * seats
    if left:
        return [ENTRY[left]] * seats
    moved = (state.seat - state.first) % seats
    return [LAST_ENTRY if (other - state.first) % seats > moved else 0.0 for other in range(seats)]


def boss_worth(seen: Outlook, ward: WardOutlook, more: int) -> float:
    """What so many bosses more in a ward are worth."""
    seat = seen.seat
    before = ward.weights[seat]
    held = seen.favors[ward.colours][seat]
    after = BOSSES[seen.years_left][ward.bosses[seat] + more] * held
    total = ward.total + after - before
    return ward.worth * (after / total - before / ward.total + ward.feared / ward.total - ward.feared / total)
