"""What happened: the whole story of a game, and what changed between two versions of it."""

from typing import Any

import jsonpatch
from flask import Response, g, request
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from service.api.events import HeadSchema
from service.api.games import past_of, then, there
from service.api.http.answers import answer
from service.api.http.auth import services, watched
from service.api.http.blueprint import Resource
from service.api.http.preconditions import version_tag
from service.api.http.reading import QueryNumber, Strict
from service.games import game_story, play
from service.games.reader_view import ReaderView
from service.games.views import position_then

bp = Resource("story", description="What happened: the story of a game, and what changed between two versions")
TEXT = "text/plain"
TEXT_UTF8 = f"{TEXT}; charset=utf-8"


class DiffQuery(Strict):
    """From which version to which."""

    from_ = QueryNumber(data_key="from", required=True, validate=validate.Range(1, 10**9), metadata={"example": 1})
    to = QueryNumber(validate=validate.Range(1, 10**9), metadata={"description": "the present version if left out"})


class ToldSchema(Schema):
    """What one event tells."""

    version = fields.Integer(required=True)
    text = fields.String(required=True, metadata={"description": "a sentence or a few, in English"})
    undone_by = fields.Integer(metadata={"description": "where it was taken back: the event that did"})


class DiffSchema(Schema):
    """What changed between two versions."""

    from_ = fields.Nested(HeadSchema, data_key="from", required=True)
    to = fields.Nested(HeadSchema, required=True)
    sentences = fields.List(fields.Nested(ToldSchema), required=True)
    patch = fields.List(
        fields.Dict(),
        required=True,
        metadata={
            "description": "JSON Patch (RFC 6902): makes the answer to GET /games/{game}?version={to} out of that for "
            "{from}; it has the operations add, remove and replace only"
        },
    )


class PartSchema(Schema):
    """A part of a story: a year, an election, a round."""

    heading = fields.String(required=True)
    from_ = fields.Integer(data_key="from", required=True)
    to = fields.Integer(required=True)
    lines = fields.List(fields.Nested(ToldSchema), required=True)


class StorySchema(Schema):
    """A whole game as a story."""

    title = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    parts = fields.List(fields.Nested(PartSchema), required=True)


@bp.route("/games/<string:game>/diff")
class Diff(MethodView):
    """What changed between two versions."""

    @watched
    @bp.arguments(DiffQuery, location="query")
    @bp.response(200, DiffSchema)
    @bp.alt_response(200, schema={"type": "string"}, content_type=TEXT, description="OK")
    @bp.problems(404, 422)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """What changed between two positions I could see: in sentences, and as a patch; as text/plain the sentences.

        The sentences tell all that I may know at `to`; what was taken back up to then is marked.
        """
        with services().database.read() as connection:
            head, _ = play.look(services(), connection, game, g.player)
            first, last = there(head, query["from_"]), there(head, query.get("to"))
            if first > last:
                bp.refuse(422, "bad-range", "“from” is after “to”: name the earlier version first.")
            before, after = then(connection, head, first), then(connection, head, last)
            told = ReaderView(services(), connection, head, after[1]).lines(first, last)
            if _wants_text():
                return Response(game_story.listed(told), content_type=TEXT_UTF8, headers=version_tag(last))
            was, now = (
                position_then(connection, *moment, past_of(connection, moment[0])) for moment in (before, after)
            )
        patch = jsonpatch.JsonPatch.from_diff(was, now, optimization=False).patch
        return answer(
            {
                "from": {"version": first, "hash": before[0].hash},
                "to": {"version": last, "hash": after[0].hash},
                "sentences": [line.document() for line in told if line.text],
                "patch": patch,
            },
            headers=version_tag(last),
        )


@bp.route("/games/<string:game>/story")
class Story(MethodView):
    """The story."""

    @watched
    @bp.response(200, StorySchema)
    @bp.alt_response(200, schema={"type": "string"}, content_type=TEXT, description="OK")
    @bp.problems(404)
    @bp.conditional
    def get(self, game: str) -> Response:
        """The whole game told part by part, as I may know it; as text/plain to be read.

        Whoever sat at a seat is called what they are called now. What was taken back is marked.
        """
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
            parts = ReaderView(services(), connection, head, seat).story
            if _wants_text():
                return Response(
                    game_story.prose(head.rules, parts), content_type=TEXT_UTF8, headers=version_tag(head.version)
                )
        return answer(
            {
                "title": head.rules.presentation.title,
                "version": head.version,
                "hash": head.hash,
                "parts": [part.document() for part in parts],
            },
            headers=version_tag(head.version),
        )


def _wants_text() -> bool:
    return request.accept_mimetypes.best_match(["application/json", TEXT]) == TEXT
