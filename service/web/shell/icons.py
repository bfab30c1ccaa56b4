"""Icons: the mark of the house as a browser's tab, a phone's home screen and a notification want it."""

from functools import cache
from typing import Final

from service.pictures import png

GROUND: Final = "#9a3324"
PAPER: Final = "#fbf7ee"
MARK: Final = "M6 9h4l2.2 9L15 9h2l2.8 9L22 9h4l-4.6 15h-3.200L16 16.5 13.800 24h-3.200z"
SIZES: Final = (180, 192, 512)
"""Pixels: of a home screen of Apple's, and those that manifests are to have."""
SAFE: Final = 0.72
"""How much smaller the mark is where a phone cuts its own shape out of the picture: all of it lies in the circle that
is never cut (W3C, maskable icons: four fifths across)."""
MOST_SHOWN: Final = 9


def tab_svg(waiting: int) -> str:
    """The icon of a tab, with how many decisions wait."""
    if not waiting:
        return _svg(_mark(), round_=6)
    text = str(waiting) if waiting <= MOST_SHOWN else f"{MOST_SHOWN}+"
    size = 15 if len(text) == 1 else 12
    badge = (
        f'<circle cx="22" cy="10" r="10" fill="{PAPER}"/><circle cx="22" cy="10" r="9" fill="#1d1a16"/>'
        f'<text x="22" y="{10 + size * 0.36:g}" fill="#fff" font-family="sans-serif" font-size="{size}" '
        f'font-weight="bold" text-anchor="middle">{text}</text>'
    )
    return _svg(_mark() + badge, round_=6)


@cache
def home_png(size: int, *, maskable: bool = False) -> bytes:
    """The icon of a home screen, so many pixels wide: a full square, for phones round its corners themselves."""
    return png(_svg(_mark(SAFE if maskable else 1), round_=0), size)


def _mark(scale: float = 1) -> str:
    move = 16 * (1 - scale)
    placed = "" if scale == 1 else f' transform="translate({move:g} {move:g}) scale({scale:g})"'
    return f'<path d="{MARK}" fill="{PAPER}"{placed}/>'


def _svg(drawn: str, *, round_: int) -> str:
    ground = f'<rect width="32" height="32" rx="{round_}" fill="{GROUND}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{ground}{drawn}</svg>'
