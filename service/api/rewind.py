"""Going back: what it would undo, doing it at once or proposing it, and the votes of those it touches."""

from collections.abc import Callable
from typing import Any, get_args

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from domain.table.state import Reason
from service.api.games import TAG, GameSchema, ProposalSchema
from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.preconditions import if_match, version_tag
from service.api.http.reading import Flag, QueryNumber, Strict, WholeNumber
from service.api.http.writing import writes
from service.api.moves import HEADERS, missed
from service.games import play, takeback
from service.games.reader_view import ReaderView
from service.games.views import position
from service.store.database import Connection
from service.store.event_store.streams import Head, StaleTurn

bp = Resource("rewind", description="Going back, at once or by the consent of those it touches")
REASONS = list(get_args(Reason))
WHY = "slip of the hand, rules or position misread, lapse: a deadline missed, or as the table has agreed"
TO = "the event after which the game shall stand; left out: the one before what I did last, or let lapse"


class RewindQuery(Strict):
    """Where to."""

    to = QueryNumber(validate=validate.Range(1, 10**9), metadata={"description": TO})
    reason = fields.String(load_default="slip", validate=validate.OneOf(REASONS), metadata={"description": WHY})


class RewindSchema(Strict):
    """Going back."""

    to = WholeNumber(validate=validate.Range(1, 10**9), metadata={"description": TO})
    reason = fields.String(load_default="slip", validate=validate.OneOf(REASONS), metadata={"description": WHY})
    ask = Flag(load_default=True, metadata={"description": "propose it to those it touches, where it is not free"})


class VoteSchema(Strict):
    """An answer to what is proposed."""

    agree = Flag(required=True)


class RefusalSchema(Schema):
    """Why one cannot go back there."""

    code = fields.String(required=True)
    rule = fields.String(required=True)
    detail = fields.String(required=True)


class RewindProposalSchema(ProposalSchema):
    """A proposal to go back."""

    undoes = fields.List(fields.String(), required=True, metadata={"description": "what it would undo, in sentences"})


class OutlookSchema(Schema):
    """What going back would mean."""

    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    to = fields.Integer(required=True, allow_none=True)
    free = fields.Boolean(required=True, metadata={"description": "nobody needs to agree"})
    touches = fields.List(fields.Integer(), required=True, metadata={"description": "seats that would have to agree"})
    undoes = fields.List(fields.String(), required=True, metadata={"description": "what it would undo, in sentences"})
    refusal = fields.Nested(RefusalSchema, required=True, allow_none=True)
    proposal = fields.Nested(
        RewindProposalSchema, required=True, allow_none=True, metadata={"description": "to go back, waiting for votes"}
    )


class RewoundSchema(GameSchema):
    """The position, and whether the game has gone back to it; if not, `proposal` waits for votes."""

    rewound = fields.Boolean(required=True)


@bp.route("/games/<string:game>/rewind")
class Rewind(MethodView):
    """Going back."""

    @signed_in
    @bp.arguments(RewindQuery, location="query")
    @bp.response(200, OutlookSchema, headers=TAG)
    @bp.problems(403, 404)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """What going back would undo and whom it touches, and what is proposed; nothing is recorded."""
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
            if seat is None:
                raise play.NotSeated
            document = takeback.outlook(
                ReaderView(services(), connection, head, seat), query.get("to"), query["reason"]
            )
        return answer(document, headers=version_tag(head.version))

    @signed_in
    @bp.arguments(RewindSchema, required=False)
    @bp.doc(parameters=HEADERS)
    @bp.response(200, RewoundSchema, headers=TAG)
    @bp.alt_response(202, schema=RewoundSchema, description="Proposed to those it touches: their votes decide")
    @bp.problems(403, 404, 409, 412, 422)
    def post(self, body: dict[str, Any], game: str) -> Response:
        """Take back what I did last, or all since an event: at once where that is free, else by a proposal."""
        return attempt(game, _go_back, body)

    @signed_in
    @bp.doc(parameters=HEADERS)
    @bp.response(200, GameSchema, headers=TAG)
    @bp.problems(403, 404, 409, 412)
    def delete(self, game: str) -> Response:
        """Withdraw my proposal to go back."""
        return attempt(game, _withdraw)


@bp.route("/games/<string:game>/rewind/vote")
class RewindVote(MethodView):
    """Votes."""

    @signed_in
    @bp.arguments(VoteSchema)
    @bp.doc(parameters=HEADERS)
    @bp.response(200, RewoundSchema, headers=TAG)
    @bp.problems(403, 404, 409, 412)
    def post(self, body: dict[str, Any], game: str) -> Response:
        """Agree to going back, or refuse. With the last one who agrees it is done."""
        return attempt(game, _vote, body["agree"])


def attempt(game: str, command: Callable[..., Response], *given: Any) -> Response:
    """What came of a command; where somebody moved first, what happened since."""
    try:
        return command(game, *given)
    except StaleTurn as stale:
        return missed(game, stale)


@writes
def _go_back(game: str, body: dict[str, Any], tx: Connection) -> Response:
    asked = takeback.go_back(services(), tx, game, g.player, **body, seen=if_match())
    return _answer(tx, asked.moved.head, 200 if asked.done else 202, rewound=asked.done)


@writes
def _vote(game: str, agrees: bool, tx: Connection) -> Response:
    voted = takeback.vote(services(), tx, game, g.player, agrees, seen=if_match())
    return _answer(tx, voted.moved.head, rewound=voted.done)


@writes
def _withdraw(game: str, tx: Connection) -> Response:
    return _answer(tx, takeback.withdraw(services(), tx, game, g.player, seen=if_match()).head)


def _answer(tx: Connection, head: Head, status: int = 200, **more: bool) -> Response:
    document = position(tx, head, head.table.eyes_of(g.player))
    return answer(document | more, status, headers=version_tag(head.version))
