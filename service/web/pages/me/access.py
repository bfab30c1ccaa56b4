"""Ways in: browsers that are signed in, keys for programs, and webhooks that tell programs of turns."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Response, abort, make_response, redirect, render_template, request
from marshmallow import Schema, ValidationError, fields, validate

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import Sentence, say
from service.accounts import passkeys, people
from service.accounts.passkeys import BadPasskey
from service.accounts.people import LONGEST_LABEL
from service.accounts.scopes import SCOPES, write_scopes
from service.api.http.reading import Words, is_id
from service.notify import subscriptions
from service.store.people.tokens import API, SESSION
from service.web.http.browsers import browser_name
from service.web.http.faults import faults_of
from service.web.http.forms import Pages, browser_secret
from service.web.http.scope_meanings import MEANINGS
from service.web.http.session import end_session, member, members_only, services, session_id

bp = Pages("me_access", __name__)
TOO_LONG: Final = say("At most {most} characters, please.", most=LONGEST_LABEL)


NO_SCOPE: Final = say("Choose at least one thing that it may do.")
DAYS: Final = (0, 30, 90, 365)
"""For how long a key can be made here; 0 for no end."""
NO_EVENT: Final = say("Choose at least one thing that it is told.")
TOLD: Final[Mapping[str, Sentence]] = {
    "turn": say("that you are asked"),
    "reminder": say("that a deadline comes near"),
    "deadline-passed": say("that a deadline passed"),
    "game-over": say("that a game is over"),
    "operator-act": say("what the operator did at a table of yours"),
}
"""What each event of a webhook tells."""
NO_PASSKEY: Final = say("No passkey was made: please try again.")


class TokenWishSchema(Schema):
    """What a new key is for, what it may be used for, and how many days; 0 for no end."""

    label = Words(required=True, validate=validate.Length(max=LONGEST_LABEL, error=TOO_LONG))
    days = fields.Integer(load_default=0, validate=validate.OneOf(DAYS))
    scopes = fields.List(fields.String(validate=validate.OneOf(SCOPES)), validate=validate.Length(1, error=NO_SCOPE))


@bp.get("/me/access")
@members_only
def page() -> Response:
    """Browsers, keys, webhooks."""
    return _page()


@bp.post("/me/access/passkeys/options")
@members_only
def passkey_options() -> Response:
    """What the browser's own dialogue needs to make a passkey; for the script that opens it."""
    with services().database.read() as connection:
        options = passkeys.ask_to_register(services(), connection, member(), browser_secret())
    return Response(options, content_type="application/json")


@bp.post("/me/access/passkeys")
@members_only
def add_passkey() -> Response:
    """Keep the passkey that the browser made."""
    answer, browser = request.form.get("credential", ""), browser_name(request.user_agent.string)
    try:
        with services().database.write() as tx:
            passkeys.register(services(), tx, member().id, browser_secret(), answer, browser)
    except BadPasskey:
        return _page(422, faults={"passkey": NO_PASSKEY})
    return _go("/me/access?saved=1")


@bp.post("/me/access/passkeys/<string:key>/end")
@members_only
def end_passkey(key: str) -> Response:
    """Let a passkey sign nobody in any more."""
    with services().database.write() as tx:
        if is_id(key):
            passkeys.end(tx, member().id, key)
    return _go("/me/access?saved=1")


@bp.post("/me/access/tokens")
@members_only
def make_token() -> Response:
    """Make a key to the API. It is in this answer and nowhere else."""
    try:
        given = {"label": request.form.get("label", "").strip(), "days": request.form.get("days", "0")}
        wanted = TokenWishSchema().load(given | {"scopes": [scope for scope in SCOPES if scope in request.form]})
    except ValidationError as error:
        return _page(422, faults=faults_of(error), filled=dict(request.form))
    with services().database.write() as tx:
        now = services().database.clock.now(tx)
        scopes, until = write_scopes(wanted["scopes"]), people.end_after(now, wanted["days"] or None)
        token = people.make_token(services(), tx, member().id, wanted["label"], now, scopes=scopes, expires_at=until)
    return _page(made={"token": token})


