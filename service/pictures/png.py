"""SVG made PNG: with the bundled font and no other, in few colours, and nothing in the file but the picture."""

import io
from functools import cache
from itertools import product
from typing import Final

from PIL import Image, ImageColor

from service.pictures.composing import NotComposed, compose, render
from service.pictures.palette import INK, PALETTE

Rgb = tuple[int, ...]
STEPS: Final = (0.25, 0.5, 0.75)
"""How far edges go from a colour to the ink or to white beside it."""
NEAR: Final = 18
"""Colours that differ by no more, their three parts together, are one."""


def png(svg: str, width: int = 600) -> bytes:
    """The picture so many pixels wide. For our own SVG alone: the renderer would read files an image names.

    The renderer knows full colour only, which makes flat pictures twice as large as they have to be in a mail.
    """
    few = _pixels(svg, width).quantize(palette=_palette(), dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=4)
    return out.getvalue()


def _pixels(svg: str, width: int) -> Image.Image:
    """The picture in full colour, composed where it can be, else drawn at once."""
    try:
        return compose(svg, width)
    except NotComposed:
        with Image.open(io.BytesIO(render(svg, width))) as image:
            return image.convert("RGB")


@cache
def _palette() -> Image.Image:
    """An image of these colours: nobody looks for the best ones of each picture, which takes longer than to draw it."""
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in colours() for part in colour])
    return palette


def colours() -> list[Rgb]:
    """Every light colour of the boards as it is, and what edges have between them and ink or white; at most 256."""
    found = list(dict.fromkeys(_rgb(colour.light) for colour in PALETTE.values()))
    for other, colour, step in product((_rgb(INK.light), (255, 255, 255)), tuple(found), STEPS):
        between = tuple(round(a + (b - a) * step) for a, b in zip(other, colour, strict=True))
        if all(sum(abs(a - b) for a, b in zip(between, known, strict=True)) > NEAR for known in found):
            found.append(between)
    return found


def _rgb(value: str) -> Rgb:
    return ImageColor.getrgb(value)
