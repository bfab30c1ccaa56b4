"""The board as a picture in a mail: of what the reader's seat sees, and nothing else (OUT-02, OUT-30)."""

from dataclasses import dataclass

from domain.engine.sentences import Words
from service import pictures
from workers.letters.former.facts import Facts


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG and what it shows, in words."""

    png: bytes
    alt: str


def picture_of(kind: str, facts: Facts, title: str, words: Words) -> Picture | None:
    """The picture of a letter; None where nothing is on the board yet, or nobody draws this game."""
    if facts.document is None or not pictures.has_drawing(kind):
        return None
    svg = pictures.board_svg(kind, facts.document, title, words)
    return Picture(pictures.png(svg), pictures.alt_text(kind, facts.document, words))
