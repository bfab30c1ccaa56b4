"""Star Values, and the approval Parks bring (CH-9, CH-10)."""

from collections.abc import Mapping

from domain.city_hall.rules.board import Board
from domain.city_hall.rules.pieces import PARK, Land, Permit
from domain.city_hall.rules.state import State
from domain.engine.game import Seat


def star_value(board: Board, permits: Mapping[Land, Permit], land: Land) -> int | None:
    """What the Building on a space is worth among these Permits (CH-9.1 to CH-9.3); None where there is none."""
    permit = permits.get(land)
    if permit is None or permit == PARK:
        return None
    kind = board.permits[permit]
    modifiers = [kind.modifiers.get(permits[other], 0) for other in board.neighbours[land] if other in permits]
    return min(kind.max_stars, max(0, sum(modifiers) + board.boroughs[board.borough_of[land]].star_bonus))


def changed_stars(board: Board, before: Mapping[Land, Permit], permit: Permit, land: Land) -> dict[Land, int]:
    """The Star Values that a Permit placed among those before changes, its own included (CH-9.5)."""
    after = {**before, land: permit}
    changed: dict[Land, int] = {}
    for space in (land, *board.neighbours[land]):
        value = star_value(board, after, space)
        if value is not None and value != star_value(board, before, space):
            changed[space] = value
    return changed


def approval_steps(
    state: State, board: Board, seat: Seat, before: Mapping[Land, Permit], permit: Permit, land: Land
) -> list[Seat]:
    """Whose Staffer advances when a seat places a Permit among those before, once for each space of advance."""
    near = {other: before[other] for other in board.neighbours[land] if other in before}
    if permit == PARK:
        buildings = sum(kind != PARK for kind in near.values())
        return [seat] * (buildings // 2)  # CH-10.1
    owners = [state.lands[other].owner for other, kind in near.items() if kind == PARK]
    return [owner for owner in owners if owner is not None]  # CH-10.2
