"""A game checked in the browser: its page, its bundle for those who are signed in by a cookie, the page as a file."""

from flask import Response, render_template

from service.api.bundles import hand_out
from service.api.http.callers import caller_network
from service.games import play
from service.games.long_poll import STRANGER
from service.games.reader_view import ReaderView
from service.web.check import offline
from service.web.check.texts import MODULES, translations
from service.web.game.access import watched
from service.web.game.page import view_of
from service.web.http.forms import Pages
from service.web.http.language import language
from service.web.http.session import services, viewer_id

bp = Pages("check", __name__)


@bp.get("/check")
def page() -> str:
    """The page for any bundle from disk: for whoever has one, with an account or without."""
    return _page(None)


@bp.get("/check/offline.html")
def file() -> Response:
    """The page as one file, which needs no server."""
    named = {"Content-Disposition": 'attachment; filename="wardroom-check.html"'}
    return Response(offline.page(), content_type="text/html; charset=utf-8", headers=named)


@bp.get("/g/<string:game>/check")
@watched
def of_game(game: str) -> str:
    """The page for one game, as whoever looks may see it."""
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, viewer_id())
        return _page(view_of(connection, head, seat))


@bp.get("/g/<string:game>/bundle")
@watched
def bundle(game: str) -> Response:
    """The game as whoever looks may see it, in one file: what `GET /api/v1/games/ID/bundle` gives to a token."""
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, viewer_id())
        return hand_out(connection, head, seat, viewer_id() or f"{STRANGER}{caller_network()}")


def _page(game: ReaderView | None) -> str:
    known = {"texts": translations(language()), "modules": offline.modules(MODULES / "main.js")}
    return render_template("check/page.html", game=game, online=True, **known)
