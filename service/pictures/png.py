"""SVG made PNG: with the bundled font and no other, in few colours, and nothing in the file but the picture."""

import io
from typing import Final

from PIL import Image

from service.pictures.composing import NotComposed, compose, render

COLOURS: Final = 128


def png(svg: str, width: int = 600) -> bytes:
    """The picture so many pixels wide. For our own SVG alone: the renderer would read files an image names.

    The renderer knows full colour only, which makes flat pictures twice as large as they have to be in a mail.
    """
    few = _pixels(svg, width).quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=5)
    return out.getvalue()


def _pixels(svg: str, width: int) -> Image.Image:
    """The picture in full colour, composed where it can be, else drawn at once."""
    try:
        return compose(svg, width)
    except NotComposed:
        with Image.open(io.BytesIO(render(svg, width))) as image:
            return image.convert("RGB")
