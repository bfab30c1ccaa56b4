"""Drafts: what a list of actions would do, line by line, and what may follow it; nothing is recorded."""

from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.api.actions import QuestionSchema
from service.api.games import TAG, GameSchema
from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.preconditions import IF_MATCH, if_match, version_tag
from service.api.http.reading import Strict
from service.api.moves import ACTIONS, LONGEST_TEXT, TEXT, missed
from service.games.choices import documents
from service.games.drafts import Draft, draft
from service.games.play import MOST_ACTIONS, Orders
from service.games.reader_view import ReaderView
from service.games.rule_links import rule_url
from service.games.views import bare_event, position
from service.languages import words
from service.store.database import Connection
from service.store.event_store.streams import StaleTurn
from service.store.people.readers import language_of

bp = Resource("drafts", description="Drafts: what actions would do, and what may follow them")


class OutlineSchema(Strict):
    """One seat's orders so far, none of them too: as JSON actions or as lines of notation."""

    actions = fields.List(fields.Dict(), validate=validate.Length(0, MOST_ACTIONS))
    text = fields.String(validate=validate.Length(0, LONGEST_TEXT))

    @validates_schema
    def _not_both(self, data: dict[str, Any], **_: Any) -> None:
        if "actions" in data and "text" in data:
            raise ValidationError("Send either “actions” or “text”, or neither.")


OUTLINE = {
    "oneOf": [
        {"type": "object", "properties": {"text": TEXT | {"minLength": 0}}, "additionalProperties": False},
        {
            "type": "object",
            "properties": {"actions": ACTIONS | {"minItems": 0}},
            "required": ["actions"],
            "additionalProperties": False,
        },
    ]
}
"""The body of a draft: OutlineSchema, with its rule that not both fields are given, which marshmallow cannot say."""


class DraftLineSchema(Schema):
    """What one line would do."""

    number = fields.Integer(required=True, metadata={"description": "which line of the text, or which action, from 1"})
    text = fields.String(required=True)
    sentences = fields.List(fields.String(), required=True)
    final = fields.Boolean(
        required=True, metadata={"description": "it reveals, draws or hands on: then you can do nothing more"}
    )


class RefusedLineSchema(Schema):
    """The first line that cannot be carried out, and why."""

    number = fields.Integer(required=True)
    text = fields.String(required=True)
    detail = fields.String(required=True, metadata={"description": "one sentence for people"})
    code = fields.String(required=True, metadata={"description": "for programs; never changes"})
    rule = fields.String(required=True)
    rule_url = fields.Url(metadata={"description": "where that rule is read, if it is one of a game"})


class DraftSchema(Schema):
    """What a draft would do. Sentences and labels are in the reader's language."""

    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    lines = fields.List(fields.Nested(DraftLineSchema), required=True)
    sentences = fields.List(fields.String(), required=True, metadata={"description": "those of all lines"})
    events = fields.List(fields.Dict(), required=True, metadata={"description": "as a dry run of these lines has them"})
    game = fields.Nested(GameSchema, required=True, metadata={"description": "the position after them"})
    choices = fields.List(
        fields.Nested(QuestionSchema),
        required=True,
        metadata={"description": "what may follow, as GET actions?as=choices"},
    )
    complete = fields.Boolean(
        required=True, metadata={"description": "it answers all that is asked now, as far as can be foreseen"}
    )
    refusal = fields.Nested(
        RefusedLineSchema, required=True, allow_none=True, metadata={"description": "the lines before it stay"}
    )


@bp.route("/games/<string:game>/drafts", parameters=[IF_MATCH])
class Drafts(MethodView):
    """Drafting."""

    @signed_in
    @bp.arguments(OutlineSchema, required=False)
    @bp.doc(requestBody={"content": {"application/json": {"schema": OUTLINE}}})
    @bp.response(200, DraftSchema, headers=TAG)
    @bp.problems(403, 404, 409, 412, 422)
    def post(self, body: dict[str, Any], game: str) -> Response:
        """Try a list of actions line by line, as I can foresee it: what each would do, and what may follow.

        Nothing is recorded. It stops at the first line that is refused, and where chance or a secret begins. Without
        any line it tells what may come first.
        """
        orders = Orders(actions=body.get("actions"), text=body.get("text"))
        with services().database.read() as connection:
            try:
                found = draft(services(), connection, game, g.player, orders, seen=if_match())
            except StaleTurn as stale:
                return missed(game, stale)
            return answer(_document(connection, found), headers=version_tag(found.head.version))


def _document(connection: Connection, found: Draft) -> dict[str, Any]:
    head, language = found.head, language_of(connection, g.player)
    speak = words(language, head.rules.kind)
    lines: list[dict[str, Any]] = [
        {
            "number": line.number,
            "text": line.text,
            "sentences": [speak(sentence) for sentence in line.sentences],
            "final": line.final,
        }
        for line in found.lines
    ]
    return {
        "version": head.version,
        "hash": head.hash,
        "lines": lines,
        "sentences": [sentence for line in lines for sentence in line["sentences"]],
        "events": [bare_event(head.history, fact) for fact in found.record.facts],
        "game": position(connection, head, found.seat, found.table),
        "choices": documents(found.step, speak),
        "complete": found.complete,
        "refusal": _refusal(connection, found, language),
    }


def _refusal(connection: Connection, found: Draft, language: str) -> dict[str, Any] | None:
    """Why a line is refused, people by their names unless the sentence says which words to type."""
    refusal = found.refusal
    if refusal is None:
        return None
    view = ReaderView(services(), connection, found.head, found.seat, language)
    said = view.words if refusal.code == "unknown-player" else view.words_with_names
    return {
        "number": refusal.number,
        "text": refusal.text,
        "detail": said(refusal.message),
        "code": refusal.code,
        "rule": refusal.rule,
    } | rule_url(services().settings.base_url, refusal.rule)
