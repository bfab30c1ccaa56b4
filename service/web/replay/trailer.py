"""The last steps of a public game, to be played on a page for strangers: where its script finds them."""

from dataclasses import dataclass
from typing import Final

from service.container import Services
from service.games.reader_view import ReaderView
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.web.replay.looking import Looking
from service.web.replay.spot import OWN

MOST: Final = 24
"""Steps: what moves by itself ends by itself, in less than a minute (WCAG 2.2.2)."""


@dataclass(frozen=True, slots=True)
class Trailer:
    """The stops, what the first of them is told after, and the address that steps are asked at."""

    stops: list[int]
    start: int
    steps: str


def trailer_of(services: Services, connection: Connection, head: Head, language: str) -> Trailer | None:
    """The last steps of a public game as spectators see it; None where there are too few to be played."""
    view = ReaderView(services, connection, head, None, language)
    looking = Looking(view, OWN)
    shown = looking.steps[-MOST:]
    if len(shown) < 2:
        return None
    return Trailer([step.last for step in shown], shown[0].first - 1, f"{view.address}/steps/mine/{looking.epoch}")
