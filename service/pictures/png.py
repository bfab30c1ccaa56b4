"""SVG made PNG: with the bundled font and no other, in few colours, and nothing in the file but the picture."""

import io
from math import ceil
from typing import Final, cast

from PIL import Image

from service.pictures.composing import NotComposed, compose, render

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
    pixels = _pixels(svg, width)
    sample = pixels.resize((ceil(width / SAMPLED), ceil(pixels.height / SAMPLED)), Image.Resampling.NEAREST)
    counted = sample.getcolors(sample.width * sample.height) or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in sorted(counted, reverse=True)[:MOST] for part in cast(Rgb, colour)])
    few = pixels.quantize(palette=palette, dither=Image.Dither.NONE)
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
