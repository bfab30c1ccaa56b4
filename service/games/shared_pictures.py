"""Pictures of games that are drawn once: for mail, page and API, by whatever process is asked first.

A picture is known by all that is drawn on it, and by the seat whose view that is: readers of one view share it, and
whatever anybody else may know changes neither the picture nor whether it was drawn before. As its SVG is made for each
reader anew, and says the version, the language and the names, nobody is shown what was so before.
"""

from hashlib import sha256
from typing import Final

from domain.engine.game import Seat
from service import pictures
from service.container import Services

WIDTH: Final = 600
"""Pixels, as boards are drawn."""
EDITION: Final = 3
"""Raised when the same SVG is to become another PNG."""


def shared_png(services: Services, game: str, seat: Seat | None, svg: str, width: int = WIDTH) -> bytes:
    """The picture of a game, as a seat sees it, None for nobody's, as PNG."""
    name = picture_name(seat, svg, width)
    kept = services.pictures.get(game, name)
    if kept is not None:
        return kept
    drawn = pictures.png(svg, width)
    services.pictures.put(game, name, drawn)
    return drawn


def picture_name(seat: Seat | None, svg: str, width: int) -> str:
    """What a picture is kept under."""
    return sha256(f"{EDITION}|{'' if seat is None else seat}|{width}|{svg}".encode()).hexdigest()
