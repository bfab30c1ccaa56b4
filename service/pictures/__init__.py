"""Pictures of a position, for mails, pages and the API. All that is drawn comes from one seat's view."""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, say
from domain.rulesets import RULESETS
from service.pictures.city_hall import captions as city_hall_words
from service.pictures.city_hall import drawing as city_hall
from service.pictures.people import Person, drawn_people, people
from service.pictures.png import png
from service.pictures.sheet import Block, drawn_words, heading, sheet
from service.pictures.tammany_hall import captions as tammany_hall_words
from service.pictures.tammany_hall import drawing as tammany_hall

__all__ = ["DRAWN", "alt_text", "board_svg", "png", "unstarted_svg"]

LONGEST: Final = 400
"""Characters of a text that stands in for a picture."""
BOARDS: Final[Mapping[str, Callable[[View, Sequence[Person], str, Words], list[Block]]]] = {
    "tammany-hall": tammany_hall.board,
    "city-hall": city_hall.board,
}
DRAWN: Final = frozenset(BOARDS)
"""The kinds of game there are pictures of."""
STANDINGS: Final[Mapping[str, Callable[[View, Sequence[Person]], list[Sentence]]]] = {
    "tammany-hall": tammany_hall_words.standing,
    "city-hall": city_hall_words.standing,
}


def board_svg(kind: str, view: View, title: str, words: Words = str) -> str:
    """The position a view shows, as SVG without scripts, references or ids; `words` says each label, as a translation.

    Raises KeyError for a kind of game that has no picture.
    """
    seated = drawn_people(view, RULESETS[kind].notation.pawns)
    blocks = BOARDS[kind](view, seated, title, drawn_words(words))
    return sheet(blocks, f"{title}. {alt_text(kind, view, words)}")


def alt_text(kind: str, view: View, words: Words = str) -> str:
    """The position in two or three sentences, for who cannot see the picture: at most 400 characters."""
    sentences = STANDINGS[kind](view, people(view, RULESETS[kind].notation.pawns))
    return textwrap.shorten(". ".join(map(words, sentences)) + ".", LONGEST, placeholder=" …")


def unstarted_svg(title: str, words: Words = str) -> str:
    """The picture of a game that has no position yet."""
    text = say("The game has not started")
    return sheet([heading(title, "", [drawn_words(words)(text)])], f"{title}. {words(text)}.")
