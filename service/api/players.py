"""Signing up, one-time codes and tokens, and the player's own pages of the API."""

import re
from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import ValidationError, fields, validate

from service.accounts import people, sign_in
from service.accounts.names import LONGEST_EMAIL, LONGEST_NAME, email_key, normalise_email, normalise_name
from service.accounts.people import LONGEST_LABEL, MOST_DAYS, is_timezone
from service.accounts.scopes import SCOPES, write_scopes
from service.accounts.sign_in import BadCode
from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.callers import caller_network
from service.api.http.reading import Flag, Strict, WholeNumber, Words, is_id
from service.api.http.writing import is_once, writes
from service.games import game_lists
from service.kernel.clock import text
from service.languages import LANGUAGES
from service.mail import deliverability, unsubscribes
from service.notify import notice_log
from service.notify.wishes import CHOICES
from service.privacy import erase
from service.store.database import Connection
from service.store.people.tokens import API, Token

bp = Resource("players", description="People: signing up, tokens, profiles, decisions that wait")

WAKES = {
    "description": "when your fourteen waking hours begin, in your zone; clocks that run keep the one they began with",
    "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$",
    "example": "08:00",
}
EMAIL = {"format": "email", "example": "ann@example.org", "maxLength": LONGEST_EMAIL}


NAME = {"minLength": 1, "maxLength": LONGEST_NAME, "pattern": r'^[^\u0000-\u001f\u007f-\u009f<>@",]*$'}


class EmailField(fields.String):
    """A mail address."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        address = _clean(normalise_email, super()._deserialize(value, *args, **more))
        if "=?" in address:  # a mail header could take it for an encoded word (T-50)
            raise ValidationError("A mail address with “=?” in it cannot be written to.")
        return address


class NameField(fields.String):
    """The name of a person."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        return _clean(normalise_name, super()._deserialize(value, *args, **more))


class TimezoneField(fields.String):
    """An IANA time zone."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        zone = super()._deserialize(value, *args, **more)
        if not is_timezone(zone):
            raise ValidationError("That is no time zone: use a name such as Europe/Paris.")
        return zone


class WakeField(fields.String):
    """A time of day, kept as minutes after midnight."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        text = super()._deserialize(value, *args, **more)
        if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
            raise ValidationError("Write a time of day in hours and minutes: 08:00.")
        return int(text[:2]) * 60 + int(text[3:])


def _clean(clean: Any, value: Any) -> Any:
    try:
        return clean(value)
    except ValueError as error:
        raise ValidationError(error.args[0]) from error


URGENT_NEWS = "how you are told of turns and of deadlines that passed, once a device of yours can be called"
NORMAL_NEWS = "the same of reminders, proposals, orders that were dropped, and games that ended"
OTHER_NEWS = "the same of table talk, the clock, and what others did"


def _tell(what: str, *, required: bool = False) -> fields.String:
    """How a person is told of something."""
    return fields.String(required=required, validate=validate.OneOf(CHOICES), metadata={"description": what})


class ProfileSchema(Strict):
    """A player signing up."""

    name = NameField(required=True, metadata=NAME | {"example": "Ann"})
    email = EmailField(required=True, metadata=EMAIL)
    timezone = TimezoneField(load_default="UTC", metadata={"example": "Europe/Paris"})
    language = fields.String(load_default="en", validate=validate.OneOf(LANGUAGES))


class ProfileChangeSchema(Strict):
    """What a player can change."""

    name = NameField(metadata=NAME)
    timezone = TimezoneField()
    language = fields.String(validate=validate.OneOf(LANGUAGES))
    mail = Flag(metadata={"description": "whether mail is sent at all"})
    secret_free = Flag(metadata={"description": "mails without position, hand or bids: only that it is your turn"})
    new_subjects = Flag(metadata={"description": "a subject of its own for every mail, for who hates threads"})
    calendar = Flag(metadata={"description": "the deadline as a calendar file with every turn"})
    receipts = Flag(metadata={"description": "an answer also to a mail that was simply done"})
    quiet_turns = Flag(metadata={"description": "no mail at night that it is your turn, either: in the morning"})
    wakes_at = WakeField(metadata=WAKES)
    tell_urgent = _tell(URGENT_NEWS)
    tell_normal = _tell(NORMAL_NEWS)
    tell_news = _tell(OTHER_NEWS)
    digest = fields.String(
        validate=validate.OneOf(["off", "daily", "weekly"]),
        metadata={"description": "one mail over all your games, in the morning, daily or on Mondays"},
    )


