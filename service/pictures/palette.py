"""The colours of charts, previews and lists by name, each for light and dark rooms. `board.css` has those of boards.

A drawing names its colours. `write_light` turns the names into the light values, for a picture that stands alone. On a
page they are the custom properties of `stylesheet`, which `service/web/static/palette.css` holds. If the reader has
colours of their own (forced colours), grounds become theirs, and lines and letters remain.
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

EDGE: Final = _colour("edge", "#2a2723", "#efe6d6", "ink")
"""What surrounds a piece, so that it stands out from any ground."""


def _pawn(name: str, light: str, on: str, dark: str, dark_on: str) -> tuple[Colour, Colour]:
    return _colour(f"pawn-{name}", light, dark), _colour(f"on-pawn-{name}", on, dark_on, "ink")


PAWNS: Final = {
    "red": _pawn("red", "#b8352b", "#ffffff", "#ee8276", "#17140f"),
    "yellow": _pawn("yellow", "#e9bb2d", "#2a2723", "#f2cd52", "#17140f"),
    "black": _pawn("black", "#2c2c31", "#ffffff", "#0c0c0e", "#ffffff"),
    "purple": _pawn("purple", "#6f3f98", "#ffffff", "#c19ae6", "#17140f"),
    "brown": _pawn("brown", "#83542b", "#ffffff", "#cf9a68", "#17140f"),
    "blue": _pawn("blue", "#2c5fa5", "#ffffff", "#76a9ec", "#17140f"),
    "green": _pawn("green", "#2f7a41", "#ffffff", "#5fbb7b", "#17140f"),
}
"""By pawn: its colour, in light rooms that of the pieces on the boards, and the colour of letters on it."""

TRACK: Final = _colour("track", "#8a7a58", "#998763", "ink")


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
