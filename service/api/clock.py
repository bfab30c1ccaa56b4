"""The clock of a game, explained."""

import json
from hashlib import sha256
from typing import Any

from flask import Response, g, request
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from service.api.http.answers import answer
from service.api.http.auth import services, watched
from service.api.http.blueprint import Resource
from service.deadlines.explain import Page
from service.languages.time_text import ReaderLocale

bp = Resource("clock", description="The clock: why each deadline is what it is")
PLAIN = "text/plain"


class StepSchema(Schema):
    """One thing that made a deadline what it is."""

    at = fields.String(required=True)
    code = fields.String(required=True, metadata={"example": "nights"})
    text = fields.String(required=True)


class TellingSchema(Schema):
    """One notice of it; told to its owner alone."""

    at = fields.String(required=True, allow_none=True, metadata={"description": "null where it did not go out"})
    kind = fields.String(required=True)
    state = fields.String(required=True)
    text = fields.String(required=True)


class ReasonsSchema(Schema):
    """What deadlines that run and those that were missed have in common."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True)
    decision = fields.String(required=True)
    since = fields.Integer(required=True, metadata={"description": "the event since which it is owed"})
    began = fields.String(required=True)
    due = fields.String(required=True, allow_none=True, metadata={"description": "null while the clock is stopped"})
    acts = fields.String(required=True, allow_none=True, metadata={"description": "due and the grace"})
    bank_from = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "when the bank begins to be used; of others null if hours are personal"},
    )
    steps = fields.List(fields.Nested(StepSchema), required=True)
    told = fields.List(fields.Nested(TellingSchema), required=True)


class DeadlineSchema(ReasonsSchema):
    """A deadline that runs, or stands."""

    bank_left = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "ISO 8601, as of now; of others as their last answer left it if hours are personal"},
    )
    standing = fields.Boolean(
        required=True,
        metadata={"description": "whether it stands just now: stopped or, of my own, a night or leave"},
    )


class MissedSchema(ReasonsSchema):
    """A deadline that passed without an answer."""

    decided = fields.String(required=True)
    outcome = fields.String(required=True, validate=validate.OneOf(["caretaker", "paused", "unknown"]))
    vacant = fields.Boolean(required=True, metadata={"description": "whether the seat fell vacant with it"})
    played = fields.List(
        fields.String(), required=True, metadata={"description": "by the caretaker, but for what is sealed for me"}
    )
    undone = fields.String(
        required=True, allow_none=True, metadata={"description": "when the table went back before it"}
    )


class BankSchema(Schema):
    """What is in a seat's bank."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True)
    left = fields.String(required=True, metadata={"description": "ISO 8601"})


class AwaySchema(Schema):
    """One leave that is not over."""

    from_ = fields.String(data_key="from", required=True, metadata={"example": "2026-12-24"})
    to = fields.String(required=True)
    days = fields.Integer(required=True)
    counting = fields.Integer(required=True, metadata={"description": "how many of them count in this game"})


class LeaveOfSeatSchema(Schema):
    """The leave of a seat."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True)
    days_left = fields.Integer(required=True)
    of = fields.Integer(required=True)
    away = fields.List(fields.Nested(AwaySchema), required=True)


class ClockPageSchema(Schema):
    """The clock of a game."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    policy = fields.Dict(required=True)
    now = fields.String(required=True)
    paused = fields.Boolean(required=True)
    paused_until = fields.String(required=True, allow_none=True)
    deadlines = fields.List(fields.Nested(DeadlineSchema), required=True)
    missed = fields.List(fields.Nested(MissedSchema), required=True, metadata={"description": "the latest first"})
    banks = fields.List(fields.Nested(BankSchema), required=True)
    leave = fields.List(fields.Nested(LeaveOfSeatSchema), required=True)
    text = fields.String(required=True, metadata={"description": "all of it, to be read aloud"})


@bp.route("/games/<string:game>/clock")
class GameClock(MethodView):
    """Why each deadline is what it is."""

    @watched
    @bp.response(200, ClockPageSchema)
    @bp.problems(403, 404)
    @bp.conditional
    def get(self, game: str) -> Response:
        """Explain every deadline step by step, in my language and zone, also as plain text.

        The ETag is weak (RFC 9110, 8.8.1): it stays the same while nothing changes but the time of the request.
        """
        with services().database.read() as connection:
            page = Page(services(), connection, game, g.player)
            document = page.document()
        form = request.accept_mimetypes.best_match(["application/json", PLAIN], "application/json")
        response = (
            Response(document["text"], content_type=f"{PLAIN}; charset=utf-8") if form == PLAIN else answer(document)
        )
        response.set_etag(_tag(form, page.locale, document), weak=True)
        response.make_conditional(request)
        return response


def _tag(form: str, locale: ReaderLocale, document: dict[str, Any]) -> str:
    """Return the tag of a clock in one form: of all in it but the present moment, which the first line says, too."""
    told = document | {"now": "", "text": document["text"].partition("\n")[2]}
    made_of = json.dumps([form, locale.timezone, locale.language, told])
    return f"{document['version']}.{sha256(made_of.encode()).hexdigest()}"