class MeSchema(Strict):
    """A player, to themselves."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    email = fields.String(required=True)
    timezone = fields.String(required=True)
    language = fields.String(required=True)
    mail = fields.Boolean(required=True)
    secret_free = fields.Boolean(required=True)
    new_subjects = fields.Boolean(required=True)
    calendar = fields.Boolean(required=True)
    receipts = fields.Boolean(required=True)
    quiet_turns = fields.Boolean(required=True)
    tell_urgent = _tell(URGENT_NEWS, required=True)
    tell_normal = _tell(NORMAL_NEWS, required=True)
    tell_news = _tell(OTHER_NEWS, required=True)
    wakes_at = fields.String(required=True, metadata=WAKES)
    digest = fields.String(required=True, validate=validate.OneOf(["off", "daily", "weekly"]))
    mail_state = fields.String(
        required=True,
        validate=validate.OneOf(["ok", "bouncing", "stopped"]),
        metadata={"description": "stopped: mail came back, or was reported as spam; ask for it with `mail: true`"},
    )
    mail_reason = fields.String(required=True, metadata={"description": "what a mail server said of the last one"})
    mail_note = fields.String(required=True, metadata={"description": "how many mails were held back today, if any"})
    created_at = fields.String(required=True)


PLAIN = r"^[^\u0000-\u001f\u007f]+$"


def _code_field(what: str) -> Words:
    return Words(load_default=None, validate=validate.Length(1, 40), metadata={"description": what, "pattern": PLAIN})


class ErasureSchema(Strict):
    """A confirmation."""

    email = fields.String(
        load_default="",
        metadata={
            "description": "your own address, to confirm",
            "example": "myself@example.org",
            "pattern": PLAIN.replace("+", "*"),
        },
    )
    code = _code_field("the code from the mail; without it one is mailed")


class TokenRequestSchema(Strict):
    """Ask for a code, or exchange one for a token."""

    email = EmailField(required=True, metadata=EMAIL)
    code = _code_field("the code from the mail")
    request = _code_field("`request` as it was answered when the code was asked for: nobody else can use up its tries")


class NewTokenSchema(Strict):
    """A token: shown once, never again."""

    token = fields.String(required=True)
    player = fields.String(required=True)


class SaidSchema(Strict):
    """What happens now."""

    detail = fields.String(required=True)


class CodeSentSchema(SaidSchema):
    """What happens now, and the secret of whoever asked."""

    request = fields.String(
        required=True,
        metadata={"description": "send it with the code: a code works with its own request alone, and tries are yours"},
    )


def _scopes(**more: Any) -> Any:
    """A field for scopes of a token."""
    return fields.List(fields.String(validate=validate.OneOf(SCOPES)), **more)


class TokenSchema(Strict):
    """A token, without the secret itself."""

    id = fields.String(required=True)
    kind = fields.String(
        required=True,
        validate=validate.OneOf(["api", "session", "feed"]),
        metadata={
            "description": "session: a browser that is signed in to the pages; feed: the address of my feeds; "
            "neither is a bearer here"
        },
    )
    label = fields.String(required=True, metadata={"description": "what it is for; of a session, the browser"})
    created_at = fields.String(required=True)
    last_used_at = fields.String(
        required=True, allow_none=True, metadata={"description": "to the hour; null before it is first used"}
    )
    scopes = _scopes(required=True, metadata={"description": "what it may be used for"})
    expires_at = fields.String(required=True, allow_none=True, metadata={"description": "null: never"})
    current = fields.Boolean(required=True, metadata={"description": "whether it is the one of this request"})


class TokenWishSchema(Strict):
    """What a new token is to be."""

    label = Words(
        required=True,
        validate=validate.Length(1, LONGEST_LABEL),
        metadata={"example": "my bot", "pattern": PLAIN},
    )
    scopes = _scopes(
        load_default=None,
        validate=validate.Length(1, len(SCOPES)),
        metadata={"description": "some of those of the token this is asked with; all of them where left out"},
    )
    days = WholeNumber(
        load_default=None,
        allow_none=True,
        validate=validate.Range(1, MOST_DAYS),
        metadata={"description": "days until it ends; never where left out, or with the token this is asked with"},
    )


class MadeTokenSchema(TokenSchema):
    """A new token: shown once, never again."""

    token = fields.String(required=True)


class TokensSchema(Strict):
    """The player's tokens and sessions, newest first."""

    items = fields.List(fields.Nested(TokenSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class TurnSchema(Strict):
    """A decision that waits for the player."""

    game = fields.String(required=True)
    name = fields.String(required=True, metadata=NAME | {"description": "the name of the table"})
    ruleset = fields.String(required=True)
    seat = fields.Integer(required=True)
    decision = fields.String(required=True)
    since = fields.Integer(required=True, metadata={"description": "the event since which it is owed"})
    due = fields.String(required=True, allow_none=True)


class TurnsSchema(Strict):
    """Decisions that wait, the most urgent first."""

    items = fields.List(fields.Nested(TurnSchema), required=True)
    next = fields.String(required=True, allow_none=True)


MORE_SCOPES = "The token you ask with has no scope “{surplus}”, so it cannot make one that has."
PROFILE = (
    "id name email timezone language mail secret_free new_subjects calendar receipts quiet_turns digest "
    "tell_urgent tell_normal tell_news"
).split()
CODE_SENT = {
    "detail": "If this address can sign in, a code is on its way to it: "
    "POST it with the address and this “request” to /api/v1/tokens."
}

NO_CODE = "A “request” goes with the code from the mail: send both, or neither to have another code mailed."
NOT_CONFIRMED = (
    "To have everything about you erased, send your own address as “email”: a code is mailed there, to be sent with it "
    "as “code”. Then your tokens end, the caretaker plays your seats, and your name, address, talk and mails are gone "
    "for good; games you played stay, without your name."
)
ERASURE_CODE_SENT = {
    "detail": "Nothing is erased yet: a code is on its way to your address. Send this again with it as “code”."
}
BAD_ERASURE_CODE = (
    "Nothing is erased: this code is wrong or used up. Send your address without a code to have another mailed."
)
ERASED = (
    "Your name, address, talk and mails are gone, your tokens have ended, and your seats are given up. What others "
    "were told and still quotes your name here is reduced within a quarter of an hour."
)
SEATS_LEFT = " In {left} of your games the seat could not be given up yet: the rest follows within minutes."


@bp.route("/players")
class Players(MethodView):
    """Signing up."""

    @bp.arguments(ProfileSchema)
    @bp.response(202, CodeSentSchema, description="A code was mailed, whether or not the address was known")
    @writes
    def post(self, profile: dict[str, str], tx: Connection) -> Response:
        """Sign up; mails a one-time code. The profile counts once the code is used, if nobody has the address."""
        request = sign_in.ask(services(), tx, profile["email"], caller=caller_network(), profile=profile)
        return answer(CODE_SENT | {"request": request}, 202)


@bp.route("/tokens")
class Tokens(MethodView):
    """Signing in."""

    @bp.arguments(TokenRequestSchema)
    @bp.response(201, NewTokenSchema)
    @bp.alt_response(202, schema=CodeSentSchema, description="A code was mailed, if the address can sign in")
    @bp.problems(401, 422)
    def post(self, wanted: dict[str, Any]) -> Response:
        """With an address alone: mail a one-time code. With its code: make a token.

        With `request`, as the 202 told it, the code has five tries that nobody else can use up. Without it every
        network has five, and all together have fifty.
        """
        caller = caller_network()
        if wanted["code"] is None and wanted["request"] is not None:
            bp.refuse(422, "code-missing", NO_CODE)
        if wanted["code"] is None:
            with services().database.write() as tx:
                request = sign_in.ask(services(), tx, wanted["email"], caller=caller)
            services().wakeup.wake()
            return answer(CODE_SENT | {"request": request}, 202)
        with services().database.write() as tx:
            token, player = sign_in.confirm(services(), tx, **wanted, caller=caller)
        if token is None:
            raise BadCode
        return answer({"token": token, "player": player}, 201)


@bp.route("/me")
class Me(MethodView):
    """The player's own profile."""

    @signed_in
    @bp.response(200, MeSchema)
    def get(self) -> Response:
        """Who the token belongs to."""
        with services().database.read() as connection:
            return answer(_me(connection))

    @signed_in
    @bp.arguments(ProfileChangeSchema, required=False)
    @bp.response(200, MeSchema)
    @bp.problems(422)
    @writes
    def patch(self, changes: dict[str, Any], tx: Connection) -> Response:
        """Change name, time zone, language, or whether mail is sent."""
        people.change_profile(tx, g.player, changes)
        return answer(_me(tx))

    @signed_in
    @bp.arguments(ErasureSchema, required=False)
    @bp.response(200, SaidSchema, description="It is done; none of my tokens is good any more")
    @bp.alt_response(202, schema=SaidSchema, description="Nothing is erased yet: a code was mailed to me")
    @bp.problems(422)
    @is_once
    def delete(self, confirmed: dict[str, Any]) -> Response:
        """Erase everything that says who I am; my games stay, with “a former player” in my place.

        With my address alone: mail a one-time code there. With both: do it. A token alone must not be enough.
        """
        code = confirmed["code"]
        with services().database.write() as tx:
            mine = people.profile(tx, g.player)
            if email_key(confirmed["email"].strip()) != mine.email_key:
                bp.refuse(422, "erasure-not-confirmed", NOT_CONFIRMED)
            if code is None:
                sign_in.ask(services(), tx, mine.email, caller=g.player)
            used = None if code is None else sign_in.spend(services(), tx, mine.email, code, caller=g.player)
        if code is None:
            services().wakeup.wake()
            return answer(ERASURE_CODE_SENT, 202)
        if used is None:
            bp.refuse(422, "erasure-not-confirmed", BAD_ERASURE_CODE)
        done = erase.erase(services(), g.player)
        left = done.left if done is not None else 0
        return answer({"detail": ERASED + (SEATS_LEFT.format(left=left) if left else "")})


def _me(connection: Connection) -> dict[str, Any]:
    row = people.profile(connection, g.player)
    kept = {name: getattr(row, name) for name in PROFILE}
    now = services().database.clock.now(connection)
    state, reason = deliverability.state_of(connection, g.player, now)
    note = notice_log.held_today(connection, g.player, now)
    mail = {"mail_state": state, "mail_reason": reason, "mail_note": note}
    wakes_at = f"{row.wakes_at // 60:02d}:{row.wakes_at % 60:02d}"
    return {**kept, **mail, "wakes_at": wakes_at, "created_at": text(row.created_at)}


@bp.route("/me/mutes/<string:game>")
class MyMute(MethodView):
    """Mail about one game that was stopped by the link in it."""

    @signed_in
    @bp.response(204)
    @bp.problems(404)
    @writes
    def delete(self, game: str, tx: Connection) -> Response:
        """Send me mail about this game again."""
        unsubscribes.unmute(tx, g.player, game)
        return Response(status=204)


@bp.route("/me/turns")
class Turns(MethodView):
    """Decisions that wait."""

    @signed_in
    @bp.response(200, TurnsSchema)
    def get(self) -> Response:
        """The decisions that wait for me, the most urgent first."""
        with services().database.read() as connection:
            return answer({"items": game_lists.turns(connection, g.player), "next": None})


@bp.route("/me/tokens")
class MyTokens(MethodView):
    """The player's tokens."""

    @signed_in
    @bp.response(200, TokensSchema)
    def get(self) -> Response:
        """My tokens and the browsers I am signed in with, newest first; never the secrets themselves."""
        with services().database.read() as connection:
            held = people.player_tokens(connection, g.player)
        return answer({"items": [_token(token) for token in held], "next": None})

    @signed_in
    @bp.arguments(TokenWishSchema)
    @bp.response(201, MadeTokenSchema)
    @bp.problems(422)
    @writes
    def post(self, wanted: dict[str, Any], tx: Connection) -> Response:
        """Make a token for a program that may do no more than this one, for no longer. It is told this once."""
        scopes = g.bearer.scopes.split() if wanted["scopes"] is None else wanted["scopes"]
        surplus = [scope for scope in scopes if scope not in g.bearer.scopes.split()]
        if surplus:
            bp.refuse(422, "more-scopes", MORE_SCOPES.format(surplus=surplus[0]))
        now = services().database.clock.now(tx)
        ends = (g.bearer.expires_at, people.end_after(now, wanted["days"]))
        until = min((end for end in ends if end is not None), default=None)
        label, kept = wanted["label"], write_scopes(scopes)
        token = people.make_token(services(), tx, g.player, label, now, scopes=kept, expires_at=until)
        made = people.who(tx, token)
        assert made is not None
        return answer({**_token(Token(made.token, API, label, now, None, kept, until)), "token": token}, 201)

    @signed_in
    @bp.response(204)
    @writes
    def delete(self, tx: Connection) -> Response:
        """End all my tokens, this one and sessions too."""
        people.end_tokens(tx, g.player)
        return Response(status=204)


def _token(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "kind": token.kind,
        "label": token.label,
        "created_at": text(token.created_at),
        "last_used_at": None if token.last_used_at is None else text(token.last_used_at),
        "scopes": token.scopes.split() if token.kind == API else [],
        "expires_at": None if token.expires_at is None else text(token.expires_at),
        "current": token.id == g.bearer.token,
    }


@bp.route("/me/tokens/<string:token>")
class MyToken(MethodView):
    """One token of the player."""

    @signed_in
    @bp.response(204)
    @bp.problems(404)
    @writes
    def delete(self, token: str, tx: Connection) -> Response:
        """End one of my tokens."""
        if not is_id(token) or not people.end_tokens(tx, g.player, token):
            bp.refuse(404, "no-such-token", "You have no token with this id: GET /api/v1/me/tokens lists them.")
        return Response(status=204)
