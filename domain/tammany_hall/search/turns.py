"""Whole turns of Tammany Hall as single moves: office, placement, slander and end, legal by construction (TH-4.4)."""

from operator import itemgetter
from random import Random
from typing import Final

from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.tammany_hall.rules.actions import End, OfficeFavor, Place, Settle, Slander
from domain.tammany_hall.rules.board import COLOURS
from domain.tammany_hall.rules.position import available
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.benefits import benefit
from domain.tammany_hall.search.chips import chip_worths
from domain.tammany_hall.search.cubes import cube_worth
from domain.tammany_hall.search.outlook import Outlook, outlook
from domain.tammany_hall.search.slanders import slander
from domain.tammany_hall.search.weighing import WardOutlook

END: Final = End()
LOOKED_AT: Final = 4
"""Wards, of six or more."""
WHIM: Final = 0.3
"""How much more than it is worth a boss may seem to a quick eye, in points."""
REACH: Final = -0.8
"""A slander that seems to cost so much is still looked at: it may be worth more than it seems."""
Gain = tuple[float, WardOutlook]
Placement = tuple[float, Place | Settle | None]


def turns(state: State, seat: Seat, rng: Random, most: int) -> list[Move[Action]]:
    """The most promising turns, best first."""
    seen = outlook(state, seat)
    chips = chip_worths(state, seen)
    ranked = sorted(placements(state, seen, chips, seen.wards, rng), key=_gain, reverse=True)
    added, office = benefit(state, seen, chips, seen.wards)
    found: list[tuple[float, Move[Action]]] = []
    for place, (worth, placement) in enumerate(ranked[: most + 1]):
        found.append((worth + added, assembled(placement, office)))
        price, slandered = slander(state, seen, placement, office, chips, REACH)
        if slandered is not None:
            found.append((worth + added + price, assembled(placement, office, slandered)))
        if office is not None and place < 2:
            found.append((worth, assembled(placement)))
    found.sort(key=_gain, reverse=True)
    return [turn for _, turn in found[:most]]


def quick_turn(state: State, seat: Seat, rng: Random) -> Move[Action]:
    """A good turn, found quickly: the best of noisy placements, with a look at few wards for cubes and office."""
    seen = outlook(state, seat, rough=True)
    chips = chip_worths(state, seen)
    few = rng.sample(seen.wards, LOOKED_AT)
    _, placement = max(placements(state, seen, chips, few, rng, WHIM), key=_gain)
    _, office = benefit(state, seen, chips, few)
    return assembled(placement, office, slander(state, seen, placement, office, chips)[1])


def placements(
    state: State, seen: Outlook, chips: list[float], cube_wards: list[WardOutlook], rng: Random, noise: float = 0.0
) -> list[Placement]:
    """Campaigns and settlements worth a thought, with what they are worth (TH-6); None where none can be made.

    With noise, fewer of them, and each boss worth up to so much more.
    """
    left = 0 if state.placed else available(state, seen.seat)
    if not left:
        return [(0.0, None)]
    gains = [(seen.boss_worth(ward, 1), ward) for ward in seen.wards if not ward.locked]
    if noise:
        gains = [(gain + noise * rng.random(), ward) for gain, ward in gains]
    gains.sort(key=_gain, reverse=True)
    del gains[3 if noise else 6 :]
    return campaigns(seen, gains, left) + settlements(state, seen, chips, gains, cube_wards, 2 if noise else 4)


def campaigns(seen: Outlook, gains: list[Gain], left: int) -> list[Placement]:
    """Two bosses into one ward or two (TH-6.2), or the last one left (TH-6.7)."""
    if left == 1:
        return [(gain, Place([ward.number])) for gain, ward in gains]
    found: list[Placement] = [(seen.boss_worth(ward, 2), Place([ward.number] * 2)) for _, ward in gains]
    for place, (gain, ward) in enumerate(gains):
        found += [(gain + other, Place([ward.number, second.number])) for other, second in gains[place + 1 :]]
    return found


def settlements(
    state: State, seen: Outlook, chips: list[float], gains: list[Gain], cube_wards: list[WardOutlook], most: int
) -> list[Placement]:
    """A boss into one of the best wards, a cube into one of its best, and a chip if there is one (TH-6.3, TH-6.9)."""
    found: list[Placement] = []
    for colour, count in enumerate(state.garden):
        if not count:
            continue
        chip = chips[colour] if state.supply[colour] else 0.0
        cubes = [(cube_worth(state, seen, ward, colour), ward) for ward in cube_wards if not ward.locked]
        cubes.sort(key=_gain, reverse=True)
        for worth, to in cubes[: most - 1] or [(0.0, gains[0][1])]:
            for gain, ward in gains[:most]:
                found.append((gain + chip + worth, Settle(ward.number, COLOURS[colour], to.number)))
    return found


def assembled(
    placement: Place | Settle | None, office: Action | None = None, slandered: Slander | None = None
) -> Move[Action]:
    """A placement with the office's benefit and a slander, in an order in which all is legal.

    A favor taken comes first, so that it can be spent; what an office does to wards comes last, since it cannot make
    an earlier action of the turn illegal then.
    """
    favor = isinstance(office, OfficeFavor)
    ordered = (office if favor else None, placement, slandered, None if favor else office, END)
    return tuple(action for action in ordered if action is not None)


_gain = itemgetter(0)
