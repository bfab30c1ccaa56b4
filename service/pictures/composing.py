"""A picture composed of pieces drawn before: each shape and each letter is drawn once, and laid where it belongs.

Drawing is dear, and most of a board is what other boards have: its map, its wards, the pieces and their numbers. A
piece is kept as its pixels, known by its markup, its size and how it lies among the pixels. It is always drawn alone,
so a picture has the same bytes whatever was drawn before; from the same picture drawn at once it differs by the
rounding of colours, and where letters stand by a sixteenth of a pixel.
"""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from math import ceil, floor
from typing import Final, cast

import resvg_py
from PIL import Image

from service.pictures import font, svg
from service.pictures.palette import INK

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
NOWHERE: Final[Box] = (0, 0, 0, 0)
Drawn = tuple[int, int, Image.Image]
"""The first pixels of a piece from its place on, to the right and down, and its pixels: opaque ones are RGB."""

FONTS: Final = [str(font.PLAIN.path), str(font.BOLD.path)]
MARGIN: Final = 2
"""Pixels around a shape, for its edges."""
SYMBOL: Final[Box] = (-4, -4, 46, 46)
"""A box around each symbol of the boards, in its own units."""
LONGEST: Final = 300.0
"""What the numbers in a path may come to, for it to be a piece."""
PARTS: Final = 100
"""Parts of a pixel that are told apart where a shape or text lies between two."""
PARTS_OF_LETTERS: Final = 8
"""The same of a letter in a text."""
ANCHORS: Final = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""The share of a text that stands to the left of its place."""

_HEAD: Final = re.compile(
    r'<svg xmlns="http://www.w3.org/2000/svg" width="([0-9.]+)" height="([0-9.]+)" viewBox="0 0 \1 \2"[^>]*>'
    r'<rect width="\1" height="\2" fill="(#[0-9a-f]{6})"/>'
)
"""How a document begins: its size, and what it lies on."""
_ELEMENT: Final = re.compile(
    r"<svg>(?P<ground>.*?)</svg>"
    r'|<g data-piece="[a-z-]+" transform="(?P<lies>[^"]*)">(?P<symbol>(?:<[a-z]+ [^<>]*/>)*)</g>'
    r'|<g transform="(?P<moved>[^"]*)">|(?P<end></g>)'
    r"|(?P<leaf><(?:rect|circle|polygon|polyline|path) [^<>]*/>|<text [^<>]*>[^<>]*</text>)"
)
_TRANSFORM: Final = re.compile(r"translate\((-?[0-9.]+) (-?[0-9.]+)\)(?: scale\(([0-9.]+)\))?")
_ATTRIBUTE: Final = re.compile(r' ([a-z-]+)="([^"]*)"')
_NUMBER: Final = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")


class NotComposed(Exception):
    """A picture with something in it that is not known here: it is drawn at once."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something to be drawn: its markup, its scale, its distance to the right and down from a whole pixel."""

    markup: str
    scale: float
    right: float
    down: float
    box: Box
    """The room it takes, in its own units."""
    is_ground: bool = False


Placed = tuple[int, int, Piece]
"""The pixel that a piece lies at."""


def compose(picture: str, width: int) -> Image.Image:
    """The picture so many pixels wide, in full colour. Raises NotComposed."""
    head = _HEAD.match(picture)
    if head is None:
        raise NotComposed
    scale = width / float(head[1])
    height = float(head[2]) * scale
    if height != round(height):
        raise NotComposed
    canvas = Image.new("RGB", (width, int(height)), head[3])
    for x, y, piece in _placed(picture[head.end() :].strip().removesuffix("</svg>"), scale, canvas.size):
        left, top, pixels = _pixels(piece)
        canvas.paste(pixels, (x + left, y + top), None if pixels.mode == "RGB" else pixels)
    return canvas


