"""Presentation: how a game is shown and told to people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from domain.engine.game import Event, View
from domain.engine.sentences import Words


class Drawing(Protocol):
    """A view as plain text, in the language of a speaker: English unless told otherwise."""

    def __call__(self, view: View, words: Words = str) -> str: ...


@dataclass(frozen=True, slots=True)
class Narrative:
    """How a whole game is told, beyond a sentence on each fact."""

    chapter: Callable[[Any], tuple[str, str] | None] = lambda event: None
    """The part that begins with a fact, if one does: what it is a part of ("" for as before), and its name."""
    scenes: frozenset[type[Event]] = frozenset()
    """Facts that begin a paragraph."""
    passing: frozenset[type[Event]] = frozenset()
    """Facts that need no word where all the others are told: whose turn it is, and that it ends."""
    tell_all: Callable[[Any, Sequence[str]], str] = lambda event, names: ""
    """As `tell`, with what is sealed, of a fact of which that is known; "" for any other."""
    tells_end: bool = False
    """Whether its own facts tell the scores and who has won, so that the table need not say it again."""
