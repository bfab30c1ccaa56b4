"""Playing on the page of a game: the draft is played, once, and only on the position that it was made for."""

from flask import Response, request

from service.games import play
from service.games.play import Orders
from service.store.database import Connection
from service.web.game.access import of_a_game
from service.web.game.draft import LONGEST, Sent, orders_of
from service.web.game.forms import KEY, answered, seen, seen_version
from service.web.game.page import view_of
from service.web.http.forms import Pages
from service.web.http.session import member, services

bp = Pages("game_moves", __name__)


@bp.post("/g/<string:game>/moves")
@of_a_game
def play_draft(game: str) -> Response:
    """Play all lines of the draft, or nothing."""
    sent = sent_draft()

    def act(tx: Connection) -> str:
        head = play.enter(services(), tx, game, member().id, expect=seen())
        view = view_of(tx, head, play.seated_at(head, member().id))
        done = play.move(services(), tx, head, member().id, Orders(text=orders_of(view, sent)))
        return f"?done={done.head.version}#status"

    return answered(game, act, sent)


def sent_draft() -> Sent:
    """The draft that a form holds."""
    text = request.form.get("text", "").replace("\r\n", "\n")
    return Sent(text[:LONGEST], seen_version(), request.form.get(KEY, ""))
