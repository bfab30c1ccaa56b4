"""Moves and bids: read, call, answer."""

from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import INCLUDE, Schema, ValidationError, fields, validate, validates_schema

from service.api.games import TAG, GameSchema
from service.api.http.answers import answer
from service.api.http.auth import IDEMPOTENCY_KEY, services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.preconditions import IF_MATCH, if_match, version_tag
from service.api.http.problems import problem
from service.api.http.reading import QueryFlag, Strict
from service.api.http.writing import writes
from service.games import history_queries, play
from service.games.play import MOST_ACTIONS, Orders
from service.games.views import move_document, rehearsal_document
from service.store.database import Connection
from service.store.event_store.streams import StaleTurn

bp = Resource("moves", description="Moves and bids")
LONGEST_TEXT = 4000
MOST_MISSED = 200


class MoveSchema(Strict):
    """One seat's orders, all or nothing: as JSON actions or as lines of notation."""

    actions = fields.List(fields.Dict(), validate=validate.Length(1, MOST_ACTIONS))
    text = fields.String(
        validate=validate.Length(1, LONGEST_TEXT), metadata={"example": "settle boss 5 cube irish 7\nend"}
    )

    @validates_schema
    def _one_of_them(self, data: dict[str, Any], **_: Any) -> None:
        if ("actions" in data) == ("text" in data):
            raise ValidationError("Send either “actions” or “text”.")


class BidSchema(Schema):
    """A bid: what it holds is the ruleset's, and is read by it. An action as GET actions lists it is one."""

    class Meta:
        unknown = INCLUDE

    ward = fields.Raw(
        allow_none=True, metadata={"description": "sealed ward elections: the ward being bid for, to be sure"}
    )
    chips = fields.Raw(metadata={"description": "sealed ward elections: chips by colour", "example": {"irish": 2}})
    influence = fields.Raw(metadata={"description": "open auctions: how much Influence"})


class DryRunQuery(Strict):
    """Whether it is only tried."""

    dry_run = QueryFlag()


class MovedSchema(Schema):
    """What came of it."""

    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    events = fields.List(fields.Dict(), required=True)
    game = fields.Nested(GameSchema, required=True)
    dry_run = fields.Boolean()


HEADERS = [IF_MATCH, IDEMPOTENCY_KEY]


TEXT = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_TEXT,
    "description": "lines of the game's notation",
    "example": "settle boss 5 cube irish 7\nend",
}
ACTIONS = {
    "type": "array",
    "minItems": 1,
    "maxItems": MOST_ACTIONS,
    "items": {"type": "object"},
    "description": "actions as GET actions lists them; GET /rulesets/{slug} has the JSON Schema of each",
}
MOVE = {
    "oneOf": [
        {"type": "object", "properties": {name: field}, "required": [name], "additionalProperties": False}
        for name, field in (("text", TEXT), ("actions", ACTIONS))
    ]
}
"""The body of a move: MoveSchema, with its rule that one of two fields is given, which marshmallow cannot say."""


@bp.route("/games/<string:game>/moves", parameters=HEADERS)
class Moves(MethodView):
    """Playing."""

    @signed_in
    @bp.arguments(DryRunQuery, location="query")
    @bp.arguments(MoveSchema)
    @bp.doc(requestBody={"content": {"application/json": {"schema": MOVE}}})
    @bp.response(201, MovedSchema, headers=TAG)
    @bp.alt_response(200, schema=MovedSchema, description="A dry run: nothing was recorded")
    @bp.problems(403, 404, 409, 412, 422)
    def post(self, query: dict[str, Any], body: dict[str, Any], game: str) -> Response:
        """Play a list of actions, all or nothing."""
        orders = Orders(actions=body.get("actions"), text=body.get("text"))
        return _rehearse(game, orders) if query["dry_run"] else _play(game, orders)


@bp.route("/games/<string:game>/bids", parameters=HEADERS)
class Bids(MethodView):
    """Bidding."""

    @signed_in
    @bp.arguments(DryRunQuery, location="query")
    @bp.arguments(BidSchema, unknown=INCLUDE)
    @bp.response(201, MovedSchema, headers=TAG)
    @bp.alt_response(200, schema=MovedSchema, description="A dry run: nothing was recorded")
    @bp.problems(403, 404, 409, 412, 422)
    def post(self, query: dict[str, Any], body: dict[str, Any], game: str) -> Response:
        """Bid in the open round; a sealed bid may be replaced until it is opened."""
        orders = Orders(bid=body)
        return _rehearse(game, orders) if query["dry_run"] else _play(game, orders)


def _play(game: str, orders: Orders) -> Response:
    try:
        return _record(game, orders)
    except StaleTurn as stale:
        return missed(game, stale)


@writes
def _record(game: str, orders: Orders, tx: Connection) -> Response:
    done = play.move(services(), tx, game, g.player, orders, seen=if_match())
    seat = done.head.table.seat_of(g.player)
    assert seat is not None
    return answer(move_document(tx, done, seat), 201, headers=version_tag(done.head.version))


def _rehearse(game: str, orders: Orders) -> Response:
    with services().database.read() as connection:
        try:
            done = play.rehearse(services(), connection, game, g.player, orders, seen=if_match())
        except StaleTurn as stale:
            return missed(game, stale)
        seat = done.head.table.seat_of(g.player)
        assert seat is not None
        return answer(rehearsal_document(connection, done, seat), headers=version_tag(done.head.version))


def missed(game: str, stale: StaleTurn) -> Response:
    """Somebody moved first: what happened since."""
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, g.player)
        events = history_queries.events(services(), connection, head, seat, after=stale.seen, limit=MOST_MISSED)
    moved_on = f"The game has moved on from version {stale.seen} to {stale.version}: look at the events, decide again."
    ahead = f"The game is at version {stale.version} and has never been at {stale.seen}: look at it again."
    detail = moved_on if stale.seen < stale.version else ahead
    return problem(
        412, "stale", detail, headers=version_tag(head.version), version=head.version, hash=head.hash, events=events
    )
