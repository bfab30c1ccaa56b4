"""What else is done on the page of a game: talking, taking a seat back, asking for consent and giving it."""

import re
from collections.abc import Callable
from typing import Any, Final, get_args

from flask import Response, abort, request

from domain.engine.refusals import require
from domain.engine.sentences import say
from domain.table.consent import ClockTerms
from domain.table.state import Reason
from service.games import chat, clock_votes, notes, play, takeback
from service.store.database import Connection
from service.web.game.access import of_a_game
from service.web.game.forms import answered, seen, whole_number
from service.web.http.forms import Pages
from service.web.http.session import member, services

bp = Pages("game_table", __name__)
NOT_SURE: Final = say("Tick the box to resign: it cannot be taken back.")
LONGEST: Final = 60 * 24
"""The largest number of a time span: hours of what may be proposed."""


@bp.post("/g/<string:game>/seat")
@of_a_game
def sit(game: str) -> Response:
    """Take back the seat that the caretaker plays, or take over a vacant one."""
    return answered(game, lambda tx: _done(play.take_seat(services(), tx, game, member().id, None), "#status-heading"))


@bp.post("/g/<string:game>/resign")
@of_a_game
def resign(game: str) -> Response:
    """Resign for good, once the box is ticked."""

    def act(tx: Connection) -> str:
        require(request.form.get("sure") == "yes", "not-confirmed", "DESIGN-8", NOT_SURE)
        play.resign(services(), tx, game, member().id, seen=seen())
        return "#status-heading"

    return answered(game, act)


@bp.post("/g/<string:game>/talk")
@of_a_game
def talk(game: str) -> Response:
    """Say a line to the table, or to one seat."""
    text, to = request.form.get("text", ""), _hearer()
    return answered(game, lambda tx: _done(chat.say(services(), tx, game, member().id, text, to=to), "#talk-heading"))


@bp.post("/g/<string:game>/talk/withdraw")
@of_a_game
def unsay(game: str) -> Response:
    """Take back a line of one's own that the others have not seen yet."""
    number = request.form.get("line", "")
    line = int(number) if re.fullmatch("[0-9]{1,12}", number) else 0
    return answered(game, lambda tx: _done(chat.unsay(services(), tx, game, member().id, line), "#talk-heading"))


@bp.post("/g/<string:game>/note")
@of_a_game
def note(game: str) -> Response:
    """Keep a note to oneself, or throw it away where nothing is written."""
    text = request.form.get("note", "")
    return answered(game, lambda tx: _done(notes.write(services(), tx, game, member().id, text), "#note-heading"))


@bp.post("/g/<string:game>/back")
@of_a_game
def go_back(game: str) -> Response:
    """Take back what one did last, or all since a version: at once where that is free, else by a proposal."""
    reason: Reason = _choice("reason", get_args(Reason))
    return _on(game, takeback.go_back, to=whole_number(request.form.get("to")) or None, reason=reason)


@bp.post("/g/<string:game>/clock")
@of_a_game
def propose_clock(game: str) -> Response:
    """Propose to stop the clock, to let it run, or more time."""
    what: ClockTerms = _choice("propose", get_args(ClockTerms))
    number, unit = whole_number(request.form.get("number")) or 0, _choice("unit", ("D", "H"))
    seconds = 0 if what == "resume" else min(number, LONGEST) * (86400 if unit == "D" else 3600)
    return _on(game, clock_votes.propose, what, seconds)


@bp.post("/g/<string:game>/vote")
@of_a_game
def vote(game: str) -> Response:
    """Agree to what is proposed, or refuse it; its proposer may withdraw it."""
    module: Any = takeback if _choice("what", ("rewind", "clock")) == "rewind" else clock_votes
    answer = _choice("answer", ("agree", "refuse", "withdraw"))
    return _on(game, module.withdraw) if answer == "withdraw" else _on(game, module.vote, answer == "agree")


def _on(game: str, command: Callable[..., Any], *given: Any, **more: Any) -> Response:
    """Give a command to the game that the form was made for."""

    def act(tx: Connection) -> str:
        command(services(), tx, game, member().id, *given, **more, seen=seen())
        return "#status-heading"

    return answered(game, act)


def _hearer() -> int | None:
    """The seat that a line of talk is for; None for the whole table, which only an empty field means."""
    given = request.form.get("to", "")
    to = whole_number(given)
    if given and to is None:
        abort(400)
    return to


def _done(outcome: object, place: str) -> str:
    return place


def _choice(field: str, choices: tuple[Any, ...]) -> Any:
    """What was chosen; a form of ours offers nothing else, and the first where there is no such field."""
    chosen = request.form.get(field, choices[0])
    if chosen not in choices:
        abort(400)
    return chosen
