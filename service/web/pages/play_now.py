"""Play now: a game against two bots that begins in one click, for a visitor as a guest (decision 0123)."""

from typing import Final

from flask import Response, abort, make_response, redirect, render_template, request

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import say
from domain.rulesets import RULESETS
from domain.table.evolve import Rules
from service.accounts import guests
from service.games import first_game
from service.web.http.forms import Pages, ask_again
from service.web.http.language import language
from service.web.http.language import say as speak
from service.web.http.session import begin_session, services, viewer

NAME: Final = say("Guest")


def _stale() -> Response:
    """Lead a visitor whose form has lost its cookie to a new one."""
    return ask_again() if viewer() is not None else _to("/")


bp = Pages("play_now", __name__, stale=_stale)


def plays() -> list[Rules]:
    """Return the games that can begin at once, in their order. There are none if the host takes no guests."""
    return [RULESETS[kind] for kind in first_game.KINDS] if services().settings.guests else []


@bp.post("/play")
def begin() -> Response:
    """Begin a game and lead to it; a visitor is a guest from then on, and a guest who plays goes on."""
    if not services().settings.guests:
        abort(404)
    who, kind = viewer(), request.form.get("ruleset", "")
    try:
        with services().database.write() as tx:
            player = who.id if who is not None else guests.add_guest(services(), tx, speak(NAME), "UTC", language())
            response = _to(f"/g/{first_game.begin(services(), tx, player, kind)}")
            if who is None:
                begin_session(response, tx, player)
    except RuleViolation as refused:
        return make_response(render_template("guests/full.html", why=refused.message), 409)
    services().wakeup.wake()
    return response


def _to(address: str) -> Response:
    return redirect(address, 303)  # type: ignore[return-value]
