"""The clock by consent: proposals to stop it, to let it run, to give more time, and the votes of the others."""

from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import ValidationError, fields, validate, validates_schema

from service.api.games import TAG, GameSchema
from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.preconditions import if_match, version_tag
from service.api.http.reading import Strict
from service.api.http.writing import writes
from service.api.moves import HEADERS
from service.api.rewind import VoteSchema, attempt
from service.games import clock_votes
from service.games.outcomes import Moved
from service.games.views import position
from service.store.database import Connection

bp = Resource("clock_votes", description="Stopping the clock, letting it run, more time: by consent")


class ClockProposalSchema(Strict):
    """What to do with the clock."""

    propose = fields.String(required=True, validate=validate.OneOf(["pause", "resume", "extend"]))
    for_ = fields.String(
        data_key="for",
        validate=validate.Length(1, 40),
        metadata={"description": "for how long, in ISO 8601: not with resume", "example": "P7D"},
    )

    @validates_schema
    def _says_how_long(self, data: dict[str, Any], **_: Any) -> None:
        if data["propose"] == "resume" and "for_" in data:
            raise ValidationError("Leave this out: a clock that runs again runs on.", "for")
        if data["propose"] != "resume" and "for_" not in data:
            raise ValidationError("Say for how long, as in P7D.", "for")


LASTING = {"type": "string", "minLength": 1, "maxLength": 40, "example": "P7D", "description": "ISO 8601"}
PROPOSAL = {
    "oneOf": [
        {
            "type": "object",
            "properties": {"propose": {"enum": ["pause", "extend"]}, "for": LASTING},
            "required": ["propose", "for"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"propose": {"enum": ["resume"]}},
            "required": ["propose"],
            "additionalProperties": False,
        },
    ]
}
"""The body: ClockProposalSchema, with its rule about `for`, which marshmallow cannot say."""


@bp.route("/games/<string:game>/clock")
class ClockProposals(MethodView):
    """Proposing."""

    @signed_in
    @bp.arguments(ClockProposalSchema)
    @bp.doc(requestBody={"content": {"application/json": {"schema": PROPOSAL}}}, parameters=HEADERS)
    @bp.response(200, GameSchema, headers=TAG)
    @bp.alt_response(202, schema=GameSchema, description="Proposed: the votes of the others decide")
    @bp.problems(403, 404, 409, 412, 422)
    def post(self, body: dict[str, Any], game: str) -> Response:
        """Propose to stop the clock, to let it run, or more time; at once where nobody else is to be asked."""
        return attempt(game, _propose, body)


@bp.route("/games/<string:game>/clock/vote")
class ClockVote(MethodView):
    """Votes."""

    @signed_in
    @bp.arguments(VoteSchema)
    @bp.doc(parameters=HEADERS)
    @bp.response(200, GameSchema, headers=TAG)
    @bp.problems(403, 404, 409, 412)
    def post(self, body: dict[str, Any], game: str) -> Response:
        """Agree to what is proposed about the clock, or refuse. With the last one who agrees it is done."""
        return attempt(game, _vote, body["agree"])


@bp.route("/games/<string:game>/clock/proposal")
class ClockProposal(MethodView):
    """Withdrawing."""

    @signed_in
    @bp.doc(parameters=HEADERS)
    @bp.response(200, GameSchema, headers=TAG)
    @bp.problems(403, 404, 409, 412)
    def delete(self, game: str) -> Response:
        """Withdraw my proposal about the clock."""
        return attempt(game, _withdraw)


@writes
def _propose(game: str, body: dict[str, Any], tx: Connection) -> Response:
    seconds = clock_votes.seconds_of(body["for_"]) if "for_" in body else 0
    moved = clock_votes.propose(services(), tx, game, g.player, body["propose"], seconds, seen=if_match())
    return _answer(tx, moved, 200 if moved.head.table.proposal is None else 202)


@writes
def _vote(game: str, agrees: bool, tx: Connection) -> Response:
    return _answer(tx, clock_votes.vote(services(), tx, game, g.player, agrees, seen=if_match()))


@writes
def _withdraw(game: str, tx: Connection) -> Response:
    return _answer(tx, clock_votes.withdraw(services(), tx, game, g.player, seen=if_match()))


def _answer(tx: Connection, moved: Moved, status: int = 200) -> Response:
    head = moved.head
    document = position(tx, head, head.table.eyes_of(g.player))
    return answer(document, status, headers=version_tag(head.version))
