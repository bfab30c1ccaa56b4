"""What else could have been done in a game that is over: asking for it, waiting for it, reading it."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response, jsonify, make_response, redirect, render_template, request

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import say
from service.games import analyses
from service.games.analyses import USUAL, AlreadyWaiting, Asked
from service.games.analysis_text import ABOUT, told_status
from service.store.database import Connection
from service.store.games.analyses import of_game
from service.store.games.seats import may_know
from service.web.game.access import of_a_game
from service.web.game.forms import whole_number
from service.web.game.lesson import Lesson
from service.web.game.page import view_of
from service.web.http.forms import Pages
from service.web.http.session import member, services

bp = Pages("game_analysis", __name__)
COSTS: Final = {
    1: say("quick: a few seconds"),
    2: say("careful: about a minute"),
    3: say("thorough: some minutes"),
}
"""By strength, how long it takes, about, once its turn has come."""


@bp.get("/g/<string:game>/analysis")
@of_a_game
def page(game: str) -> Response:
    """The analysis of a game that is over: how far it is, or what was found about one seat; else why there is none."""
    try:
        with services().database.read() as connection:
            strength = whole_number(request.args.get("strength"))
            return make_response(_page(connection, analyses.look(services(), connection, game, member().id, strength)))
    except RuleViolation as refused:
        return _refused(game, refused)


@bp.get("/g/<string:game>/analysis/progress")
@of_a_game
def progress(game: str) -> Response:
    """How far an analysis is, for a page that waits for it."""
    with services().database.read() as connection:
        strength = whole_number(request.args.get("strength"))
        asked = analyses.look(services(), connection, game, member().id, strength)
        view = view_of(connection, asked.head, asked.seat)
    told = view.words(told_status(asked.status, asked.done, asked.total))
    return jsonify(status=asked.status, done=asked.done, total=asked.total, text=told)


@bp.post("/g/<string:game>/analysis")
@of_a_game
def ask(game: str) -> Response:
    """Ask for an analysis."""
    strength = whole_number(request.form.get("strength")) or USUAL
    return _do(game, lambda tx: analyses.ask(services(), tx, game, member().id, strength), strength)


@bp.post("/g/<string:game>/analysis/cancel")
@of_a_game
def cancel(game: str) -> Response:
    """Give up an analysis that one asked for; whoever may not see the game any more is led away from it."""
    strength = whole_number(request.form.get("strength")) or USUAL
    done = _do(game, lambda tx: analyses.cancel(services(), tx, game, member().id, strength), strength)
    with services().database.read() as connection:
        is_seen = may_know(connection, game, member().id)
    return done if is_seen or done.status_code != 303 else redirect("/", 303)  # type: ignore[return-value]


def _page(connection: Connection, asked: Asked) -> str:
    view = view_of(connection, asked.head, asked.seat)
    seat = whole_number(request.args.get("seat"))
    if seat is None or seat >= len(view.names):
        seat = view.seat or 0
    version = whole_number(request.args.get("version")) or 0
    return render_template(
        "game/analysis.html",
        view=view,
        asked=asked,
        told=view.words(told_status(asked.status, asked.done, asked.total)),
        about=view.words(ABOUT),
        lesson=Lesson(view, asked, seat, version) if asked.status == "done" else None,
        costs={strength: COSTS[strength] for strength in analyses.affordable(asked.head)},
        others=[other for other in of_game(connection, asked.head.game) if other.strength != asked.strength],
        is_mine=asked.is_of(member().id),
    )


def _do(game: str, act: Callable[[Connection], Any], strength: int) -> Response:
    """Do what a button says and lead on to how it stands; what cannot be done is told on a page of its own."""
    try:
        with services().database.write() as tx:
            act(tx)
    except RuleViolation as refused:
        return _refused(game, refused)
    services().wakeup.wake()
    return redirect(f"/g/{game}/analysis?strength={strength}", 303)  # type: ignore[return-value]


def _refused(game: str, refused: RuleViolation) -> Response:
    other = refused.other if isinstance(refused, AlreadyWaiting) else None
    return make_response(render_template("game/no_analysis.html", game=game, why=refused.message, other=other), 409)
