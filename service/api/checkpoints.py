"""Signed checkpoints: what a history was at one event, to keep and to compare."""

from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields

from domain.history.envelope import BrokenHistory
from service.api.games import VersionQuery
from service.api.http.answers import answer
from service.api.http.auth import services, watched
from service.api.http.blueprint import Resource
from service.api.http.preconditions import version_tag
from service.games import play
from service.store.event_store import checkpoints

bp = Resource("checkpoints", description="Checkpoints: what a history was at one event, signed")


class CheckpointSchema(Schema):
    """A signed checkpoint, and its receipt."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True, metadata={"description": "of that event"})
    time = fields.String(required=True, metadata={"description": "when it was recorded"})
    key = fields.String(required=True, metadata={"description": "the id of a key of /.well-known/wardroom-keys"})
    signature = fields.String(required=True, metadata={"description": "Ed25519, in hex"})
    receipt = fields.String(required=True, metadata={"example": "17-K7X2M-9QD4T-8W3PZ-A1B2C-D3E4F-K"})


@bp.route("/games/<string:game>/checkpoint")
class GameCheckpoint(MethodView):
    """The checkpoint."""

    @watched
    @bp.arguments(VersionQuery, location="query")
    @bp.response(200, CheckpointSchema)
    @bp.problems(404)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """The head of the history, or an earlier event of it, signed by the host."""
        with services().database.read() as connection:
            head, _ = play.look(services(), connection, game, g.player)
            version = query.get("version", head.version)
            if version > head.version:
                bp.refuse(404, "no-such-version", f"The game has versions 1 to {head.version}.")
            signed = checkpoints.checkpoint(connection, services().streams, services().signer, game, version)
            if services().streams.mark_of(connection, game, version) != (
                signed.checkpoint.hash,
                signed.checkpoint.time,
            ):
                raise BrokenHistory(version, "another event was signed")  # no answer may tell two truths
        return answer(signed.document() | {"receipt": signed.receipt()}, headers=version_tag(version))
