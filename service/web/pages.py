"""The plain pages: what this is, and in development the mailbox."""

from typing import Any, Final

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request
from flask_smorest import abort as problem_abort

from domain.rulesets import RULESETS
from service.container import Services
from service.mail import deliverability, development_mailbox, inbox, unsubscribes
from service.notify import digests
from service.store import players
from service.store.database import Connection
from service.web.local_access import is_local, is_own_page

bp = Blueprint("pages", __name__)
NOT_LOCAL: Final = (
    "The development mailbox holds everybody's codes, so it is shown on this machine alone: open it at 127.0.0.1 "
    "without a proxy, and answer on its own pages; or set WARDROOM_SMTP_URL to have mail sent."
)


def _services() -> Services:
    return current_app.extensions["wardroom"]  # type: ignore[no-any-return]


@bp.get("/")
def home() -> str:
    """What this is and where to go."""
    settings = _services().settings
    return render_template(
        "home.html", base=settings.base_url, mailbox=settings.smtp_url is None, rulesets=RULESETS.values()
    )


@bp.get("/u/<string:token>")
def unsubscribe_page(token: str) -> str:
    """What unsubscribing does, with a button; looking at it changes nothing (OUT-16)."""
    player, game = _read_link(token)
    with _services().database.read() as connection:
        return _mail_page(connection, token, player, game, done="")


@bp.post("/u/<string:token>")
def unsubscribe(token: str) -> str:
    """Stop mail about one game, at one click, without login (RFC 8058); or, on the page's other button, go on."""
    player, game = _read_link(token)
    again = request.form.get("action") == "resume"
    with _services().database.write() as tx:
        if frequency := digests.frequency_of(game):
            players.choose_digest(tx, player, frequency if again else players.NO_DIGEST)
        elif again:
            unsubscribes.unmute(tx, player, game)
        else:
            unsubscribes.mute(_services().database, tx, player, game)
        return _mail_page(tx, token, player, game, done="resumed" if again else "stopped")


def _mail_page(connection: Connection, token: str, player: str, game: str, *, done: str) -> str:
    state, _ = deliverability.state_of(connection, player, _services().database.clock.now(connection))
    frequency = digests.frequency_of(game)
    muted = (
        unsubscribes.is_muted(connection, player, game) if frequency is None else not digests.wanted(connection, player)
    )
    about = {"game": game, "frequency": frequency, "muted": muted}
    return render_template("unsubscribe.html", token=token, done=done, undeliverable=state == "stopped", **about)


def _read_link(token: str) -> tuple[str, str]:
    found = unsubscribes.read_token(_services(), token)
    if found is None:
        abort(404)
    return found


@bp.get("/mailbox")
def mails() -> str:
    """The development mailbox: every mail sent, newest first."""
    return render_template("mailbox.html", mails=development_mailbox.letters(_folder()))


@bp.get("/mailbox/<string:name>")
def mail(name: str) -> str:
    """One mail of the development mailbox: headers, text, and the way to its HTML part."""
    letter = development_mailbox.letter(_folder(), name)
    if letter is None:
        abort(404)
    return render_template("letter.html", letter=letter, said="")


@bp.post("/mailbox/<string:name>")
def answer_mail(name: str) -> Any:
    """Answer a mail of the development mailbox, as its reader's mail program would."""
    letter = development_mailbox.letter(_folder(), name)
    if letter is None:
        abort(404)
    try:
        development_mailbox.answer(_services(), letter, request.form.get("text", "")[:10_000])
    except inbox.NotAccepted as refused:
        return render_template("letter.html", letter=letter, said=refused.text), 422
    return redirect("/mailbox", 303)


@bp.get("/mailbox/<string:name>/html")
def mail_html(name: str) -> Response:
    """The HTML part of a mail, as a mail program would show it: without scripts, on a page of its own."""
    letter = development_mailbox.letter(_folder(), name)
    if letter is None or not letter.html:
        abort(404)
    response = Response(letter.html, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
        "frame-ancestors 'none'; sandbox"
    )
    return response


def _folder() -> development_mailbox.Folder:
    settings = _services().settings
    if settings.smtp_url is not None:
        abort(404)
    if not is_local(request) or (request.method == "POST" and not is_own_page(request)):
        problem_abort(404, message=NOT_LOCAL, code="mailbox-is-local")
    return development_mailbox.Folder(settings.data_dir / "mailbox")
