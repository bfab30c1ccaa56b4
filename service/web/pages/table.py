"""A table before its game begins: who sits there, what will be played and how fast; sitting down, and beginning."""

from flask import render_template

from domain.engine.game import Seat
from service.games.seat_names import display_names
from service.store.database import Connection
from service.store.streams import Head
from service.web.http.forms import Pages

bp = Pages("table", __name__)


def open_table_page(connection: Connection, head: Head, seat: Seat | None) -> str:
    """The page of a game that waits for players, for whoever sits on `seat`; None for somebody who does not yet."""
    names = display_names(connection, head)
    chairs = list(zip(head.table.chairs, names, strict=True))
    return render_template("table.html", head=head, title=head.rules.presentation.title, chairs=chairs, seat=seat)
