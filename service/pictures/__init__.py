"""Pictures of a position, for mails, pages and the API: one drawing of each board, from one seat's view.

A game has a picture if there is a package of its name here, "tammany-hall" as `tammany_hall`, with the modules
`page_map` and `captions`. Any other game is shown by its board as plain text.
"""

import textwrap
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from math import ceil
from typing import Any, Final, Protocol, cast

from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, say
from domain.rulesets import ruleset
from service.pictures import font, svg
from service.pictures.composing import png
from service.pictures.page import drawn_words, map_of
from service.pictures.palette import PAPER
from service.pictures.people import Person, drawn_people, people
from service.pictures.still import still_map, water

__all__ = ["alt_text", "board_svg", "captions_of", "has_drawing", "png", "stage_text", "unstarted_svg"]

WIDTH: Final = 600
"""Pixels across a picture."""
MARGIN: Final = 14
LONGEST: Final = 400
"""Characters of a text that stands in for a picture."""


class Captions(Protocol):
    """The module `captions` of a game: what its position comes to, in sentences."""

    def asked(self, view: View, people: Sequence[Person], /) -> list[Sentence]: ...

    def when(self, view: View, /) -> Sentence: ...

    def lead(self, view: View, people: Sequence[Person], /) -> Sentence: ...

    def points(self, view: View, /) -> list[Sentence]: ...


def has_drawing(kind: str) -> bool:
    """Whether a kind of game is drawn, not only written."""
    return find_spec(_package(kind)) is not None


def board_svg(kind: str, view: View, title: str, words: Words = str) -> str:
    """Return the position of a view as SVG without scripts and styles. `words` translates each label.

    Raises KeyError for an unknown kind of game.
    """
    rules = ruleset(kind)
    said = f"{title}. {alt_text(kind, view, words)}"
    if not has_drawing(kind):
        return _text_sheet(title, rules.presentation.board(view, words).splitlines(), said)
    board = map_of(kind, view, drawn_people(view, rules.notation.pawns), drawn_words(words))
    scale = WIDTH / board.width
    high = 2 * ceil(board.height * scale / 2)
    return svg.document(WIDTH, high, said, water(), svg.moved(0, 0, still_map(kind, board), scale))


def alt_text(kind: str, view: View, words: Words = str) -> str:
    """The position in two or three sentences, for those who cannot see the picture: at most 400 characters."""
    rules = ruleset(kind)
    if has_drawing(kind):
        text = ". ".join(map(words, _standing(kind, view, people(view, rules.notation.pawns)))) + "."
    else:
        text = rules.presentation.board(view, words)
    return textwrap.shorten(text, LONGEST, placeholder=" …")


def stage_text(kind: str, view: View) -> Sentence | None:
    """How far the game of a view is, in a few words; None for a kind of game that is not drawn."""
    return captions_of(kind).when(view) if has_drawing(kind) else None


def unstarted_svg(title: str, words: Words = str) -> str:
    """Return the picture of a game that has no position yet."""
    text = say("The game has not started")
    return _text_sheet(title, [drawn_words(words)(text)], f"{title}. {words(text)}.")


def _text_sheet(title: str, lines: Sequence[str], said: str) -> str:
    """Draw lines of text below a title. Long ones are broken."""
    room = WIDTH - 2 * MARGIN
    rows = [row for line in lines for row in font.wrapped(font.drawable(line), room, 13) or [""]]
    drawn = svg.text(MARGIN, 32, title, 19, bold=True, room=room)
    drawn += "".join(svg.text(MARGIN, 64 + 19 * place, row, 13) for place, row in enumerate(rows) if row)
    return svg.document(WIDTH, 72 + 19 * len(rows), said, PAPER, drawn)


def _standing(kind: str, view: View, seated: Sequence[Person]) -> list[Sentence]:
    """What is asked, how far the game is, and who leads while it is not over."""
    captions = captions_of(kind)
    leading = [] if view["phase"] == "over" else [captions.lead(view, seated)]
    return [*captions.asked(view, seated)[:1], captions.when(view), *leading]


def _package(kind: str) -> str:
    return f"{__name__}.{kind.replace('-', '_')}"


@cache
def captions_of(kind: str) -> Captions:
    """What a kind of game that is drawn says of its positions."""
    module: Any = import_module(f"{_package(kind)}.captions")
    return cast(Captions, module)
