"""The host's buttons for bots: one is called to a seat that nobody plays, or sent away for a person."""

from flask import Response, abort, request

from domain.engine.game import Seat
from service.games import bots
from service.web.game.access import of_a_game
from service.web.game.forms import whole_number
from service.web.http.forms import Pages
from service.web.http.session import member, services
from service.web.opening.bot_fields import bot_of
from service.web.pages.table import carry_out

bp = Pages("seat_bots", __name__)


@bp.post("/g/<string:game>/seats/<string:seat>/bot")
@of_a_game
def call(game: str, seat: str) -> Response:
    """Let a bot play a seat that nobody plays."""
    bot, number = bot_of(request.form), _seat(seat)
    if bot is None:
        abort(400)  # a form of ours offers nothing else
    return carry_out(
        game, lambda tx: bots.seat_bot(services(), tx, game, member().id, number, bot), f"/g/{game}#seats"
    )  # fmt: skip


@bp.post("/g/<string:game>/seats/<string:seat>/free")
@of_a_game
def send_away(game: str, seat: str) -> Response:
    """Take a seat from its bot, for a person to sit down there."""
    number = _seat(seat)
    return carry_out(game, lambda tx: bots.send_bot_away(services(), tx, game, member().id, number), f"/g/{game}#seats")


def _seat(text: str) -> Seat:
    number = whole_number(text)
    if number is None:
        abort(404)
    return number
