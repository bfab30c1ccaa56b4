"""The board of the page: the map with what a draft would change, what changed last, and what can be done with it."""

from dataclasses import dataclass

from markupsafe import Markup

from service import pictures
from service.games.history_queries import past
from service.pictures.page import Marks, changed_places, page_board, page_people
from service.web.game.draft import Tray
from service.web.game.view import GameView


@dataclass(frozen=True, slots=True)
class Board:
    """The position, as it is or after the draft; the map where one is drawn, and the same in words."""

    map: Markup | None
    words: str
    is_draft: bool


def board_of(view: GameView, tray: Tray | None) -> Board | None:
    """The board; None where the game ended before it began."""
    drafted = tray.position if tray is not None else None
    shown = drafted or view.document
    if shown is None:
        return None
    words = view.head.rules.presentation.board(shown, view.words)
    if not pictures.has_drawing(view.kind):
        return Board(None, words, drafted is not None)
    people = page_people(view.kind, shown)
    drawn = page_board(view.kind, shown, people, view.words, _marks(view, tray))
    return Board(Markup(drawn), words, drafted is not None)  # noqa: S704 - every text in it is escaped


def _marks(view: GameView, tray: Tray | None) -> Marks:
    """Places that are legal targets, that the draft changes, or that have changed since the last move."""
    question = tray.question if tray is not None else None
    choices = question.choices if question is not None else ()
    lit = frozenset(target for choice in choices for target in (choice.target, *choice.leads_to.split()) if target)
    return Marks(drafted=_drafted(view, tray), recent=_recent(view), lit=lit)


def _drafted(view: GameView, tray: Tray | None) -> frozenset[str]:
    after = tray.position if tray is not None else None
    if after is None or view.document is None:
        return frozenset()
    return changed_places(view.kind, view.document, after, page_people(view.kind, view.document))


def _recent(view: GameView) -> frozenset[str]:
    """What looks different from how the reader left it."""
    if not 0 < view.last_move < view.head.version or view.document is None:
        return frozenset()
    then = past(view.services, view.connection, view.head, view.seat, view.last_move)
    before = None if then is None else view.document_of(then.table)
    if before is None:
        return frozenset()
    return changed_places(view.kind, before, view.document, page_people(view.kind, view.document))
