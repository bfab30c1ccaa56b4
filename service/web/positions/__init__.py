"""A position as pages show it: the map, and beside it tables of all that is not on the map.

A game has a module here and a template in `templates/positions/` of its name, where it has a drawing.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Protocol, cast

from markupsafe import Markup

from domain.engine.game import View
from domain.engine.sentences import Words
from service.pictures.page import Drawn, Marks, drawn_board, page_people
from service.pictures.people import Person

UNMARKED: Final = Marks()


@dataclass(frozen=True, slots=True)
class Position:
    """The map, and what the macros `near` and `beside` of the game's template show."""

    kind: str
    drawn: Drawn
    people: list[Person]
    tables: object
    """What the game's own template shows: see `tables` of its module."""

    @property
    def map(self) -> Markup:
        """The map as an element of the page."""
        return Markup(self.drawn.svg())  # noqa: S704 - every text in it is escaped


class Tables(Protocol):
    """The module of a game: its position as rows, in the reader's words."""

    def tables(self, view: View, people: list[Person], words: Words, /) -> object: ...


def position(
    kind: str, view: View, words: Words, marks: Marks = UNMARKED, before: View | None = None
) -> Position:  # fmt: skip
    """Return a position as a reader may see it, in the reader's words; `marks` are places of the map.

    `before` is the position that a draft would change. For games that `pictures.has_drawing` says are drawn.
    """
    people = page_people(kind, view)
    drawn = drawn_board(kind, view, people, words, marks, before)
    module: Any = import_module(f"{__name__}.{kind.replace('-', '_')}")
    return Position(kind, drawn, people, cast(Tables, module).tables(view, people, words))
