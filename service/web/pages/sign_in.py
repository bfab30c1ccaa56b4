"""Signing in and out: by a code or a link that is mailed (S-20, S-22; docs/decisions/0054-signing-in-by-a-link.md)."""

import re
from typing import Any, Final

from flask import Response, abort, make_response, redirect, render_template, request
from marshmallow import EXCLUDE, Schema, ValidationError

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import say
from service.accounts import guests, passkeys, people, sign_in
from service.accounts.names import LONGEST_NAME
from service.accounts.passkeys import BadPasskey
from service.api.http.callers import caller_network
from service.api.players import EmailField, NameField
from service.kernel.ids import new_code
from service.privacy import erase_guests
from service.web.http.faults import faults_of
from service.web.http.forms import Pages, browser_secret
from service.web.http.language import language
from service.web.http.own_paths import HOME, own_path
from service.web.http.session import (
    begin_session,
    cookie_name,
    drop_cookie,
    end_session,
    forget_browser,
    services,
    set_cookie,
    viewer,
)
from service.web.http.unsent_forms import ask_to_confirm, carried, written

LINK: Final = "link"
NEXT: Final = "next"
"""Cookies, for as long as a link is good: its secret, so that it stands in no address; and where to go then."""
LIFE: Final = 600
"""Seconds (`sign_in.CODE_LIFE`)."""
FIELDS: Final = ("email", "name", "timezone", "code", "request", "next")
SECRET: Final = re.compile(r"[\w-]{43}", re.ASCII)
WRONG_CODE: Final = say("This code does not fit: it is mistyped, used, older than ten minutes, or of another mail.")
NO_PASSKEY: Final = say("This passkey was not recognised here. Sign in by mail instead.")
TOO_OLD: Final = say("This page was too old: please send it again.")
Filled = dict[str, str]
"""What somebody typed, by field."""


class AskSchema(Schema):
    """Somebody who wants to sign in, or up."""

    class Meta:
        unknown = EXCLUDE

    email = EmailField(required=True)
    name = NameField()


def _stale() -> Response:
    """A form of these pages that was made in another session: in another tab, they have signed in or out meanwhile."""
    form = carried()
    if request.path == "/sign-out" and viewer() is not None:
        return ask_to_confirm(written())
    if viewer() is None:
        return _ask_page(_filled(), {"form": TOO_OLD}, 409)
    return ask_to_confirm(form, 200) if form is not None else _go_on(own_path(request.form.get("next", "")))


bp = Pages("sign_in", __name__, stale=_stale)


@bp.get("/sign-in")
def page() -> Response:
    """Show the form to sign in, or to keep a guest's game. Members are led on."""
    after, who = own_path(request.args.get("next", "")), viewer()
    return _ask_page({"next": after}, {}) if who is None or who.is_guest else _go_on(after)


@bp.post("/sign-in")
def ask() -> Response:
    """Have a code mailed; the same page for every address."""
    filled = _filled()
    try:
        wanted = AskSchema().load({name: filled[name].strip() for name in ("email", "name") if filled[name].strip()})
    except ValidationError as error:
        return _ask_page(filled, faults_of(error), 422)
    with services().database.write() as tx:
        profile = _profile({"name": _name_in(wanted["email"]), **wanted}, filled["timezone"]) | _as_guest()
        secret = sign_in.ask(services(), tx, wanted["email"], caller=caller_network(), profile=profile)
    services().wakeup.wake()
    response = _code_page({**filled, **wanted, "request": secret}, {})
    set_cookie(response, own_path(filled["next"]), purpose=NEXT, life=LIFE)
    return response


@bp.get("/sign-in/code")
def code_page() -> Response:
    """The page for the code is the answer to a form: whoever comes back to its address begins anew."""
    return redirect("/sign-in", 303)  # type: ignore[return-value]


@bp.post("/sign-in/code")
def confirm() -> Response:
    """Sign in by the code from the mail."""
    filled = _filled()
    address = filled["email"].replace("\0", "")  # which PostgreSQL takes in no text
    given = {"request": filled["request"], "caller": caller_network()}
    try:
        with services().database.write() as tx:
            player = sign_in.enter(services(), tx, address, filled["code"], **given)
            response = None if player is None else begin_session(_go_on(own_path(filled["next"])), tx, player)
    except RuleViolation as refused:
        return _code_page(filled, {"code": refused.message}, 409)  # a guest whose address has an account
    return _code_page(filled, {"code": WRONG_CODE}, 422) if response is None else _welcome(response)


