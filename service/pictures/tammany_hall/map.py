"""Lower Manhattan as a plane map: wards drawn so that exactly the neighbours of TH-3.2 share a border line.

The map is a net of named points. A ward is the ring of the points on its edge, in order, so two wards share a border
line where two points follow each other in both rings, and only touch where they share a single point.
"""

from math import dist
from typing import Final

from service.pictures.svg import Point

POINTS: Final[dict[str, Point]] = {
    # the shore, from the north-west down the Hudson, round the Battery and up the East River
    "north-west": (28, 10), "hudson 9-8": (21, 120), "hudson 8-5": (24, 256), "hudson 5-3": (42, 372),
    "hudson 3-1": (100, 512), "battery west": (148, 622), "battery": (220, 664), "battery east": (318, 634),
    "east 1-2": (368, 552), "east 2-4": (456, 514), "east 4": (532, 470), "east 4-7": (562, 378),
    "corlears": (592, 322), "east 7-13": (586, 248), "east 13-11": (588, 118), "north-east": (572, 10),
    # the northern edge of the city
    "north 9-15": (142, 6), "north 15-17": (272, 10), "north 17-11": (460, 6),
    # where borders meet inland
    "8-9-15": (128, 118), "8-14-15": (164, 120), "14-15-17": (270, 123), "10-14-17": (336, 121),
    "10-13-17": (436, 120), "11-13-17": (470, 118),
    "5-6-8-14": (160, 258), "6-10-14": (330, 262), "4-6-7-10": (398, 292), "7-10-13": (440, 250),
    "4-7": (434, 362), "3-5-6": (182, 374), "2-3-6": (224, 392), "2-4-6": (366, 422), "1-2-3": (232, 516),
}  # fmt: skip
"""Ward 14, the most fought over, has more room than it had in the city."""

RINGS: Final[dict[int, tuple[str, ...]]] = {
    9: ("north-west", "north 9-15", "8-9-15", "hudson 9-8"),
    15: ("north 9-15", "north 15-17", "14-15-17", "8-14-15", "8-9-15"),
    17: ("north 15-17", "north 17-11", "11-13-17", "10-13-17", "10-14-17", "14-15-17"),
    11: ("north 17-11", "north-east", "east 13-11", "11-13-17"),
    8: ("8-9-15", "8-14-15", "5-6-8-14", "hudson 8-5", "hudson 9-8"),
    14: ("8-14-15", "14-15-17", "10-14-17", "6-10-14", "5-6-8-14"),
    10: ("10-14-17", "10-13-17", "7-10-13", "4-6-7-10", "6-10-14"),
    13: ("10-13-17", "11-13-17", "east 13-11", "east 7-13", "7-10-13"),
    5: ("5-6-8-14", "3-5-6", "hudson 5-3", "hudson 8-5"),
    6: ("5-6-8-14", "6-10-14", "4-6-7-10", "2-4-6", "2-3-6", "3-5-6"),
    7: ("7-10-13", "east 7-13", "corlears", "east 4-7", "4-7", "4-6-7-10"),
    4: ("4-6-7-10", "4-7", "east 4-7", "east 4", "east 2-4", "2-4-6"),
    3: ("hudson 5-3", "3-5-6", "2-3-6", "1-2-3", "hudson 3-1"),
    2: ("2-3-6", "2-4-6", "east 2-4", "east 1-2", "1-2-3"),
    1: ("hudson 3-1", "1-2-3", "east 1-2", "battery east", "battery", "battery west"),
}

PLACES: Final[dict[int, tuple[int, int, int, int]]] = {
    9: (38, 15, 88, 102), 15: (150, 15, 116, 102), 17: (280, 16, 176, 102), 11: (476, 15, 102, 102),
    8: (36, 129, 122, 124), 14: (172, 130, 158, 126), 10: (346, 130, 88, 122), 13: (446, 128, 136, 114),
    5: (46, 266, 118, 106), 6: (192, 267, 180, 106), 7: (450, 260, 134, 104),
    4: (416, 378, 133, 100), 3: (102, 386, 118, 106), 2: (246, 418, 146, 100), 1: (158, 538, 178, 94),
}  # fmt: skip
"""Where the pieces of a ward go: left side, top, and the room to the right and below."""

WIDTH: Final = 600
HEIGHT: Final = 680
COAST: Final = (
    "north-west", "hudson 9-8", "hudson 8-5", "hudson 5-3", "hudson 3-1", "battery west", "battery", "battery east",
    "east 1-2", "east 2-4", "east 4", "east 4-7", "corlears", "east 7-13", "east 13-11", "north-east",
)  # fmt: skip
"""The points on the shore, in order."""


def coast() -> list[Point]:
    """The shore as a line."""
    return [POINTS[name] for name in COAST]


def inner_ring(ward: int, inwards: float) -> list[Point]:
    """A ring within a ward, so far from its border, with as many corners."""
    corners = ring(ward)
    return [
        _moved_inwards(before, corner, after, inwards)
        for before, corner, after in zip([corners[-1], *corners], corners, [*corners[1:], corners[0]], strict=False)
    ]


def _moved_inwards(before: Point, corner: Point, after: Point, by: float) -> Point:
    """A corner of a ring that runs clockwise, as far from both of its sides."""
    (x1, y1), (x2, y2) = _inwards(before, corner), _inwards(corner, after)
    along = by / (1 + x1 * x2 + y1 * y2)
    return corner[0] + along * (x1 + x2), corner[1] + along * (y1 + y2)


def _inwards(one: Point, other: Point) -> Point:
    """The direction to the right of a side."""
    length = dist(one, other)
    return (one[1] - other[1]) / length, (other[0] - one[0]) / length


def ring(ward: int) -> list[Point]:
    """The corners of a ward."""
    return [POINTS[name] for name in RINGS[ward]]
