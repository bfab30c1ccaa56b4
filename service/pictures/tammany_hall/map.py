"""Lower Manhattan as a plane map: wards drawn so that exactly the neighbours of TH-3.2 share a border line.

The map is a net of named points. A ward is the ring of the points on its edge, in order, so two wards share a border
line where two points follow each other in both rings, and only touch where they share a single point.
"""

from typing import Final

from service.pictures.svg import Point

POINTS: Final[dict[str, Point]] = {
    # the shore, from the north-west down the Hudson, round the Battery and up the East River
    "north-west": (28, 10), "hudson 9-8": (21, 114), "hudson 8-5": (24, 226), "hudson 5-3": (40, 342),
    "hudson 3-1": (98, 482), "battery west": (138, 578), "battery": (214, 612), "battery east": (312, 590),
    "east 1-2": (366, 520), "east 2-4": (454, 484), "east 4": (530, 440), "east 4-7": (560, 348),
    "corlears": (592, 292), "east 7-13": (586, 218), "east 13-11": (588, 112), "north-east": (572, 10),
    # the northern edge of the city
    "north 9-15": (144, 6), "north 15-17": (276, 10), "north 17-11": (458, 6),
    # where borders meet inland
    "8-9-15": (146, 112), "8-14-15": (182, 114), "14-15-17": (274, 117), "10-14-17": (312, 115),
    "10-13-17": (430, 114), "11-13-17": (464, 112),
    "5-6-8-14": (176, 224), "6-10-14": (308, 228), "4-6-7-10": (392, 262), "7-10-13": (436, 220),
    "4-7": (430, 332), "3-5-6": (190, 344), "2-3-6": (228, 362), "2-4-6": (362, 392), "1-2-3": (232, 486),
}  # fmt: skip

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
    9: (34, 13, 108, 100), 15: (152, 13, 120, 100), 17: (284, 14, 172, 100), 11: (470, 13, 108, 100),
    8: (32, 121, 142, 102), 14: (188, 123, 120, 102), 10: (320, 122, 108, 102), 13: (444, 120, 138, 100),
    5: (44, 234, 130, 104), 6: (192, 235, 174, 104), 7: (446, 230, 140, 100),
    4: (406, 342, 144, 100), 3: (98, 354, 122, 104), 2: (244, 384, 150, 100), 1: (168, 492, 160, 100),
}  # fmt: skip
"""Where the pieces of a ward go: left side, top, and the room to the right and below."""

HEIGHT: Final = 622
GARDEN: Final[Point] = (64, 556)
"""The middle of Castle Garden, on its island off the Battery."""


PIERS: Final[Point] = (404, 546)
"""Where the supplies lie, off the East River."""


def ring(ward: int) -> list[Point]:
    """The corners of a ward."""
    return [POINTS[name] for name in RINGS[ward]]
