"""Play now: a game against two bots that begins in one click, for a visitor as a guest (decision 0123)."""

import hashlib
from typing import Any, Final

from flask import Response, abort, make_response, redirect, render_template, request

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import say
from domain.rulesets import RULESETS
from service.accounts import guests, idempotency
from service.games import first_game
from service.kernel.ids import new_form_key
from service.store.database import Connection
from service.web.http.forms import Pages, ask_again
from service.web.http.language import language
from service.web.http.language import say as speak
from service.web.http.session import begin_session, services, viewer

NAME: Final = say("Guest")


def _stale() -> Response:
    """Lead a visitor whose form has lost its cookie to a new one."""
    return ask_again() if viewer() is not None else _to("/")


bp = Pages("play_now", __name__, stale=_stale)


def buttons() -> dict[str, Any]:
    """Return what the buttons need: the games that can begin at once, none if the host takes no guests, and a key."""
    plays = [RULESETS[kind] for kind in first_game.KINDS] if services().settings.guests else []
    return {"plays": plays, "play_key": new_form_key(services().entropy)}


@bp.post("/play")
def begin() -> Response:
    """Begin a game and lead to it; a visitor is a guest from then on, and a guest who plays goes on."""
    if not services().settings.guests:
        abort(404)
    who, kind = viewer(), request.form.get("ruleset", "")
    try:
        with services().database.write() as tx:
            player = who.id if who is not None else guests.add_guest(services(), tx, speak(NAME), "UTC", language())
            response = _to(_begun(tx, player, kind))
            if who is None:
                begin_session(response, tx, player)
    except RuleViolation as refused:
        return make_response(render_template("guests/full.html", why=refused.message), 409)
    services().wakeup.wake()
    return response


def _begun(tx: Connection, player: str, kind: str) -> str:
    """Begin a game and return its address. The same form of the same player again leads to the same game."""
    form = hashlib.sha256(f"{kind}|{request.form.get('key', '')}".encode()).hexdigest()
    claim = idempotency.claim(player, form, "POST", request.path, b"")
    kept = idempotency.replay(services().database, services().sealer, tx, claim)
    if kept is not None:
        return kept.body.decode()
    address = f"/g/{first_game.begin(services(), tx, player, kind)}"
    idempotency.keep(services().sealer, tx, claim, idempotency.Answer(303, [], address.encode()))
    return address


def _to(address: str) -> Response:
    return redirect(address, 303)  # type: ignore[return-value]
