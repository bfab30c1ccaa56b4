"""SVG drawn as PNG: with the bundled font and no other, in few colours, and nothing in the file but the picture."""

import io
from functools import lru_cache
from typing import Final

import resvg_py
from PIL import Image

from service.pictures import font

FONTS: Final = [str(font.PLAIN.path), str(font.BOLD.path)]
COLOURS: Final = 128


@lru_cache(maxsize=32)
def png(svg: str, width: int = 600) -> bytes:
    """The picture so many pixels wide. Only for our own SVG: the renderer would read files an image names.

    The renderer knows full colour only, which makes flat pictures twice as large as they have to be in a mail.
    """
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=FONTS, font_family=font.FAMILY
    )
    with Image.open(io.BytesIO(bytes(drawn))) as image:
        few = image.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=6)
    return out.getvalue()
