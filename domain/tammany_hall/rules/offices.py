"""The city offices during the years, and what a lock forbids (TH-7)."""

from typing import Final

from domain.engine.game import Event, Seat
from domain.engine.refusals import require
from domain.tammany_hall.rules.actions import OfficeAction, OfficeFavor, OfficeLock, OfficeMove, OfficePolice
from domain.tammany_hall.rules.board import INDEX, Colour, Title
from domain.tammany_hall.rules.events import FavorGranted, ImmigrantExpelled, ImmigrantMoved, WardLocked, evolves
from domain.tammany_hall.rules.position import require_active, require_adjacent, require_open, require_touchable
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import NO, OFFICES, immigrants, listed

HOLDERS: Final[dict[type[OfficeAction], Title]] = {
    OfficeFavor: "deputy",
    OfficeLock: "council",
    OfficePolice: "police",
    OfficeMove: "precinct",
}
"""The office each benefit belongs to."""


def require_benefit(state: State, seat: Seat, action: OfficeAction) -> None:
    """Refuse a benefit whose office the player does not hold, or has used this year (TH-7.1, TH-7.2)."""
    office = HOLDERS[type(action)]
    held = state.players[seat].office == office
    require(held, "office-not-held", "TH-7.1", "You are not {title}.", title=OFFICES[office])
    require(not state.office_used, "office-used", "TH-7.2", "You have used your office this year.")


def require_cube_to_spare(state: State, number: int, cube: Colour, rule: str) -> None:
    """Refuse to take a cube that is not there, or a ward's last one (TH-7.8)."""
    cubes = state.wards[number].cubes
    require(
        cubes[INDEX[cube]],
        "cube-not-in-ward",
        rule,
        "There is no {colour} immigrant in ward {ward}; it holds {cubes}.",
        colour=NO[cube],
        ward=number,
        cubes=lambda: immigrants(cubes),
    )
    spare = sum(cubes) > 1
    require(spare, "last-cube", "TH-7.8", "The last immigrant of ward {ward} cannot be taken away.", ward=number)


def decide_favor(state: State, seat: Seat, action: OfficeFavor) -> list[Event]:
    """Decide the Deputy Mayor's benefit: a chip of any colour (TH-7.5). Raises RuleViolation."""
    require_benefit(state, seat, action)
    require(
        state.supply[INDEX[action.favor]],
        "chip-supply-empty",
        "TH-7.5",
        "The supply has no {colour} favor chip left; it has {chips}.",
        colour=NO[action.favor],
        chips=lambda: listed(state.supply),
    )
    return [FavorGranted(seat, action.favor)]


def decide_lock(state: State, seat: Seat, action: OfficeLock) -> list[Event]:
    """Decide the Council President's benefit: lock an active ward (TH-7.9, TH-7.10). Raises RuleViolation."""
    require_benefit(state, seat, action)
    require(state.locks_left, "lock-limit", "TH-7.10", "Both lock tokens of this term are on the board.")
    require_active(state, action.ward)
    locked = state.wards[action.ward].locked
    require(not locked, "already-locked", "TH-7.9", "Ward {ward} is locked already.", ward=action.ward)
    return [WardLocked(seat, action.ward)]


def decide_police(state: State, seat: Seat, action: OfficePolice) -> list[Event]:
    """Decide the Chief of Police's benefit: a cube from a ward into the bag (TH-7.6). Raises RuleViolation."""
    require_benefit(state, seat, action)
    require_touchable(state, action.ward)
    require_cube_to_spare(state, action.ward, action.cube, "TH-7.6")
    return [ImmigrantExpelled(seat, action.ward, action.cube)]


def decide_move(state: State, seat: Seat, action: OfficeMove) -> list[Event]:
    """Decide the Precinct Chairman's benefit: a cube to an adjacent active ward (TH-7.7). Raises RuleViolation."""
    require_benefit(state, seat, action)
    require_touchable(state, action.origin)
    require_adjacent(action.origin, action.to)
    require_open(state, action.to)
    require_cube_to_spare(state, action.origin, action.cube, "TH-7.7")
    return [ImmigrantMoved(seat, action.cube, action.origin, action.to)]


@evolves(FavorGranted)
def favor_granted(state: State, event: FavorGranted) -> None:
    """The chip is with the Deputy Mayor."""
    colour = INDEX[event.favor]
    state.players[event.seat].chips[colour] += 1
    state.supply[colour] -= 1
    state.office_used = True


@evolves(WardLocked)
def ward_locked(state: State, event: WardLocked) -> None:
    """A token lies on the ward."""
    state.wards[event.ward].locked = True
    state.locks_left -= 1
    state.office_used = True


@evolves(ImmigrantExpelled)
def immigrant_expelled(state: State, event: ImmigrantExpelled) -> None:
    """The cube is in the bag."""
    colour = INDEX[event.cube]
    state.wards[event.ward].cubes[colour] -= 1
    state.bag[colour] += 1
    state.office_used = True


@evolves(ImmigrantMoved)
def immigrant_moved(state: State, event: ImmigrantMoved) -> None:
    """The cube is next door."""
    colour = INDEX[event.cube]
    state.wards[event.origin].cubes[colour] -= 1
    state.wards[event.to].cubes[colour] += 1
    state.office_used = True
