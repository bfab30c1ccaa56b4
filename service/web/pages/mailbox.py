"""The development mailbox: every mail sent, and a way to answer it."""

from typing import Any, Final

from flask import Blueprint, Response, abort, redirect, render_template, request
from flask_smorest import abort as problem_abort

from service.mail import development_mailbox, inbox
from service.web.http.session import services
from service.web.local_access import is_local, is_own_page
from service.web.mailbox_list import groups, listed

bp = Blueprint("mailbox", __name__)
NOT_LOCAL: Final = (
    "The development mailbox holds everybody's codes, so it is shown on this machine alone: open it at 127.0.0.1 "
    "without a proxy, and answer on its own pages; or set WARDROOM_SMTP_URL to have mail sent."
)


@bp.get("/mailbox")
def mails() -> str:
    """The development mailbox: every mail sent, newest first, by person or by game."""
    base, by_game = services().settings.base_url, request.args.get("by") == "game"
    found = [listed(letter, base) for letter in development_mailbox.letters(_folder())]
    return render_template("mailbox.html", groups=groups(found, by_game=by_game), by_game=by_game)


@bp.get("/mailbox/<string:name>")
def mail(name: str) -> str:
    """One mail of the development mailbox: headers, text, and the way to its HTML part."""
    letter = development_mailbox.letter(_folder(), name)
    if letter is None:
        abort(404)
    return _letter_page(letter)


@bp.post("/mailbox/<string:name>")
def answer_mail(name: str) -> Any:
    """Answer a mail of the development mailbox, as its reader's mail program would."""
    letter = development_mailbox.letter(_folder(), name)
    if letter is None:
        abort(404)
    try:
        development_mailbox.answer(services(), letter, request.form.get("text", "")[:10_000])
    except inbox.NotAccepted as refused:
        return _letter_page(letter, refused.text), 422
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


def _letter_page(letter: development_mailbox.Letter, said: str = "") -> str:
    shown = listed(letter, services().settings.base_url)
    return render_template("letter.html", letter=letter, shown=shown, said=said)


def require_development() -> None:
    """Refuse what is for development alone: where mail is really sent, and to whoever is not on this machine."""
    if services().settings.smtp_url is not None:
        abort(404)
    if not is_local(request) or (request.method == "POST" and not is_own_page(request)):
        problem_abort(404, message=NOT_LOCAL, code="mailbox-is-local")


def _folder() -> development_mailbox.Folder:
    require_development()
    return development_mailbox.Folder(services().settings.data_dir / "mailbox")
