"""Whole turns of Tammany Hall as single moves: office, placement, slander and end, legal by construction (TH-4.4)."""

from collections.abc import Iterable
from random import Random
from typing import Final

from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.tammany_hall.rules.actions import End, OfficeFavor, Place, Settle
from domain.tammany_hall.rules.board import COLOURS
from domain.tammany_hall.rules.position import available
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.benefits import benefit
from domain.tammany_hall.search.chips import chip_worths
from domain.tammany_hall.search.cubes import cube_worth
from domain.tammany_hall.search.outlook import Outlook, WardOutlook, boss_worth, outlook
from domain.tammany_hall.search.slanders import slander

END: Final = End()
Placement = tuple[float, Place | Settle | None]


def turns(state: State, seat: Seat, rng: Random, most: int) -> list[Move[Action]]:
    """The most promising turns, best first."""
    seen = outlook(state, seat)
    chips = chip_worths(state, seen)
    ranked = sorted(placements(state, seen, chips, seen.wards, rng), key=_worth, reverse=True)
    office = benefit(state, seen, chips)
    found: list[tuple[float, Move[Action]]] = []
    for worth, placement in ranked[: most + 2]:
        added, turn = assembled(state, seen, placement, office, chips)
        found.append((worth + added, turn))
        if len(turn) > 1 + (placement is not None):
            found.append((worth, assembled(state, seen, placement, None, None)[1]))
    found.sort(key=lambda choice: choice[0], reverse=True)
    return [turn for _, turn in found[:most]]


def quick_turn(state: State, seat: Seat, rng: Random) -> Move[Action]:
    """A good turn, found quickly: the best of noisy placements, with cubes in a few wards only."""
    seen = outlook(state, seat)
    chips = chip_worths(state, seen)
    few = rng.sample(seen.wards, 3)
    _, placement = max(placements(state, seen, chips, few, rng, 0.3), key=_worth)
    return assembled(state, seen, placement, benefit(state, seen, chips), chips)[1]


def placements(
    state: State, seen: Outlook, chips: list[float], cube_wards: list[WardOutlook], rng: Random, noise: float = 0.0
) -> Iterable[Placement]:
    """Campaigns and settlements worth a thought, with what they are worth (TH-6); None where none can be made."""
    left = 0 if state.placed else available(state, seen.seat)
    if not left:
        return [(0.0, None)]
    gains = sorted(
        (
            (boss_worth(seen, ward, 1) + (noise and noise * rng.random()), place, ward)
            for place, ward in enumerate(seen.wards)
            if not ward.locked
        ),
        reverse=True,
    )
    found: list[Placement] = []
    best = gains[: 3 if noise else 6]
    for index, (worth, _, ward) in enumerate(best):
        if left == 1:
            found.append((worth, Place([ward.number])))
            continue
        found.append((boss_worth(seen, ward, 2) + worth - boss_worth(seen, ward, 1), Place([ward.number] * 2)))
        found += [(worth + other, Place([ward.number, second.number])) for other, _, second in best[index + 1 :]]
    for colour, count in enumerate(state.garden):
        if count:
            chip = chips[colour] if state.supply[colour] else 0.0
            cubes = [(cube_worth(state, seen, ward, colour), ward.number) for ward in cube_wards if not ward.locked]
            cubes = sorted(cubes, reverse=True)[:3] or [(0.0, best[0][2].number)]
            for worth, _, ward in best[: 2 if noise else 4]:
                found += [(worth + chip + gain, Settle(ward.number, COLOURS[colour], number)) for gain, number in cubes]
    return found


def assembled(
    state: State,
    seen: Outlook,
    placement: Place | Settle | None,
    office: tuple[float, Action] | None,
    chips: list[float] | None,
) -> tuple[float, Move[Action]]:
    """A placement with the office's benefit and a slander, in an order in which all is legal, and what both add.

    A favor taken comes first, so that it can be spent; what an office does to wards comes last, since it cannot make
    an earlier action of the turn illegal then.
    """
    gain, slandered = (0.0, None) if chips is None else slander(state, seen, placement, office, chips)
    added, benefit_taken = office or (0.0, None)
    turn: list[Action] = [] if benefit_taken is None or not isinstance(benefit_taken, OfficeFavor) else [benefit_taken]
    if placement is not None:
        turn.append(placement)
    if slandered is not None:
        turn.append(slandered)
    if benefit_taken is not None and not isinstance(benefit_taken, OfficeFavor):
        turn.append(benefit_taken)
    return gain + added, (*turn, END)


def _worth(placement: Placement) -> float:
    return placement[0]
