"""The audit bundle of a game: a file to keep, and to check without us."""

from flask import Response, g, request
from flask.views import MethodView

from domain.engine.game import Seat
from service.api.http.auth import services, waiter, watched
from service.api.http.blueprint import Resource
from service.games import play
from service.integrity import export_bundle
from service.integrity.proofs import proof_of
from service.store.database import Connection
from service.store.event_store.streams import Head

bp = Resource("bundles", description="Audit bundles: one file to check a game by")


@bp.route("/games/<string:game>/bundle")
class Bundle(MethodView):
    """The bundle."""

    @watched
    @bp.response(200, {"type": "string", "format": "binary"}, content_type=export_bundle.MEDIA_TYPE, description="OK")
    @bp.problems(404, 429)
    @bp.conditional
    def get(self, game: str) -> Response:
        """The game as I may see it, in one file that `wardroom verify` checks; complete, and the same for everybody,
        when it is over. docs/audit/format.md says what is in it. Its ETag stands for all it is made of; one is made at
        a time, and a second request meanwhile is answered 429."""
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
            return hand_out(connection, head, seat, waiter())


def hand_out(connection: Connection, head: Head, seat: Seat | None, caller: str) -> Response:
    """The bundle of a game as a seat may see it, None for a spectator; 304 where the caller has this one already.

    Raises TooManyAtOnce while one is made for this caller.
    """
    proof = proof_of(services(), connection, head, seat, "bundle")
    if request.if_none_match.contains_weak(proof.tag):
        return Response(status=304, headers={"ETag": f'"{proof.tag}"'})
    made = proof.content(connection, caller, lambda: export_bundle.make(services(), connection, head, seat))
    named = {
        "Content-Disposition": f'attachment; filename="{export_bundle.filename(head)}"',
        "ETag": f'"{proof.tag}"',
    }
    return Response(made, content_type=export_bundle.MEDIA_TYPE, headers=named)
