"""The audit bundle of a game: a file to keep, and to check without us."""

from flask import Response, g
from flask.views import MethodView

from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.games import play
from service.integrity import export_bundle

bp = Resource("bundles", description="Audit bundles: one file to check a game by")


@bp.route("/games/<string:game>/bundle")
class Bundle(MethodView):
    """The bundle."""

    @signed_in
    @bp.response(200, {"type": "string", "format": "binary"}, content_type=export_bundle.MEDIA_TYPE, description="OK")
    @bp.problems(404)
    def get(self, game: str) -> Response:
        """The game as I may see it, in one file that `wardroom verify` checks; complete, and the same for everybody,
        when it is over. docs/audit/format.md says what is in it."""
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
            made = export_bundle.make(services(), connection, head, seat)
        named = {"Content-Disposition": f'attachment; filename="{export_bundle.filename(head)}"'}
        return Response(made, content_type=export_bundle.MEDIA_TYPE, headers=named)