@bp.post("/me/access/tokens/<string:token>/end")
@members_only
def end_token(token: str) -> Response:
    """End one key or one session; this very one is signed out."""
    with services().database.write() as tx:
        if token == session_id():
            return end_session(_go("/"), tx)
        if is_id(token):
            people.end_tokens(tx, member().id, token)
    return _go("/me/access?saved=1")


@bp.post("/me/access/others/end")
@members_only
def end_others() -> Response:
    """Sign out every browser but this one."""
    with services().database.write() as tx:
        people.end_other_sessions(tx, member().id, session_id() or "")
    return _go("/me/access?saved=1")


@bp.post("/me/access/webhooks")
@members_only
def add_webhook() -> Response:
    """Tell a program of my turns. Its secret is in this answer and nowhere else."""
    url, events = request.form.get("url", "").strip(), _chosen_events()
    if not events:
        return _page(422, faults={"events": NO_EVENT}, filled=dict(request.form))
    try:
        with services().database.write() as tx:
            _, secret = subscriptions.register(services(), tx, member().id, url, events)
    except RuleViolation as error:
        return _page(422, faults={"url": error.message}, filled=dict(request.form))
    return _page(made={"secret": secret})


@bp.post("/me/access/webhooks/<string:hook>/events")
@members_only
def choose_events(hook: str) -> Response:
    """Choose what a webhook is told from now on."""
    events = _chosen_events()
    if not is_id(hook):
        abort(404)
    if not events:
        return _page(422, faults={f"events-{hook}": NO_EVENT})
    with services().database.write() as tx:
        subscriptions.choose(services(), tx, member().id, hook, events)
    return _go("/me/access?saved=1")


def _chosen_events() -> list[str]:
    return [event for event in subscriptions.EVENTS if event in request.form]


@bp.post("/me/access/webhooks/<string:hook>/<any(delete, test, secret):what>")
@members_only
def change_webhook(hook: str, what: str) -> Response:
    """Delete a webhook, send it a ping, or give it a new secret."""
    if not is_id(hook):
        abort(404)
    try:
        with services().database.write() as tx:
            found: Any = _CHANGES[what](services(), tx, member().id, hook)
    except RuleViolation as error:
        return _page(422, faults={"hooks": error.message})
    if found and what == "secret":
        return _page(made={"secret": found[0]})
    services().wakeup.wake()
    return _go("/me/access?saved=1")


_CHANGES: Final[dict[str, Any]] = {
    "delete": lambda services, tx, player, hook: subscriptions.delete(tx, player, hook),
    "test": subscriptions.send_ping,
    "secret": subscriptions.rotate,
}


def _go(address: str) -> Response:
    return redirect(address, 303)  # type: ignore[return-value]


def _page(
    status: int = 200,
    *,
    faults: dict[str, Any] | None = None,
    filled: dict[str, str] | None = None,
    made: dict[str, str] | None = None,
) -> Response:
    with services().database.read() as connection:
        held = people.player_tokens(connection, member().id)
        keys = passkeys.of_player(connection, member().id)
        hooks = subscriptions.list_subscriptions(services(), connection, member().id)
    kinds = {kind: [token for token in held if token.kind == kind] for kind in (SESSION, API)}
    known = {"sessions": kinds[SESSION], "keys": keys, "tokens": kinds[API], "hooks": hooks, "current": session_id()}
    shown = {"faults": faults or {}, "filled": filled or {}, "made": made or {}, "longest": LONGEST_LABEL}
    shown |= {"events": tuple(subscriptions.EVENTS), "told": TOLD, "meanings": MEANINGS}
    shown |= {"told_new": filled if filled and "url" in filled else subscriptions.EVENTS}
    shown |= {"ticked": filled if filled and "label" in filled else dict.fromkeys(SCOPES)}
    return make_response(render_template("me/access.html", **known, **shown), status)
