"""A game at its table: `/g/ID`, from the invitation to the result, and its position as plain text."""

from typing import Final

from flask import Response, jsonify, request

from domain.engine.sentences import say
from service.games import long_poll, play
from service.web.game.access import of_a_game
from service.web.game.forms import whole_number
from service.web.game.page import Answer, game_page, view_of
from service.web.http.forms import Pages
from service.web.http.session import member, services
from service.web.pages.table import open_table_page

bp = Pages("game", __name__)
NOT_STARTED: Final = say("The game has not begun: nobody has to answer.")
LONGEST_WAIT: Final = 25
"""Seconds that a page waits for news in one request."""
NO_ROOM: Final = "25"
"""Seconds until it asks again, where nobody more can wait here."""


@bp.get("/g/<string:game>")
@of_a_game
def page(game: str) -> str:
    """One game as whoever looks may see it: its table while it waits for players, then the board."""
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, member().id)
        if head.table.status == "open":
            return open_table_page(connection, head, seat)
        return game_page(view_of(connection, head, seat), Answer(done=whole_number(request.args.get("done")) or 0))


@bp.get("/g/<string:game>/text")
@of_a_game
def text(game: str) -> Response:
    """The position in words alone, as mails have it."""
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, member().id)
        view = view_of(connection, head, seat)
        board = view.head.rules.presentation.board(view.document, view.words) if view.document else ""
        board = board or view.words(NOT_STARTED)
    return Response(board, content_type="text/plain; charset=utf-8")


@bp.get("/g/<string:game>/news")
@of_a_game
def news(game: str) -> Response:
    """The version of the game as soon as it is past the one named; 204 where it is not, after a while."""
    after = whole_number(request.args.get("after")) or 0
    with services().database.read() as connection:
        head, _ = play.look(services(), connection, game, member().id)
    waited = head.version > after or long_poll.for_news(
        services(), member().id, game, after, LONGEST_WAIT, in_place=True
    )
    with services().database.read() as connection:
        head, _ = play.look(services(), connection, game, member().id)
    if head.version > after:
        return jsonify(version=head.version)
    return Response(status=204, headers={} if waited else {"Retry-After": NO_ROOM})