@bp.get("/sign-in/<string:secret>")
def take_link(secret: str) -> Response:
    """Take the secret of a link out of the address, which may be kept anywhere, into a cookie; and where to go then."""
    if not SECRET.fullmatch(secret):
        abort(404)
    response: Response = redirect("/sign-in/link", 303)  # type: ignore[assignment]
    set_cookie(response, secret, purpose=LINK, life=LIFE)
    if after := request.args.get(NEXT):
        set_cookie(response, own_path(after), purpose=NEXT, life=LIFE)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@bp.get("/sign-in/link")
def link_page() -> Response:
    """What the link does, with a button: looking at it changes nothing, whoever follows links in mails."""
    secret = request.cookies.get(cookie_name(LINK), "")
    with services().database.read() as connection:
        asked = sign_in.find_link(services(), connection, secret)
        name = "" if asked is None else sign_in.name_of(connection, asked)
    address = "" if asked is None else asked.email_key
    return make_response(render_template("sign_in/link.html", name=name, address=address), 200 if name else 410)


@bp.post("/sign-in/link")
def follow_link() -> Response:
    """Sign this browser in by the link from the mail."""
    after = own_path(request.cookies.get(cookie_name(NEXT), ""))
    try:
        with services().database.write() as tx:
            player = sign_in.enter_by_link(services(), tx, request.cookies.get(cookie_name(LINK), ""))
            response = None if player is None else begin_session(_go_on(after), tx, player)
    except RuleViolation as refused:
        return make_response(render_template("sign_in/link.html", name="", address="", refused=refused.message), 409)
    if response is None:
        return make_response(render_template("sign_in/link.html", name="", address=""), 410)
    return _welcome(response)


@bp.post("/sign-in/passkey/options")
def passkey_options() -> Response:
    """What the browser's own dialogue needs; for the script that opens it."""
    with services().database.read() as connection:
        options = passkeys.ask_to_sign_in(services(), connection, browser_secret())
    return Response(options, content_type="application/json")


@bp.post("/sign-in/passkey")
def enter_by_passkey() -> Response:
    """Sign in by what a passkey answered."""
    filled = _filled()
    try:
        with services().database.write() as tx:
            player = passkeys.sign_in(services(), tx, browser_secret(), request.form.get("credential", ""))
            response = begin_session(_go_on(own_path(filled["next"])), tx, player)
    except BadPasskey:
        return _ask_page(filled, {"form": NO_PASSKEY}, 422)
    return _welcome(response)


@bp.post("/sign-out")
def sign_out() -> Response:
    """Sign this browser out, and have it forget what it keeps of us. A guest is asked, and then erased."""
    who = viewer()
    if who is not None and who.is_guest:
        if request.form.get("sure") != "yes":
            return make_response(render_template("guests/leave.html"))
        erase_guests.erase(services(), [who.id])
        return forget_browser(_go_on(HOME))
    with services().database.write() as tx:
        return end_session(_go_on(HOME), tx)


def _welcome(response: Response) -> Response:
    """The answer that begins a session: it leads to the page that was asked for, or holds the form not taken."""
    form = carried()
    if form is not None:
        response.set_data(ask_to_confirm(form).get_data())
        response.status_code = 200
        del response.headers["Location"]
    for purpose in (LINK, NEXT):
        drop_cookie(response, purpose)
    return response


def _go_on(after: str) -> Response:
    return redirect(after, 303)  # type: ignore[return-value]


def _filled() -> Filled:
    return {name: request.form.get(name, "")[:2_000] for name in FIELDS}


def _name_in(address: str) -> str:
    """What to call somebody new who gave no name: as before the @, if that is one; they change it when they like."""
    try:
        name: str = NameField().deserialize(address.partition("@")[0][:LONGEST_NAME])
    except ValidationError:
        return f"Player {new_code(services().entropy)[:4]}"
    return name


def _as_guest() -> Filled:
    """Return the part of a profile that names the guest who asks. It is empty for anybody else."""
    who = viewer()
    return {guests.GUEST: who.id} if who is not None and who.is_guest else {}


def _profile(wanted: Filled, zone: str) -> Filled:
    return {**wanted, "timezone": zone if people.is_timezone(zone) else "UTC", "language": language()}


def _ask_page(filled: Filled, faults: dict[str, Any], status: int = 200) -> Response:
    shown = {"filled": filled, "faults": faults, "next": own_path(filled.get("next", "")), "carried": carried()}
    return make_response(render_template("sign_in/ask.html", **shown), status)


def _code_page(filled: Filled, faults: dict[str, Any], status: int = 200) -> Response:
    shown = {"filled": filled, "faults": faults, "next": own_path(filled["next"]), "carried": carried()}
    mailbox = services().settings.smtp_url is None
    return make_response(render_template("sign_in/code.html", mailbox=mailbox, **shown), status)
