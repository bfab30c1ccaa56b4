"""Games that are over, in numbers."""

from typing import Any, Final

from flask import Response, g, request
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from service.api.http.answers import answer
from service.api.http.auth import services, watched
from service.api.http.blueprint import Resource
from service.api.http.preconditions import version_tag
from service.games import play
from service.games.reader_view import ReaderView
from service.games.statistics.document import document
from service.games.statistics.numbers import numbers
from service.games.statistics.tables import TABLES, table, text

bp = Resource("statistics", description="Games that are over, in numbers")
JSON: Final = "application/json"
CSV: Final = "text/csv"
TEXT: Final = "text/plain"
FORMATS: Final = {"json": JSON, "csv": CSV, "text": TEXT}


class StatisticsQuery(Schema):
    """Which of the numbers, and how."""

    format = fields.String(
        validate=validate.OneOf(FORMATS), metadata={"description": "what is sent, whatever Accept says"}
    )
    table = fields.String(
        validate=validate.OneOf(TABLES), load_default=TABLES[0], metadata={"description": "which table, as text/csv"}
    )


class ScoreLineSchema(Schema):
    """A part of a score."""

    label = fields.String(required=True, data_key="for")
    points = fields.Integer(required=True)


class FinalStandingSchema(Schema):
    """How one seat came out, the winners first."""

    rank = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    player = fields.String(required=True)
    won = fields.Boolean(required=True)
    score = fields.Integer(required=True)
    lines = fields.List(fields.Nested(ScoreLineSchema), required=True, metadata={"description": "they add up to it"})


class BidsSchema(Schema):
    """What each bid was worth, with everything open and the other bids as they were."""

    unit = fields.String(required=True)
    columns = fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata={"description": "what each number means"}
    )
    rows = fields.List(
        fields.Dict(),
        required=True,
        metadata={"description": "`version` of the event that decided it, the unit, `prize`, `seat`, `player`, "
                  "`contested`, `won`, then the columns"},
    )  # fmt: skip


class LeadSchema(Schema):
    """Where the lead changed."""

    measure = fields.String(required=True, metadata={"description": "what the lead is counted in"})
    changes = fields.List(
        fields.Dict(),
        required=True,
        metadata={"description": "`version`, the unit, the seats that led `before` and `after`, and all `seats` with "
                  "their `standing`"},
    )  # fmt: skip


class JumpSchema(Schema):
    """A decision or draw after which a seat stood much better or worse."""

    version = fields.Integer(required=True)
    part = fields.String(required=True)
    seat = fields.Integer(required=True)
    player = fields.String(required=True)
    by = fields.String(required=True, validate=validate.OneOf(["decision", "draw"]))
    text = fields.String(required=True)
    before = fields.Float(required=True, metadata={"description": "estimated share of winning, 0 to 1"})
    after = fields.Float(required=True)


class LuckSchema(Schema):
    """What all judged draws brought a seat."""

    seat = fields.Integer(required=True)
    player = fields.String(required=True)
    change = fields.Float(required=True, metadata={"description": "in shares of winning"})


class ChancesSchema(Schema):
    """Where the chances jumped, by the strongest analysis of the game that is done."""

    strength = fields.Integer(required=True)
    jumps = fields.List(fields.Nested(JumpSchema), required=True)
    luck = fields.List(fields.Nested(LuckSchema), required=True)


class ClockFactsSchema(Schema):
    """How long a seat took to answer by hand, in seconds, nights and leave included."""

    seat = fields.Integer(required=True)
    player = fields.String(required=True)
    answers = fields.Integer(required=True)
    mean = fields.Integer(required=True, allow_none=True)
    longest = fields.Integer(required=True, allow_none=True)
    missed = fields.Integer(required=True, metadata={"description": "deadlines let pass"})


class ChartSchema(Schema):
    """A column that is drawn at /g/{id}/statistics/{name}.svg and .png."""

    name = fields.String(required=True)
    column = fields.String(required=True)
    title = fields.String(required=True)
    unit = fields.String(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(["line", "bars"]))


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
    standings = fields.List(
        fields.Nested(FinalStandingSchema),
        required=True,
        metadata={"description": "empty where the game ended without a result"},
    )
    tied = fields.Boolean(required=True, metadata={"description": "whether the rules had to break a tie for victory"})
    bids = fields.Nested(BidsSchema, required=True)
    lead = fields.Nested(LeadSchema, required=True)
    chances = fields.Nested(
        ChancesSchema, required=True, allow_none=True, metadata={"description": "null where no analysis is done"}
    )
    clock = fields.List(fields.Nested(ClockFactsSchema), required=True)
    charts = fields.List(fields.Nested(ChartSchema), required=True)


@bp.route("/games/<string:game>/statistics")
class GameStatistics(MethodView):
    """A game in numbers."""

    @watched
    @bp.arguments(StatisticsQuery, location="query")
    @bp.response(200, StatisticsSchema)
    @bp.alt_response(200, schema={"type": "string"}, content_type=CSV, description="OK")
    @bp.alt_response(200, schema={"type": "string"}, content_type=TEXT, description="OK")
    @bp.problems(404, 409, 422)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """A game that is over in numbers: by term or round and seat, and how it was won, what each bid was worth, where
        the lead changed, how long everybody took. As text/csv one table, as text/plain one for the eye.

        A text that a spreadsheet would take for a formula stands behind an apostrophe in the table.
        """
        with services().database.read() as connection:
            head, _ = play.look(services(), connection, game, g.player)
            count = head.rules.presentation.statistics
            if count is None:
                bp.refuse(404, "no-statistics", f"Games of {head.rules.presentation.title} are not counted.")
            if head.table.status in ("open", "running"):
                bp.refuse(409, "game-not-over", "The numbers of a game are told when it is over: ask again then.")
            said = ReaderView(services(), connection, head, None).words_with_names
            shown = document(numbers(services(), connection, head, count), said)
        tag = version_tag(head.version)
        wanted = FORMATS.get(query.get("format", "")) or request.accept_mimetypes.best_match([JSON, CSV, TEXT])
        match wanted:
            case "text/csv":
                which = "" if query["table"] == TABLES[0] else f"-{query['table']}"
                name = {"Content-Disposition": f'attachment; filename="{game}{which}.csv"'}
                return Response(
                    table(shown, query["table"]),
                    content_type=f"{CSV}; charset=utf-8; header=present",
                    headers=name | tag,
                )
            case "text/plain":
                return Response(text(shown), content_type=f"{TEXT}; charset=utf-8", headers=tag)
        return answer(shown, headers=tag)
