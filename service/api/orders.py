"""Standing orders: what a seat orders ahead, and what stands of it."""

from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from service.api.games import TAG
from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.preconditions import if_match, version_tag
from service.api.http.reading import QueryFlag, Strict
from service.api.http.writing import writes
from service.api.moves import HEADERS, LONGEST_TEXT, DryRunQuery, MovedSchema, missed
from service.games import play, standing_orders
from service.games.outcomes import Moved
from service.games.views import move_document, rehearsal_document
from service.store.database import Connection
from service.store.event_store.streams import StaleTurn

bp = Resource("orders", description="Standing orders: filed ahead, followed as soon as what they are about is asked")


class FilingSchema(Strict):
    """Orders as lines, or in their JSON form."""

    text = fields.String(validate=validate.Length(1, LONGEST_TEXT))
    orders = fields.Dict()

    @validates_schema
    def _one_of_them(self, data: dict[str, Any], **_: Any) -> None:
        if len(data) != 1:
            raise ValidationError("Send either “text” or “orders”.")


class StandingSchema(Schema):
    """What a seat has ordered ahead."""

    filed = fields.Integer(required=True, allow_none=True, metadata={"description": "the event that filed them"})
    text = fields.String(required=True, metadata={"description": "one order a line, in the game's own words"})
    live = fields.String(required=True, metadata={"description": "those that can still come to pass"})
    orders = fields.Dict(required=True, allow_none=True)
    holds = fields.Boolean(required=True, metadata={"description": "whether anything in them can still come to pass"})
    help = fields.String(required=True)


class StandsSchema(StandingSchema):
    """What a seat has ordered ahead, and the version it is read at."""

    version = fields.Integer(required=True)
    hash = fields.String(required=True)


class FiledSchema(MovedSchema):
    """What came of it: the orders that stand now, and what they did at once."""

    orders = fields.Nested(StandingSchema, required=True)


TEXT = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_TEXT,
    "description": "one order a line; GET /rulesets/{slug} has the words",
    "example": "ward 1 bid irish 2\nothers bid none",
}
ORDERS = {"type": "object", "description": "GET /rulesets/{slug} has the JSON Schema"}
FILING = {
    "oneOf": [
        {"type": "object", "properties": {name: field}, "required": [name], "additionalProperties": False}
        for name, field in (("text", TEXT), ("orders", ORDERS))
    ]
}
"""The body: FilingSchema, with its rule that one of two fields is given, which marshmallow cannot say."""

DRY_RUN = {
    "in": "query",
    "name": "dry_run",
    "schema": {"type": "string", "enum": list(QueryFlag.MEANINGS), "default": "0"},
}
"""DryRunQuery, which the headers of the same method would replace."""


@bp.route("/games/<string:game>/orders")
class Orders(MethodView):
    """What I order ahead."""

    @signed_in
    @bp.response(200, StandsSchema, headers=TAG)
    @bp.problems(403, 404, 422)
    @bp.conditional
    def get(self, game: str) -> Response:
        """My standing orders, and whether they can still come to pass."""
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
        if seat is None:
            raise play.NotSeated
        stands = standing_orders.document(head, seat) | {"version": head.version, "hash": head.hash}
        return answer(stands, headers=version_tag(head.version))

    @signed_in
    @bp.arguments(DryRunQuery, location="query")
    @bp.arguments(FilingSchema)
    @bp.doc(requestBody={"content": {"application/json": {"schema": FILING}}}, parameters=[DRY_RUN, *HEADERS])
    @bp.response(200, FiledSchema, headers=TAG)
    @bp.problems(403, 404, 409, 412, 422)
    def put(self, query: dict[str, Any], body: dict[str, Any], game: str) -> Response:
        """File orders in place of those I had; the same again records nothing. A dry run only checks them."""
        try:
            return _try(game, body) if query["dry_run"] else _put(game, body)
        except StaleTurn as stale:
            return missed(game, stale)

    @signed_in
    @bp.doc(parameters=HEADERS)
    @bp.response(200, FiledSchema, headers=TAG)
    @bp.problems(403, 404, 409, 412, 422)
    def delete(self, game: str) -> Response:
        """Withdraw my standing orders."""
        try:
            return _drop(game)
        except StaleTurn as stale:
            return missed(game, stale)


@writes
def _put(game: str, body: dict[str, Any], tx: Connection) -> Response:
    return _answer_moved(tx, standing_orders.put_orders(services(), tx, game, g.player, **body, seen=if_match()))


@writes
def _drop(game: str, tx: Connection) -> Response:
    return _answer_moved(tx, standing_orders.drop_orders(services(), tx, game, g.player, seen=if_match()))


def _try(game: str, body: dict[str, Any]) -> Response:
    with services().database.read() as connection:
        tried = standing_orders.try_orders(services(), connection, game, g.player, **body, seen=if_match())
        seat = play.seated_at(tried.head, g.player)
        document = rehearsal_document(connection, tried, seat)
    stands = {"orders": standing_orders.document(tried.head, seat, tried.record.table)}
    return answer(document | stands, headers=version_tag(tried.head.version))


def _answer_moved(tx: Connection, done: Moved) -> Response:
    seat = play.seated_at(done.head, g.player)
    document = move_document(tx, done, seat) | {"orders": standing_orders.document(done.head, seat)}
    return answer(document, headers=version_tag(done.head.version))
