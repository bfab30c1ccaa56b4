"""What the operator does to table talk: hide a line from everybody, and show it again."""

from collections.abc import Iterable, Mapping
from typing import Any

from service.container import Services
from service.operator.journal import Deed
from service.operator.people import HIDDEN, SHOWN, NotDone, notices
from service.store.database import Connection
from service.store.games import game_rows, talk_lines


class NoSuchLine(LookupError):
    """There is no such line of talk in this game, or its author took it back."""


def hide(services: Services, tx: Connection, game: str, line: int) -> Deed:
    """Hide a line of talk from all who could read it, in pages, mails and answers; its author is told.

    Raises NoSuchLine, and NotDone for one that is hidden. The text stays sealed where it is, so that it can be
    shown again, until its author is erased.
    """
    return _set(services, tx, game, line, hides=True)


def unhide(services: Services, tx: Connection, game: str, line: int) -> Deed:
    """Show a line again that was hidden. Raises NoSuchLine, and NotDone for one that is not hidden."""
    return _set(services, tx, game, line, hides=False)


def _set(services: Services, tx: Connection, game: str, line: int, *, hides: bool) -> Deed:
    game_rows.hold(tx, game)
    found = talk_lines.by_id(tx, game, line)
    if found is None:
        raise NoSuchLine
    is_hidden = found.hidden_by is not None
    if hides == is_hidden:
        raise NotDone("This line is hidden already." if hides else "This line is not hidden.")
    now = services.database.clock.now(tx)

    def settle(number: int) -> Iterable[Mapping[str, Any]]:
        talk_lines.hide(tx, game, line, number if hides else None)
        return notices([found.player_id], now, number)

    what = HIDDEN if hides else SHOWN
    return Deed(what, game=game, seat=found.seat, player=found.player_id, results={"message": line}, notices=settle)
