"""A game that is over in numbers: the page, its charts as pictures of their own, its tables and its document."""

from dataclasses import replace
from typing import Any, Final, NoReturn

from flask import Response, make_response, render_template
from flask_smorest import abort

from service.api.http.answers import answer
from service.games import play
from service.games.reader_view import ReaderView
from service.games.shared_pictures import shared_png
from service.games.statistics.document import document
from service.games.statistics.numbers import numbers
from service.games.statistics.tables import TABLES, table
from service.languages import ENGLISH
from service.pictures.charts import standalone
from service.store.database import Connection
from service.web.game.access import watched
from service.web.game.page import share_of, view_of
from service.web.http.forms import Pages
from service.web.http.session import services, viewer_id
from service.web.results.plots import plot
from service.web.results.report import Report, running_promise

bp = Pages("game_statistics", __name__)
PNG_WIDTH: Final = 960
NOT_OVER: Final = "The numbers of a game are told when it is over: ask again then."


@bp.get("/g/<string:game>/statistics")
@watched
def page(game: str) -> str:
    """What became of a game; of one that runs, what there will be to see."""
    with services().database.read() as connection:
        view = _look(connection, game)
        count = view.head.rules.presentation.statistics
        if count is None or not view.is_over or not view.is_counted:
            return render_template("game/no_statistics.html", view=view, promised=list(running_promise(view)))
        report, share = Report(view, count), share_of(view)
        return render_template("game/statistics.html", view=view, report=report, share=share, tables=TABLES)


@bp.get("/g/<string:game>/statistics/<string:name>.svg")
@watched
def svg(game: str, name: str) -> Response:
    """A chart as a picture of its own."""
    return Response(_drawn(game, name), content_type="image/svg+xml; charset=utf-8")


@bp.get("/g/<string:game>/statistics/<string:name>.png")
@watched
def picture(game: str, name: str) -> Response:
    """The same for where SVG is not shown."""
    drawn = shared_png(services(), game, None, _drawn(game, name), PNG_WIDTH)
    return Response(drawn, content_type="image/png")


@bp.get("/g/<string:game>/statistics/<string:name>.csv")
@watched
def spreadsheet(game: str, name: str) -> Response:
    """A table for a spreadsheet."""
    with services().database.read() as connection:
        shown = _document(_look(connection, game))
    if name not in TABLES:
        _refuse(404, "no-such-table", f"There is no such table: choose of {', '.join(TABLES)}.")
    header = {"Content-Disposition": f'attachment; filename="{game}-{name}.csv"'}
    return Response(table(shown, name), content_type="text/csv; charset=utf-8; header=present", headers=header)


@bp.get("/g/<string:game>/statistics.json")
@watched
def as_json(game: str) -> Response:
    """The whole document, as the API gives it, in English."""
    with services().database.read() as connection:
        view = _look(connection, game)
        return make_response(answer(_document(replace(view, language=ENGLISH))))


def _look(connection: Connection, game: str) -> ReaderView:
    head, seat = play.look(services(), connection, game, viewer_id())
    return view_of(connection, head, seat)


def _document(view: ReaderView) -> dict[str, Any]:
    """Return the numbers in the reader's words; a problem while there are none."""
    count = view.head.rules.presentation.statistics
    if count is None:
        _refuse(404, "no-statistics", f"Games of {view.head.rules.presentation.title} are not counted.")
    if not view.is_over:
        _refuse(409, "game-not-over", NOT_OVER)
    return document(numbers(view.services, view.connection, view.head, count), view.words_with_names)


def _drawn(game: str, name: str) -> str:
    with services().database.read() as connection:
        view = _look(connection, game)
        found = plot(view, _document(view), name)
        if found is None:
            _refuse(404, "no-such-chart", "There is no such chart of this game.")
        return standalone(found, name, f"{view.title} #{game}", view.words)


def _refuse(status: int, code: str, message: str) -> NoReturn:
    abort(status, message=message, code=code)
    raise AssertionError("abort returned")
