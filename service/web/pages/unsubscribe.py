"""Unsubscribing from mail about a game, or from a digest, by the link in a mail (RFC 8058)."""

from flask import Blueprint, abort, render_template, request

from service.mail import deliverability, unsubscribes
from service.notify import digests
from service.store.database import Connection
from service.store.people import players, readers
from service.web.http.language import read_by
from service.web.http.session import services

bp = Blueprint("unsubscribe", __name__)


@bp.get("/u/<string:token>")
def unsubscribe_page(token: str) -> str:
    """What unsubscribing does, with a button; looking at it changes nothing (OUT-16)."""
    player, game = _read_link(token)
    with services().database.read() as connection:
        return _mail_page(connection, token, player, game, done="")


@bp.post("/u/<string:token>")
def unsubscribe(token: str) -> str:
    """Stop mail about one game, at one click, without login (RFC 8058); or, on the page's other button, go on."""
    player, game = _read_link(token)
    again = request.form.get("action") == "resume"
    with services().database.write() as tx:
        if frequency := digests.frequency_of(game):
            players.choose_digest(tx, player, frequency if again else players.NO_DIGEST)
        elif again:
            unsubscribes.unmute(tx, player, game)
        else:
            unsubscribes.mute(services().database, tx, player, game)
        return _mail_page(tx, token, player, game, done="resumed" if again else "stopped")


def _mail_page(connection: Connection, token: str, player: str, game: str, *, done: str) -> str:
    state, _ = deliverability.state_of(connection, player, services().database.clock.now(connection))
    if players.exists(connection, player):
        read_by(readers.language_of(connection, player))
    frequency = digests.frequency_of(game)
    muted = (
        unsubscribes.is_muted(connection, player, game) if frequency is None else not digests.wanted(connection, player)
    )
    about = {"game": game, "frequency": frequency, "muted": muted}
    return render_template("unsubscribe.html", token=token, done=done, undeliverable=state == "stopped", **about)


def _read_link(token: str) -> tuple[str, str]:
    found = unsubscribes.read_token(services(), token)
    if found is None:
        abort(404)
    return found
