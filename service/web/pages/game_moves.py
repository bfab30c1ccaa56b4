"""Playing on the page of a game: a draft is rehearsed, then played, once, and only on the position it was made for."""

from typing import Final

from flask import Response, make_response, request

from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import say
from service.games import drafts, play
from service.games.drafts import Kept
from service.games.play import Orders
from service.store.database import Connection
from service.web.game.access import of_a_game
from service.web.game.draft import LONGEST, Sent, orders_of, played_at, to_keep, tray_of
from service.web.game.editing import COMPOSED, PLAYS, edited, filled
from service.web.game.forms import KEY, answered, seen, seen_version
from service.web.game.page import Answer, game_page, page_with, view_of
from service.web.http.forms import Pages
from service.web.http.session import member, services

bp = Pages("game_moves", __name__)
TOO_LONG: Final = say("Send at most {most} letters at a time; nothing of this was played.", most=LONGEST)


@bp.post("/g/<string:game>/draft")
@of_a_game
def rehearse(game: str) -> Response:
    """Show the draft as a button has changed it, with its consequences, and keep it for its player.

    Only *Play* and *Seal it* record an event. The form has one address for all its buttons, because text browsers
    ignore `formaction`.
    """
    if PLAYS & set(request.form):
        return play_draft(game)
    sent = _sent()
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, member().id)
        view = view_of(connection, head, seat)
        if played := played_at(view, sent):
            return make_response(game_page(view, Answer(done=played)))
        stale = sent.version if sent.version is not None and sent.version < head.version else 0
        changed = edited(view, sent, request.form) if seat is not None and view.may_order else sent
        tray = tray_of(view, changed)
        page, left, owed = page_with(view, Answer(sent=changed, stale=stale), tray), to_keep(view, tray), view.own_owed
    if left is not None and owed is not None:
        with services().database.write() as tx:
            drafts.keep(services(), tx, game, member().id, owed, left)
    return make_response(page)


@bp.post("/g/<string:game>/moves")
@of_a_game
def play_draft(game: str) -> Response:
    """Play all lines of the draft, or nothing; amounts that are sealed are played as they are filled in."""
    sent = _sent()

    def act(tx: Connection) -> str:
        if len(request.form.get("text", "")) > LONGEST:
            raise OrderNotUnderstood("bad-syntax", "DESIGN-8", "", TOO_LONG)
        head = play.enter(services(), tx, game, member().id, expect=seen())
        view = view_of(tx, head, play.seated_at(head, member().id))
        whole = edited(view, sent, request.form) if COMPOSED & set(request.form) else sent
        owed, left = view.own_owed, view.kept
        done = play.move(services(), tx, head, member().id, Orders(text=orders_of(view, whole), ends=True))
        if owed is not None and left.text:
            drafts.keep(services(), tx, game, member().id, owed, Kept())
        return f"?done={done.head.version}#status-heading"

    return answered(game, act, sent)


def _sent() -> Sent:
    """The draft that a form holds."""
    text = request.form.get("text", "").replace("\r\n", "\n")
    return Sent(text[:LONGEST], seen_version(), request.form.get(KEY, ""), filled=filled(request.form))
