"""A position of a replay, ready to be shown: the game after one event, as some eyes saw it, drawn once."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from service import pictures
from service.games.reader_view import ReaderView
from service.games.replay import Moment
from service.pictures.page import Drawn, Marks
from service.web.positions import Position, position

NOTHING: Final = Drawn("", "", "", {})
"""The map of what is not drawn."""


@dataclass(frozen=True)
class Frame:
    """A game after one of its events, through some eyes."""

    view: ReaderView
    moment: Moment

    @cached_property
    def then(self) -> ReaderView:
        """The game as it stood, with those who sat there then."""
        return replace(self.view, now=self.moment.head, seat=self.moment.seat)

    @cached_property
    def document(self) -> dict[str, Any] | None:
        """The position; None before there was one."""
        return self.moment.document(self.then.board_names)

    @property
    def has_board(self) -> bool:
        """Whether there is a position yet."""
        return self.document is not None

    @cached_property
    def drawn(self) -> Position | None:
        """Map and tables; None where the game has no drawings, or no position yet."""
        return self.marked(frozenset())

    def marked(self, changed: frozenset[str]) -> Position | None:
        """The same with these places marked as changed."""
        if self.document is None or not pictures.has_drawing(self.view.kind):
            return None
        return position(self.view.kind, self.document, self.view.words, Marks(recent=changed))

    @property
    def map(self) -> Drawn:
        """The map in its pieces."""
        return NOTHING if self.drawn is None else self.drawn.drawn

    @property
    def text(self) -> str:
        """The position in words; "" before there was one."""
        return "" if self.document is None else self.view.head.rules.presentation.board(self.document, self.view.words)


def changed_places(before: Frame | None, after: Frame) -> frozenset[str]:
    """The ids of the places that look different; of those that had not been there, none."""
    if before is None or not before.map.places:
        return frozenset()
    return frozenset(after.map.since(before.map).places)
