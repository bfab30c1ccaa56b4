"""Where the spaces of the board lie on the sheet: Manhattan on the left, Queens on the right, Brooklyn below it.

Laid out from the board's own grids, so that a corrected board file is drawn as corrected.
"""

from dataclasses import dataclass
from typing import Final

from domain.city_hall.rules.board import Board
from service.pictures.sheet import MARGIN, ROOM
from service.pictures.svg import Point

ROW: Final = 78
"""Height of a space in Queens and Brooklyn."""
GAP: Final = 4
RIVER: Final = 28
TOP: Final = 26
"""The room for the names of the boroughs."""


@dataclass(frozen=True, slots=True)
class Lot:
    """The rectangle of a space."""

    x: float
    y: float
    wide: float
    high: float


def places(board: Board) -> dict[str, Lot]:
    """The rectangle of every space."""
    grids = {name: borough.grid for name, borough in board.boroughs.items()}
    across = {name: max(map(len, grid)) for name, grid in grids.items()}
    west, east = across["manhattan"], max(across["queens"], across["brooklyn"])
    wide = (ROOM - RIVER - GAP * (west + east - 2)) // (west + east)
    north, whole = len(grids["queens"]), height(board)
    tall = (whole + GAP) / len(grids["manhattan"]) - GAP
    corner = {
        "manhattan": (0, 0.0, tall),
        "queens": (west + east - across["queens"], 0.0, ROW),
        "brooklyn": (west + east - across["brooklyn"], north * (ROW + GAP) - GAP + RIVER, ROW),
    }
    return {
        land: Lot(
            MARGIN + (left + x) * (wide + GAP) + (RIVER - GAP if left + x >= west else 0),
            TOP + down + y * (high + GAP),
            wide,
            high,
        )
        for name, (left, down, high) in corner.items()
        for y, row in enumerate(grids[name])
        for x, land in enumerate(row)
        if land
    }


def height(board: Board) -> float:
    """From the northernmost shore to the southernmost."""
    rows = len(board.boroughs["queens"].grid) + len(board.boroughs["brooklyn"].grid)
    return rows * (ROW + GAP) - 2 * GAP + RIVER


def bridge(one: Lot, other: Lot) -> tuple[Point, Point]:
    """The ends of a bridge between two spaces: straight across the river, where they face each other."""
    if one.x > other.x + other.wide or other.x > one.x + one.wide:
        west, east = sorted((one, other), key=lambda place: place.x)
        y = (max(west.y, east.y) + min(west.y + west.high, east.y + east.high)) / 2
        return (west.x + west.wide, y), (east.x, y)
    north, south = sorted((one, other), key=lambda place: place.y)
    x = (max(north.x, south.x) + min(north.x + north.wide, south.x + south.wide)) / 2
    return (x, north.y + north.high), (x, south.y)
