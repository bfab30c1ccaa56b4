"""Games that are over, in numbers."""

from flask import Response, g, request
from flask.views import MethodView
from marshmallow import Schema, fields

from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.preconditions import version_tag
from service.games import game_statistics, play

bp = Resource("statistics", description="Games that are over, in numbers")
CSV = "text/csv"
TEXT = "text/plain"


class StatisticsSchema(Schema):
    """A game in numbers."""

    ruleset = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    unit = fields.String(required=True, metadata={"description": "what a row is about besides its seat: term, round"})
    columns = fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata={"description": "what each column counts"}
    )
    rows = fields.List(
        fields.Dict(),
        required=True,
        metadata={"description": "by unit and seat: the unit, `seat`, `player`, then the columns"},
    )


@bp.route("/games/<string:game>/statistics")
class GameStatistics(MethodView):
    """A game in numbers."""

    @signed_in
    @bp.response(200, StatisticsSchema)
    @bp.alt_response(200, schema={"type": "string"}, content_type=CSV, description="OK")
    @bp.alt_response(200, schema={"type": "string"}, content_type=TEXT, description="OK")
    @bp.problems(404, 409)
    @bp.conditional
    def get(self, game: str) -> Response:
        """A game that is over in numbers, by term or round and seat; as text/csv one table, as text/plain one
        for the eye.

        A text that a spreadsheet would take for a formula stands behind an apostrophe in the table.
        """
        with services().database.read() as connection:
            head, _ = play.look(services(), connection, game, g.player)
            count = head.rules.presentation.statistics
            if count is None:
                bp.refuse(404, "no-statistics", f"Games of {head.rules.presentation.title} are not counted.")
            if head.table.status in ("open", "running"):
                bp.refuse(409, "game-not-over", "The numbers of a game are told when it is over: ask again then.")
            shown = game_statistics.document(services(), connection, head, count)
        tag = version_tag(head.version)
        match request.accept_mimetypes.best_match(["application/json", CSV, TEXT]):
            case "text/csv":
                name = {"Content-Disposition": f'attachment; filename="{game}.csv"'}
                return Response(
                    game_statistics.table(shown),
                    content_type=f"{CSV}; charset=utf-8; header=present",
                    headers=name | tag,
                )
            case "text/plain":
                return Response(game_statistics.text(shown), content_type=f"{TEXT}; charset=utf-8", headers=tag)
        return answer(shown, headers=tag)
