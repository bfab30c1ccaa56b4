"""The board of the page: the map with what a draft would change, what changed last, and what can be done with it."""

from dataclasses import dataclass

from service import pictures
from service.games.choices import walk
from service.games.reader_view import ReaderView
from service.pictures.page import Marks, changed_places, last_movers, page_people
from service.pictures.people import Person
from service.web.game.draft import Tray
from service.web.positions import Position, position


@dataclass(frozen=True, slots=True)
class Board:
    """The position, as it is or after the draft: map and tables where it is drawn, and all of it in words."""

    drawn: Position | None
    words: str
    is_draft: bool


def board_of(view: ReaderView, tray: Tray | None) -> Board | None:
    """Return the board, or None if the game ended before it began."""
    drafted = tray.position if tray is not None else None
    shown = drafted or view.document
    if shown is None:
        return None
    words = view.head.rules.presentation.board(shown, view.words)
    if not pictures.has_drawing(view.kind):
        return Board(None, words, drafted is not None)
    before = view.document if drafted is not None else None
    drawn = position(view.kind, shown, view.words, _marks(view, tray), before)
    return Board(drawn, words, drafted is not None)


def _marks(view: ReaderView, tray: Tray | None) -> Marks:
    """Places that are legal targets, that the draft changes, or that have changed since the last move."""
    question = tray.question if tray is not None else None
    options = question.options if question is not None else ()
    lit = frozenset(place for option in options for place in ([option.target] if option.target else option.leads_to))
    recent = _recent(view)
    movers = _movers(view, recent)
    return Marks(_drafted(view, tray) | _named(tray), recent, lit, movers, is_explained=True)


def _named(tray: Tray | None) -> frozenset[str]:
    """Return the places that the unfinished line names."""
    if tray is None or tray.question is None or tray.draft.step is None:
        return frozenset()
    words = tray.question.words.split()
    options = [walk(tray.draft.step, " ".join(words[:count])) for count in range(1, len(words) + 1)]
    return frozenset(option.target for option in options if option is not None and option.target)


def _drafted(view: ReaderView, tray: Tray | None) -> frozenset[str]:
    after = tray.position if tray is not None else None
    if after is None or view.document is None:
        return frozenset()
    return changed_places(view.kind, view.document, after, page_people(view.kind, view.document))


def _recent(view: ReaderView) -> frozenset[str]:
    """Return the places that changed since the reader's last move."""
    if not 0 < view.last_move < view.head.version or view.document is None:
        return frozenset()
    before = view.document_then(view.last_move)
    if before is None:
        return frozenset()
    return changed_places(view.kind, before, view.document, page_people(view.kind, view.document))


def _movers(view: ReaderView, recent: frozenset[str]) -> dict[str, Person]:
    """Return who changed these places last, as far as players did."""
    if not recent or view.document is None:
        return {}
    people = page_people(view.kind, view.document)
    events = (line.event for line in view.news if line.undone_by is None and line.version > view.last_move)
    return {place: people[seat] for place, seat in last_movers(view.kind, events).items()}
