"""The colours of the boards by name, each for light and dark rooms: mails show the light ones, pages both.

A drawing names its colours. `write_light` turns the names into the light values, for a picture that stands alone; on a
page they are the custom properties of `stylesheet`, which `service/web/static/palette.css` holds. Where the reader has
chosen colours of their own (forced colours), grounds become theirs, and lines and letters remain.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["ground", "ink", "state"]
FORCED: Final[dict[Kind, str]] = {"ground": "Canvas", "ink": "CanvasText", "state": "Highlight"}
"""What stands for a colour among the reader's own (CSS Color 4, system colours)."""
NAMED: Final = re.compile(r'\b(fill|stroke)="var\(--board-([a-z-]+)\)"')


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour: its name, its values as #rrggbb, and what it is for: a ground, a line or letter, a state."""

    name: str
    light: str
    dark: str
    kind: Kind

    def __str__(self) -> str:
        return f"var(--board-{self.name})"


Paint = Colour | Literal["none", "transparent"]
"""What a shape is filled or outlined with."""

PALETTE: Final[dict[str, Colour]] = {}
"""Every colour, by its name."""


def _colour(name: str, light: str, dark: str, kind: Kind = "ground") -> Colour:
    return PALETTE.setdefault(name, Colour(name, light, dark, kind))


INK: Final = _colour("ink", "#2a2723", "#efe6d6", "ink")
SOFT: Final = _colour("soft", "#574f44", "#c6baa6", "ink")
PAPER: Final = _colour("paper", "#fbf7ee", "#1d1a16")
ROW: Final = _colour("row", "#f4eddd", "#29241c")
ASKED: Final = _colour("asked", "#fdeab8", "#44361a")
RULE: Final = _colour("rule", "#d9cfba", "#4a4238", "ink")
ACCENT: Final = _colour("accent", "#9a3324", "#f2937d", "state")
GOLD: Final = _colour("gold", "#876000", "#e0b04a", "state")

WATER: Final = _colour("water", "#c9dce0", "#17282f")
WAVE: Final = _colour("wave", "#aac6cc", "#2b444e")
SHORE: Final = _colour("shore", "#3f5659", "#a9c6cf", "ink")
LAND: Final = _colour("land", "#f6ecd2", "#3a3225")
CLOSED: Final = _colour("closed", "#dedacd", "#2a2825")
ELECTED: Final = _colour("elected", "#ffe08a", "#59450f")
FORT: Final = _colour("fort", "#e9dcc0", "#4b412f")
BORDER: Final = _colour("border", "#75633f", "#b09c74", "ink")
LOCK: Final = _colour("lock", "#2a2723", "#efe6d6", "ink")

EDGE: Final = _colour("edge", "#2a2723", "#efe6d6", "ink")
"""What surrounds a piece, so that it stands out from any ground."""
CUBES: Final = {
    "irish": (_colour("irish", "#2c7a43", "#5fbb7b"), _colour("on-irish", "#ffffff", "#17140f", "ink")),
    "english": (_colour("english", "#ffffff", "#f6f1e8"), _colour("on-english", "#2a2723", "#17140f", "ink")),
    "german": (_colour("german", "#e8862a", "#f09b46"), _colour("on-german", "#2a2723", "#17140f", "ink")),
    "italian": (_colour("italian", "#2b5fa8", "#76a9ec"), _colour("on-italian", "#ffffff", "#17140f", "ink")),
}
"""By people: the colour of their cubes and chips, and what is written on it."""


def _pawn(name: str, light: str, on: str, tint: str, dark: str, dark_on: str, dark_tint: str) -> tuple[Colour, ...]:
    return (
        _colour(f"pawn-{name}", light, dark),
        _colour(f"on-pawn-{name}", on, dark_on, "ink"),
        _colour(f"tint-pawn-{name}", tint, dark_tint),
    )


PAWNS: Final = {
    "red": _pawn("red", "#b3322a", "#ffffff", "#f6dcd6", "#ee8276", "#17140f", "#4a2622"),
    "yellow": _pawn("yellow", "#efc437", "#2a2723", "#fbf1c9", "#f2cd52", "#17140f", "#453a14"),
    "black": _pawn("black", "#2b2b2e", "#ffffff", "#e2e2e4", "#0c0c0e", "#ffffff", "#343438"),
    "purple": _pawn("purple", "#70409a", "#ffffff", "#e9dff1", "#c19ae6", "#17140f", "#3a2a4a"),
    "brown": _pawn("brown", "#83542b", "#ffffff", "#efe2d3", "#cf9a68", "#17140f", "#432f1c"),
    "blue": _pawn("blue", "#2c5fa5", "#ffffff", "#d9e5f4", "#76a9ec", "#17140f", "#1f3350"),
    "green": _pawn("green", "#2f7a41", "#ffffff", "#dcecda", "#5fbb7b", "#17140f", "#1f3d28"),
}
"""By pawn: its colour, what is written on it, and a faint tint of it."""

GROUND: Final = _colour("ground", "#e6dcc0", "#332c20")
LOT: Final = _colour("lot", "#f1e9d4", "#2b261e")
OFFER: Final = _colour("offer", "#ffffff", "#1c2a1f")
MONEY: Final = _colour("money", "#1f6b36", "#7fd096", "ink")
TRACK: Final = _colour("track", "#8a7a58", "#998763", "ink")
LAST: Final = _colour("last", "#f3dcae", "#4f3f1d")
BRIDGE: Final = _colour("bridge", "#6f6552", "#a8997b", "ink")
ROAD: Final = _colour("road", "#f3e3b4", "#4d4127")
CARD: Final = _colour("card", "#5b3a86", "#b796e8", "ink")
ON_CARD: Final = _colour("on-card", "#ffffff", "#17140f")
STAR: Final = _colour("star", "#c8920e", "#e9b93c")
STAR_EDGE: Final = _colour("star-edge", "#7a5700", "#f6dc92", "ink")
WINDOW: Final = _colour("window", "#fff8e6", "#ffe9a8")
TRUNK: Final = _colour("trunk", "#7a5230", "#a97b50", "ink")
PERMITS: Final = {
    "housing": _colour("housing", "#b5562b", "#c8683a"),
    "tower": _colour("tower", "#3e6a9e", "#5f8fc8"),
    "factory": _colour("factory", "#5d5a58", "#85807b"),
    "park": _colour("park", "#3d8048", "#4f9a5c"),
}

LIT: Final = _colour("lit", "#0b5fa5", "#8cc6ff", "state")
"""Where something can be chosen."""
DRAFTED: Final = _colour("drafted", "#8a1f6b", "#ff9be0", "state")
"""What a draft has changed."""
RECENT: Final = _colour("recent", "#9a3324", "#f2937d", "state")
"""What the last moves have changed."""


def write_light(drawing: str) -> str:
    """A drawing with the light value for each colour it names."""
    return NAMED.sub(lambda match: f'{match[1]}="{PALETTE[match[2]].light}"', drawing)


def stylesheet() -> str:
    """Every colour as a custom property: light, dark, and the reader's own."""
    return "\n".join(_rules()) + "\n"


def _rules() -> Iterator[str]:
    yield _rule({colour.name: colour.light for colour in PALETTE.values()})
    dark = _rule({colour.name: colour.dark for colour in PALETTE.values()})
    yield f"@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}"
    forced = _rule({colour.name: FORCED[colour.kind] for colour in PALETTE.values()})
    yield f"@media (forced-colors: active) {{\n{forced}\n}}"


def _rule(values: dict[str, str]) -> str:
    return ":root {\n" + "".join(f"  --board-{name}: {value};\n" for name, value in values.items()) + "}"
