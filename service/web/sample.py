"""Sample positions, for those who have never seen a game: each as a spectator sees it, kept beside this module."""

from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from markupsafe import Markup

from domain.engine.sentences import Words
from domain.rulesets import RULESETS
from service.pictures.page import page_board
from service.pictures.people import drawn_people

FOLDER: Final = Path(__file__).parent / "samples"


@cache
def sample_view(kind: str) -> Any:
    """The view of a sample position; None for a game that has none."""
    path = FOLDER / f"{kind}.json"
    return msgspec.json.decode(path.read_bytes()) if path.exists() else None


def sample_board(kind: str, words: Words) -> Markup:
    """The board of a sample position, to be set into a page; "" for a game that has none."""
    view = sample_view(kind)
    if view is None:
        return Markup()
    people = drawn_people(view, RULESETS[kind].notation.pawns)
    return Markup(page_board(kind, view, people, words))  # noqa: S704 - our own drawing, whose texts it escapes
