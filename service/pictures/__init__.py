"""Pictures of a position, for mails, pages and the API. All that is drawn comes from one seat's view.

A game has a picture where there is a package here of its name, "tammany-hall" as `tammany_hall`, with the modules
`drawing`, `captions` and, for pages, `places`; any other game is shown by its board as plain text.
"""

import textwrap
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, Protocol, cast

from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, say
from domain.rulesets import ruleset
from service.pictures.people import Person, drawn_people, people
from service.pictures.png import png
from service.pictures.sheet import Block, drawn_words, heading, sheet, text_block

__all__ = ["alt_text", "board_svg", "captions_of", "has_drawing", "png", "stage_text", "unstarted_svg"]

LONGEST: Final = 400
"""Characters of a text that stands in for a picture."""


class Drawing(Protocol):
    """The module `drawing` of a game."""

    def board(self, view: View, seated: Sequence[Person], title: str, said: Words, /) -> list[Block]: ...


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
    """The position a view shows, as SVG without scripts, references or ids; `words` says each label, as a translation.

    Raises KeyError for a kind of game that there is not.
    """
    rules = ruleset(kind)
    if not has_drawing(kind):
        text = rules.presentation.board(view, words)
        return sheet([heading(title, "", []), text_block(text.splitlines())], f"{title}. {alt_text(kind, view, words)}")
    seated = drawn_people(view, rules.notation.pawns)
    blocks = _drawing(kind).board(view, seated, title, drawn_words(words))
    return sheet(blocks, f"{title}. {alt_text(kind, view, words)}")


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
    """The picture of a game that has no position yet."""
    text = say("The game has not started")
    return sheet([heading(title, "", [drawn_words(words)(text)])], f"{title}. {words(text)}.")


def _standing(kind: str, view: View, seated: Sequence[Person]) -> list[Sentence]:
    """What is asked, how far the game is, and who leads while it is not over."""
    captions = captions_of(kind)
    leading = [] if view["phase"] == "over" else [captions.lead(view, seated)]
    return [*captions.asked(view, seated)[:1], captions.when(view), *leading]


def _package(kind: str) -> str:
    return f"{__name__}.{kind.replace('-', '_')}"


@cache
def _drawing(kind: str) -> Drawing:
    module: Any = import_module(f"{_package(kind)}.drawing")
    return cast(Drawing, module)


@cache
def captions_of(kind: str) -> Captions:
    """What a kind of game that is drawn says of its positions."""
    module: Any = import_module(f"{_package(kind)}.captions")
    return cast(Captions, module)
