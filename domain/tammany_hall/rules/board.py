"""The board of Tammany Hall as data (TH-3) and the words for its parts (TH-1)."""

from typing import Final, Literal

Colour = Literal["irish", "english", "german", "italian"]
Bonus = Literal["cube", "favor"]
Title = Literal["deputy", "council", "police", "precinct"]
WardNumber = Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 17]

COLOURS: Final[tuple[Colour, ...]] = ("irish", "english", "german", "italian")
"""In colour order (TH-1.4)."""
INDEX: Final = {colour: index for index, colour in enumerate(COLOURS)}
TITLES: Final[tuple[Title, ...]] = ("deputy", "council", "police", "precinct")
MAYOR: Final = "mayor"
PAWNS: Final = ("red", "yellow", "black", "purple", "brown")

ZONES: Final[dict[int, tuple[int, ...]]] = {1: (1, 2, 4, 7, 6, 14), 2: (9, 15, 8, 5, 3), 3: (17, 11, 13, 10)}
"""The wards of each zone, in election order (TH-3.1)."""
ELECTION_ORDER: Final[tuple[int, ...]] = tuple(ward for zone in ZONES.values() for ward in zone)
ZONE_OF: Final = {ward: zone for zone, wards in ZONES.items() for ward in wards}
TAMMANY_HALL: Final = 14
CUBE_WARDS: Final = frozenset({1, 2})
"""Winning one of these offers a cube (TH-9.14)."""
CHIP_WARDS: Final = frozenset({4, 7})
"""Winning one of these offers a chip (TH-9.15)."""

BORDERS: Final[tuple[tuple[int, int], ...]] = (
    (1, 2), (1, 3), (2, 3), (2, 4), (2, 6), (3, 5), (3, 6), (4, 6), (4, 7), (5, 6),
    (5, 8), (6, 10), (6, 14), (7, 10), (7, 13), (8, 9), (8, 14), (8, 15), (9, 15), (10, 13),
    (10, 14), (10, 17), (11, 13), (11, 17), (13, 17), (14, 15), (14, 17), (15, 17),
)  # fmt: skip
"""The 28 shared border lines (TH-3.2); corners do not count."""
NEIGHBOURS: Final[dict[int, frozenset[int]]] = {
    ward: frozenset({b for a, b in BORDERS if a == ward} | {a for a, b in BORDERS if b == ward})
    for ward in ELECTION_ORDER
}

BOXES: Final[dict[int, tuple[int, int, int, int]]] = {1: (2, 2, 2, 0), 2: (2, 2, 1, 0), 3: (2, 1, 1, 0)}
"""The cubes of each setup box, by colour (TH-3.3)."""
ZONE_YEARS: Final[dict[int, dict[int, int]]] = {3: {1: 1, 2: 5, 3: 9}, 4: {1: 1, 2: 1, 3: 5}, 5: {1: 1, 2: 1, 3: 1}}
"""The year a zone comes into play, by players and zone (TH-3.6)."""

CUBES_A_COLOUR: Final = 25
PAWNS_A_PLAYER: Final = 20
SLANDER_CHIPS: Final = 3
LOCKS: Final = 2
LAST_YEAR: Final = 16
