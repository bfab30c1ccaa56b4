"""A game at its table: `/g/ID`, from the invitation to the result."""

from flask import render_template

from domain.engine.game import Seat
from service.games import play
from service.games.seat_names import display_names
from service.games.views import state_document
from service.store.database import Connection
from service.store.streams import Head
from service.web.http.forms import Pages
from service.web.http.session import member, members_only, services
from service.web.pages.table import open_table_page

bp = Pages("game", __name__)


@bp.get("/g/<string:game>")
@members_only
def page(game: str) -> str:
    """One game as whoever looks may see it: its table while it waits for players, then the board."""
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, member().id)
        if head.table.status == "open":
            return open_table_page(connection, head, seat)
        return _board_page(connection, head, seat)


def _board_page(connection: Connection, head: Head, seat: Seat | None) -> str:
    """The position as text."""
    document = state_document(head.table, head, seat, display_names(connection, head))
    board = head.rules.presentation.board(document) if document else ""
    return render_template("game.html", head=head, board=board)