def render(picture: str, width: int) -> bytes:
    """The picture as the renderer draws it, a PNG in full colour. For our own SVG alone: it would read files."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture, width=width, skip_system_fonts=True, font_files=FONTS, font_family=font.FAMILY
        )
    )


def _placed(drawing: str, scale: float, size: tuple[int, int]) -> Iterator[Placed]:
    """Yield the pieces of a drawing in their order. Raises NotComposed."""
    places = [(scale, 0.0, 0.0)]
    at = 0
    while at < len(drawing):
        found = _ELEMENT.match(drawing, at)
        if found is None:
            raise NotComposed
        at = found.end()
        if leaf := found["leaf"]:
            yield _placed_piece(leaf, places[-1], None if leaf.startswith("<text") else _extent(leaf))
        elif symbol := found["symbol"]:
            yield _placed_piece(symbol, _within(places[-1], found["lies"]), SYMBOL)
        elif ground := found["ground"]:
            yield _placed_ground(ground, places[-1], size)
        elif found["end"]:
            places.pop()
        else:
            places.append(_within(places[-1], found["moved"]))


def _within(place: tuple[float, float, float], transform: str) -> tuple[float, float, float]:
    """Return the scale and origin of a group. Raises NotComposed."""
    (size, right, down), (x, y, more) = place, _moved(transform)
    return size * more, right + size * x, down + size * y


def _placed_piece(markup: str, place: tuple[float, float, float], box: Box | None, parts: int = PARTS) -> Placed:
    scale, right, down = place
    (x, more_right), (y, more_down) = divmod(round(right * parts), parts), divmod(round(down * parts), parts)
    return x, y, Piece(markup, round(scale, 4), more_right / parts, more_down / parts, box or NOWHERE)


def _placed_ground(markup: str, place: tuple[float, float, float], size: tuple[int, int]) -> Placed:
    """Return a ground as a piece that takes the whole canvas."""
    x, y, piece = _placed_piece(markup, place, None)
    left, top, right, bottom = (side / piece.scale for side in (-x, -y, size[0] - x, size[1] - y))
    return x, y, replace(piece, box=(left, top, right, bottom), is_ground=True)


@lru_cache(maxsize=1024)
def _moved(transform: str) -> tuple[float, float, float]:
    """How far right and down a group is moved, and how it is scaled. Raises NotComposed."""
    found = _TRANSFORM.fullmatch(transform)
    if found is None:
        raise NotComposed
    return float(found[1]), float(found[2]), float(found[3] or 1)


def _pixels(piece: Piece) -> Drawn:
    """The pixels of a piece, drawn now or before. Raises NotComposed."""
    if piece.markup.startswith("<text"):
        return _text(piece)
    return _ground(piece) if piece.is_ground else _shape(piece)


@lru_cache(maxsize=8)
def _ground(piece: Piece) -> Drawn:
    """A map without what changes on it, a megabyte."""
    return _draw(piece, 0)


@lru_cache(maxsize=512)
def _shape(piece: Piece) -> Drawn:
    return _draw(piece, MARGIN)


@lru_cache(maxsize=384)
def _text(piece: Piece) -> Drawn:
    """A line of text in its colour."""
    look, content = _parsed(piece.markup)
    letters = [
        (x + left, y + top, mask)
        for x, y, letter in _letters(piece, look, content)
        for left, top, mask in (_letter(letter),)
    ]
    left, top = min((x for x, *_ in letters), default=0), min((y for _, y, _ in letters), default=0)
    right = max((x + mask.width for x, _, mask in letters), default=1)
    bottom = max((y + mask.height for _, y, mask in letters), default=1)
    covered = Image.new("L", (right - left, bottom - top))
    for x, y, mask in letters:
        covered.paste(255, (x - left, y - top), mask)
    text = Image.new("RGBA", covered.size, look.get("fill", INK.light))
    text.putalpha(covered)
    return left, top, text


def _letters(piece: Piece, look: Mapping[str, str], content: str) -> Iterator[Placed]:
    """The letters of a text side by side, as far apart as they are wide: the font has no other rule."""
    bold, size = _is_bold(look), float(look["font-size"])
    x = float(look["x"]) - ANCHORS[look.get("text-anchor", "start")] * font.width(content, size, bold=bold)
    down = piece.down + float(look["y"]) * piece.scale
    for letter in content:
        if letter != " ":
            place = (piece.scale, piece.right + x * piece.scale, down)
            markup = _letter_markup(letter, size, bold=bold)
            yield _placed_piece(markup, place, _extent(markup), PARTS_OF_LETTERS)
        x += font.width(letter, size, bold=bold)


@lru_cache(maxsize=1024)
def _letter_markup(letter: str, size: float, *, bold: bool) -> str:
    return svg.text(0, 0, letter, size, bold=bold)


@lru_cache(maxsize=1536)
def _letter(piece: Piece) -> Drawn:
    """How far a letter covers each pixel."""
    left, top, pixels = _draw(piece, MARGIN)
    return left, top, pixels.getchannel("A") if pixels.mode == "RGBA" else Image.new("L", pixels.size, 255)


def _draw(piece: Piece, margin: int) -> Drawn:
    """Return the pixels of a piece, without empty margins."""
    left, top = (floor(side * piece.scale) - margin for side in piece.box[:2])
    wide, high = (
        ceil(side * piece.scale + 1) + margin - first for side, first in zip(piece.box[2:], (left, top), strict=True)
    )
    place = f"translate({piece.right - left} {piece.down - top}) scale({piece.scale})"
    drawing = svg.document(wide, high, "", "none", f'<g transform="{place}">{piece.markup}</g>')
    with Image.open(io.BytesIO(render(drawing, wide))) as image:
        x, y, right, bottom = image.getbbox() or (0, 0, 1, 1)
        pixels = image.crop((x, y, right, bottom))
    opaque = pixels.getchannel("A").getextrema() == (255, 255)
    return left + x, top + y, pixels.convert("RGB") if opaque else pixels


def _extent(leaf: str) -> Box:
    """What an element may touch, in its own units, with the line around it. Raises NotComposed."""
    look, content = _parsed(leaf)
    half = float(look.get("stroke-width", 1)) / 2 if "stroke" in look else 0.0
    left, top, right, bottom = _outline(leaf[1:].split(" ", 1)[0], look, content)
    return left - half, top - half, right + half, bottom + half


def _is_bold(look: Mapping[str, str]) -> bool:
    return look.get("font-weight", "400") >= "600"


def _parsed(leaf: str) -> tuple[dict[str, str], str]:
    """The attributes of an element, and the text in it."""
    opening, _, rest = leaf.partition(">")
    return dict(_ATTRIBUTE.findall(opening)), unescape(rest.removesuffix("</text>"))


def _outline(tag: str, look: Mapping[str, str], content: str) -> Box:
    """The same without that line. Raises NotComposed for a path that leads far."""
    match tag:
        case "rect":
            x, y = float(look.get("x", 0)), float(look.get("y", 0))
            return x, y, x + float(look["width"]), y + float(look["height"])
        case "circle":
            x, y, r = (float(look[name]) for name in ("cx", "cy", "r"))
            return x - r, y - r, x + r, y + r
        case "text":  # a letter at 0, 0: it may reach a little beyond its width
            size = float(look["font-size"])
            return -size / 2, -1.2 * size, font.width(content, size, bold=_is_bold(look)) + size / 2, size / 2
        case "path":
            reach = sum(abs(float(number)) for number in _NUMBER.findall(look["d"]))
            if reach > LONGEST:
                raise NotComposed
            return -reach, -reach, reach, reach
        case _:
            numbers = [float(number) for number in _NUMBER.findall(look["points"])]
            return min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])


Rgb = tuple[int, int, int]
MOST: Final = 256
"""Colours in a file."""
SAMPLED: Final = 3
"""One pixel in so many, each way, is counted."""


def png(svg: str, width: int = 600) -> bytes:
    """The picture so many pixels wide. For our own SVG alone: the renderer would read files an image names.

    The renderer knows full colour only, which makes flat pictures twice as large as a mail needs. The most frequent
    colours stay as they are, and only the edges of shapes change a little.
    """
    pixels = _in_full_colour(svg, width)
    sample = pixels.resize((ceil(width / SAMPLED), ceil(pixels.height / SAMPLED)), Image.Resampling.NEAREST)
    counted = sample.getcolors(sample.width * sample.height) or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in sorted(counted, reverse=True)[:MOST] for part in cast(Rgb, colour)])
    few = pixels.quantize(palette=palette, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=4)
    return out.getvalue()


def _in_full_colour(svg: str, width: int) -> Image.Image:
    """The picture in full colour, composed where it can be, else drawn at once."""
    try:
        return compose(svg, width)
    except NotComposed:
        with Image.open(io.BytesIO(render(svg, width))) as image:
            return image.convert("RGB")
