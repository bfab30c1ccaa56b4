"""Making SVG: text, shapes and groups as strings, in the colours of the palette, which they name.

Nothing refers to anything outside the picture.
"""

from collections.abc import Iterable, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from service.pictures import font, palette
from service.pictures.palette import INK, Paint

Point = tuple[float, float]
QUOTED: Final = {'"': "&quot;"}
"""So that no text looks like an attribute."""


def text(
    x: float,
    y: float,
    content: str,
    size: float = 13,
    *,
    bold: bool = False,
    anchor: str = "start",
    fill: Paint = INK,
    room: float | None = None,
) -> str:
    """One line of text; y is its base line. With `room` it is cut to that width, with an ellipsis."""
    content = font.drawable(content)
    if room is not None:
        content = font.fitted(content, room, size, bold=bold)
    weight = ' font-weight="700"' if bold else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    colour = "" if fill == INK else f' fill="{fill}"'
    look = f'font-size="{number(size)}"{weight}{where}{colour}'
    return f'<text x="{number(x)}" y="{number(y)}" {look}>{escape(content, QUOTED)}</text>'


def rect(
    x: float, y: float, w: float, h: float, fill: Paint, *, r: float = 0, stroke: Paint | None = None, thick: float = 1
) -> str:
    """A rectangle, with corners of radius r."""
    round_ = f' rx="{number(r)}"' if r else ""
    return f'<rect {box(x, y, w, h)}{round_} fill="{fill}"{_line(stroke, thick)}/>'


def box(x: float, y: float, w: float, h: float) -> str:
    """Write the attributes of a rectangle: its upper left corner, its width and height."""
    return f'x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'


def styled(kind: str, x: float, y: float, content: object) -> str:
    """Write one line of text with a CSS class; y is its base line."""
    return f'<text class="{kind}" x="{number(x)}" y="{number(y)}">{quoted(str(content))}</text>'


def circle(x: float, y: float, r: float, fill: Paint, *, stroke: Paint | None = None, thick: float = 1) -> str:
    """A disc."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{fill}"{_line(stroke, thick)}/>'


def polygon(corners: Iterable[Point], fill: Paint, *, stroke: Paint | None = None, thick: float = 1) -> str:
    """A closed shape of straight lines."""
    join = ' stroke-linejoin="round"' if stroke else ""
    return f'<polygon points="{points(corners)}" fill="{fill}"{_line(stroke, thick)}{join}/>'


def line(corners: Sequence[Point], stroke: Paint, thick: float = 1, *, dashes: str = "") -> str:
    """A line through the points."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<polyline points="{points(corners)}" fill="none"{_line(stroke, thick)}{dashed} '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def moved(x: float, y: float, drawing: str, scale: float = 1) -> str:
    """A drawing, scaled and then moved."""
    sized = "" if scale == 1 else f" scale({scale:g})"
    return f'<g transform="translate({number(x)} {number(y)}){sized}">{drawing}</g>' if drawing else ""


def group(drawing: str, *, kind: str = "", hidden: bool = False) -> str:
    """A drawing as one element of a class, perhaps hidden from those who hear the page."""
    named = f' class="{kind}"' if kind else ""
    unheard = ' aria-hidden="true"' if hidden else ""
    return f"<g{named}{unheard}>{drawing}</g>"


def document(width: float, height: float, said: str, ground: Paint | str, drawing: str) -> str:
    """A whole picture in light colours on an opaque ground; `said` is its title for those who cannot see it."""
    said = "".join(letter for letter in said if letter.isprintable())
    drawing = palette.write_light(_ground(width, height, ground) + drawing)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(height)}" '
        f'viewBox="0 0 {number(width)} {number(height)}" role="img" aria-label={quoteattr(said)} '
        f'font-family="{font.FAMILY}, Verdana, sans-serif" fill="{INK.light}">'
        f"{drawing}</svg>\n"
    )


def _ground(width: float, height: float, ground: Paint | str) -> str:
    return f'<rect width="{number(width)}" height="{number(height)}" fill="{ground}"/>'


def _line(stroke: Paint | None, thick: float) -> str:
    wide = "" if thick == 1 else f' stroke-width="{number(thick)}"'
    return f' stroke="{stroke}"{wide}' if stroke else ""


def number(value: float) -> str:
    """Write a number with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def points(corners: Iterable[Point]) -> str:
    """Write the corners of a shape."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def quoted(text: str) -> str:
    """Write a text so that nothing in it is markup."""
    return escape(text, QUOTED)
