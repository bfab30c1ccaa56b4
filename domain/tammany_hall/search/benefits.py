"""The best use of an office in a turn (TH-7)."""

from collections.abc import Sequence
from typing import Final

from domain.engine.game import Action
from domain.tammany_hall.rules.actions import OfficeFavor, OfficeLock, OfficeMove, OfficePolice
from domain.tammany_hall.rules.board import COLOURS, NEIGHBOURS, WardNumber
from domain.tammany_hall.rules.position import locks_seal
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge
from domain.tammany_hall.search.cubes import cube_worth, loss_worth
from domain.tammany_hall.search.outlook import Outlook
from domain.tammany_hall.search.weighing import WardOutlook

Benefit = tuple[float, Action | None]
NONE: Final[Benefit] = (0.0, None)


def benefit(state: State, seen: Outlook, chips: list[float], wards: Sequence[WardOutlook]) -> Benefit:
    """The best use of an office, on one of these wards, and what it is worth; None where nothing helps."""
    if state.office_used:
        return NONE
    match state.players[seen.seat].office:
        case "deputy":
            return _favor(state, chips)
        case "council" if state.locks_left:
            return _lock(state, seen, wards)
        case "police":
            return _police(state, seen, wards)
        case "precinct":
            return _move(state, seen, wards)
        case _:
            return NONE


def _favor(state: State, chips: list[float]) -> Benefit:
    left = [(chips[colour], colour) for colour in range(4) if state.supply[colour]]
    if not left:
        return NONE
    worth, colour = max(left)
    return worth, OfficeFavor(COLOURS[colour])


def _lock(state: State, seen: Outlook, wards: Sequence[WardOutlook]) -> Benefit:
    """Lock a ward that the seat leads: the better the more could still happen, so not in the first years."""
    best: tuple[float, WardNumber] | None = None
    for ward in wards:
        if ward.locked:
            continue
        share = ward.share(seen.seat)
        worth = ward.worth * (share - judge.LOCKED) * (0.5 if seen.years_left > 1 else 1.0)
        if best is None or worth > best[0]:
            best = worth, ward.number
    if best is None or best[0] <= 0.1 * (seen.years_left >= state.locks_left):
        return NONE
    return best[0], OfficeLock(best[1])


def _police(state: State, seen: Outlook, wards: Sequence[WardOutlook]) -> Benefit:
    best: tuple[float, WardNumber, int] | None = None
    for ward in wards:
        cubes = ward.cubes
        if sum(cubes) < 2 or (ward.locked and locks_seal(state)):
            continue
        for colour in range(4):
            if cubes[colour]:
                worth = loss_worth(state, seen, ward, colour)
                if best is None or worth > best[0]:
                    best = worth, ward.number, colour
    return NONE if best is None or best[0] <= 0 else (best[0], OfficePolice(best[1], COLOURS[best[2]]))


def _move(state: State, seen: Outlook, wards: Sequence[WardOutlook]) -> Benefit:
    best: tuple[float, OfficeMove] | None = None
    by_number = {ward.number: ward for ward in seen.wards}
    for ward in wards:
        cubes = ward.cubes
        if sum(cubes) < 2 or (ward.locked and locks_seal(state)):
            continue
        for colour in range(4):
            if not cubes[colour]:
                continue
            loss = loss_worth(state, seen, ward, colour)
            for other in NEIGHBOURS[ward.number]:
                to = by_number.get(other)  # type: ignore[call-overload]
                if to is None or to.locked:
                    continue
                worth = loss + cube_worth(state, seen, to, colour)
                if best is None or worth > best[0]:
                    best = worth, OfficeMove(COLOURS[colour], ward.number, to.number)
    return NONE if best is None or best[0] <= 0 else best
