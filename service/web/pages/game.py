"""A game at its table: `/g/ID`, from the invitation to the result, and its position as plain text.

A public game is for anybody to look at; whoever is not signed in sees what a spectator does.
"""

from typing import Final

from flask import Response, jsonify, make_response, redirect, render_template, request

from domain.engine.sentences import say
from service.api.http.callers import caller_is_gone, caller_network
from service.games import long_poll, play
from service.games.reader_view import ReaderView
from service.news import tickets
from service.store.event_store.streams import Head
from service.web.game.access import watched
from service.web.game.forms import whole_number
from service.web.game.page import HAND, Answer, game_page, view_of
from service.web.http.forms import Pages
from service.web.http.session import LIFE, services, set_cookie, viewer_id
from service.web.pages.replay import replayed
from service.web.pages.table import open_table_page

bp = Pages("game", __name__)
NOT_STARTED: Final = say("The game has not begun: nobody has to answer.")
LONGEST_WAIT: Final = 25
"""Seconds that a page waits for news in one request."""
NO_ROOM: Final = "25"
"""Seconds until it asks again, where nobody more can wait here."""


@bp.get("/g/<string:game>")
@watched
def page(game: str) -> Response:
    """One game as whoever looks may see it: its table while it waits for players, then the board; with `v` a replay."""
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, viewer_id())
        if head.table.status == "open":
            return make_response(open_table_page(connection, head, seat))
        view = view_of(connection, head, seat)
        if "hand" in request.args:
            return _with_hand(view, request.args["hand"])
        if "v" in request.args:
            return replayed(view)
        return make_response(game_page(view, Answer(done=whole_number(request.args.get("done")) or 0)))


def _with_hand(view: ReaderView, hand: str) -> Response:
    """Let this browser show the columns for a hand from now on, and show the game."""
    response = make_response(redirect(view.address))
    if view.player is not None:  # all strangers get the same page
        set_cookie(response, "left" if hand == "left" else "right", purpose=HAND, life=LIFE)
    return response


@bp.get("/g/<string:game>/text")
@watched
def text(game: str) -> Response:
    """The position in words alone, as mails have it."""
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, viewer_id())
        view = view_of(connection, head, seat)
        board = view.board or view.words(NOT_STARTED)
    return Response(board, content_type="text/plain; charset=utf-8")


@bp.get("/g/<string:game>/story")
@watched
def story(game: str) -> Response:
    """Show the whole story of a game as whoever looks may know it."""
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, viewer_id())
        view = view_of(connection, head, seat)
        return make_response(render_template("game/whole_story.html", view=view))


@bp.get("/g/<string:game>/news")
@watched
def news(game: str) -> Response:
    """The version of the game as soon as it is past the one named; 204 where it is not, after a while.

    With `stream=1` the version at once, and where a stream of news is, for a while.
    """
    after = whole_number(request.args.get("after")) or 0
    with services().database.read() as connection:
        head, _ = play.look(services(), connection, game, viewer_id())
    if "stream" in request.args:
        return _stream(head)
    waiter = viewer_id() or f"{long_poll.STRANGER}{caller_network()}"
    waited = head.version > after or long_poll.for_news(
        services(), waiter, game, after, LONGEST_WAIT, in_place=True, gone=caller_is_gone()
    )
    with services().database.read() as connection:
        head, _ = play.look(services(), connection, game, viewer_id())
    if head.version > after:
        return jsonify(version=head.version)
    return Response(status=204, headers={} if waited else {"Retry-After": NO_ROOM})


def _stream(head: Head) -> Response:
    """How a page hears of this game from the news process: by a ticket that opens nothing else, and not for long."""
    told: dict[str, object] = {"version": head.version}
    if services().settings.streams_news:
        key = tickets.ticket_key(services().settings.secret_key)
        told["stream"] = f"/news/?ticket={tickets.issue(key, [head.game])}"
    response = jsonify(told)
    response.headers["Cache-Control"] = "private, no-store"
    return response
