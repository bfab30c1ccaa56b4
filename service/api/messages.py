"""Table talk: read, call, answer."""

import re
from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from service.api.http.answers import answer, page, read_cursor
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.preconditions import version_tag
from service.api.http.reading import PageQuery, QueryNumber, Strict, WholeNumber, refuse
from service.api.http.writing import writes
from service.games import chat, play
from service.games.chat import LONGEST, Line
from service.kernel.clock import text
from service.store.database import Connection

bp = Resource("messages", description="Table talk: lines to the table or to one seat")
LARGEST_ID = 10**12 - 1


class LineSchema(Strict):
    """A line to be said."""

    text = fields.String(required=True, metadata={"minLength": 1, "maxLength": LONGEST, "example": "Who takes ward 5?"})
    to = WholeNumber(
        load_default=None, allow_none=True, metadata={"description": "the seat that alone hears it; else the table"}
    )


class MessagesQuery(PageQuery):
    """Which lines."""

    after = QueryNumber(
        load_default=0,
        validate=validate.Range(0, LARGEST_ID),
        metadata={"description": "the id of the last of the `items` you have"},
    )


class MessageSchema(Schema):
    """A line somebody said."""

    id = fields.Integer(required=True)
    seat = fields.Integer(required=True, metadata={"description": "where its author sat"})
    player = fields.String(required=True)
    name = fields.String(required=True)
    to = fields.Integer(required=True, allow_none=True, metadata={"description": "a seat; null for the whole table"})
    text = fields.String(required=True)
    shown_at = fields.String(required=True, metadata={"description": "until then its author can take it back"})
    hidden = fields.Boolean(
        metadata={"description": "true where the operator hid it: `text` says so, and why; else missing"}
    )
    muted = fields.Boolean(metadata={"description": "true where you have muted or blocked who said it; else missing"})


class MessagesSchema(Schema):
    """A page of lines, oldest first."""

    items = fields.List(fields.Nested(MessageSchema), required=True)
    waiting = fields.List(
        fields.Nested(MessageSchema), required=True, metadata={"description": "my own lines nobody else sees yet"}
    )
    next = fields.String(required=True, allow_none=True)


@bp.route("/games/<string:game>/messages")
class Messages(MethodView):
    """The talk at a table."""

    @signed_in
    @bp.arguments(MessagesQuery, location="query")
    @bp.response(200, MessagesSchema)
    @bp.problems(403, 404)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """What was said at my table, to all of us or to or by my seat, oldest first."""
        after, limit = _after(query), query["limit"]
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
            if seat is None:
                raise play.NotSeated
            said = chat.messages(services(), connection, head, seat, after=after, limit=limit)
        lines, beside = (
            [line_document(line) for line in said.lines],
            {"waiting": [line_document(line) for line in said.waiting]},
        )
        return page(lines, said.after, beside=beside, headers=version_tag(head.version), limit=limit)

    @signed_in
    @bp.arguments(LineSchema)
    @bp.response(201, MessageSchema)
    @bp.problems(403, 404, 409, 422, 429)
    @writes
    def post(self, wanted: dict[str, Any], game: str, tx: Connection) -> Response:
        """Say one line, to the table or to one seat; it waits a little before others see it."""
        number = chat.say(services(), tx, game, g.player, wanted["text"], to=wanted["to"])
        return answer(line_document(chat.line(services(), tx, game, number)), 201)


@bp.route("/games/<string:game>/messages/<string:message>")
class Message(MethodView):
    """A line."""

    @signed_in
    @bp.response(204)
    @bp.problems(403, 404, 409)
    @writes
    def delete(self, game: str, message: str, tx: Connection) -> Response:
        """Take back a line of mine while it waits."""
        chat.unsay(services(), tx, game, g.player, int(message) if re.fullmatch("[0-9]{1,12}", message) else 0)
        return Response(status=204)


def line_document(line: Line) -> dict[str, Any]:
    """A line of talk as JSON."""
    return {
        "id": line.id,
        "seat": line.seat,
        "player": line.player,
        "name": line.name,
        "to": line.to,
        "text": f"({line.hidden})" if line.hidden else line.text,
        "shown_at": text(line.shown_at),
    } | {name: True for name, holds in (("hidden", line.hidden), ("muted", line.muted)) if holds}


def _after(query: dict[str, Any]) -> int:
    """The id of the line a page begins after, 0 for the first."""
    if "cursor" not in query:
        return int(query["after"])
    try:
        after = read_cursor(query["cursor"])
    except ValueError:
        after = None
    if type(after) is not int or not 0 < after <= LARGEST_ID:
        refuse("This is no cursor of ours: leave it out to begin again.", "bad-cursor")
    return after
