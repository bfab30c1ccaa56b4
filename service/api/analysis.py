"""What else could have been done in a game that is over: asked for, made by a worker, kept."""

from typing import Any, Final, get_args

from flask import Response, g, request
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from domain.teacher.findings import Verdict
from service.api.http.answers import answer
from service.api.http.auth import services, signed_in, watched
from service.api.http.blueprint import Resource
from service.api.http.preconditions import version_tag
from service.api.http.reading import QueryNumber, Strict, WholeNumber
from service.api.http.writing import writes
from service.games import analyses
from service.games.analyses import USUAL, Asked
from service.games.analysis_document import document
from service.games.analysis_text import prose, told_status
from service.games.reader_view import ReaderView
from service.languages.catalogues import ENGLISH
from service.store.database import Connection
from service.store.people import readers

bp = Resource("analysis", description="What else could have been done in a game that is over")
TEXT: Final = "text/plain"
TEXT_UTF8: Final = f"{TEXT}; charset=utf-8"
STRENGTH: Final = "of the bot that judges, 1 to 3"
SHARE: Final = "a share of winning, 0 to 1, all seats together 1"
OPEN: Final = "with everything open"


class AnalysisQuery(Strict):
    """Which of its analyses."""

    strength = QueryNumber(
        validate=validate.Range(0, 99),
        metadata={"description": f"{STRENGTH}; left out: the one under way, else the strongest that is done"},
    )


class AskSchema(Strict):
    """An analysis to be made."""

    strength = WholeNumber(load_default=USUAL, validate=validate.Range(0, 99), metadata={"description": STRENGTH})


class JudgedLineSchema(Schema):
    """A move that could be made."""

    text = fields.String(required=True, metadata={"description": "in the notation of the game"})
    value = fields.Float(required=True, metadata={"description": SHARE})
    share = fields.Float(
        required=True, metadata={"description": "of the search; of a sealed answer, how often it should be given"}
    )
    why = fields.String(required=True, allow_none=True, metadata={"description": "a sentence, in English"})


class JudgedDecisionSchema(Schema):
    """A decision, judged from what its seat knew then."""

    version = fields.Integer(required=True, metadata={"description": "the event after which it was asked"})
    seat = fields.Integer(required=True)
    part = fields.String(required=True)
    by = fields.String(required=True, validate=validate.OneOf(["seat", "orders"]))
    sealed = fields.Boolean(required=True)
    played = fields.Nested(JudgedLineSchema, required=True)
    best = fields.Float(required=True, metadata={"description": f"{SHARE}: before the move"})
    loss = fields.Float(required=True, metadata={"description": "what the move lost of it"})
    verdict = fields.String(required=True, validate=validate.OneOf(list(get_args(Verdict))))
    lines = fields.List(fields.Nested(JudgedLineSchema), required=True, metadata={"description": "the best others"})


class JudgedDrawSchema(Schema):
    """A draw, judged with everything open."""

    version = fields.Integer(required=True)
    part = fields.String(required=True)
    text = fields.String(required=True)
    before = fields.List(fields.Float(), required=True, metadata={"description": f"by seat, {SHARE}, {OPEN}"})
    after = fields.List(fields.Float(), required=True, metadata={"description": f"by seat, {SHARE}, {OPEN}"})


class JudgedBidSchema(Schema):
    """A sealed bid, judged with everything open."""

    version = fields.Integer(required=True, metadata={"description": "the event that opened it"})
    prize = fields.String(required=True)
    bid = fields.String(required=True)
    price = fields.Integer(required=True)
    won = fields.Boolean(required=True)
    least = fields.Integer(
        required=True, allow_none=True, metadata={"description": "what would just have won; null: nothing"}
    )
    worth = fields.Float(required=True, metadata={"description": "against the smallest bid, in shares of winning"})
    text = fields.String(required=True)


class SeatAnalysisSchema(Schema):
    """A seat at a glance."""

    seat = fields.Integer(required=True)
    player = fields.String(required=True, allow_none=True)
    text = fields.String(required=True)
    decisions = fields.Integer(required=True)
    accuracy = fields.Float(
        required=True, allow_none=True, metadata={"description": "how much of the best its moves kept, 0 to 1"}
    )
    lost = fields.Float(required=True)
    worst = fields.List(fields.Integer(), required=True, metadata={"description": "versions of decisions"})
    luck = fields.Float(required=True)
    luckiest = fields.Integer(required=True, allow_none=True, metadata={"description": "version of a draw"})
    unluckiest = fields.Integer(required=True, allow_none=True, metadata={"description": "version of a draw"})
    bids = fields.List(fields.Nested(JudgedBidSchema), required=True)


class AnalysisProgressSchema(Schema):
    """How far it is."""

    done = fields.Integer(required=True)
    of = fields.Integer(required=True, metadata={"description": "0 until it was begun"})


class AnalysisSchema(Schema):
    """An analysis; empty lists until it is done."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    strength = fields.Integer(required=True)
    status = fields.String(
        required=True, validate=validate.OneOf(["none", "queued", "running", "done", "cancelled", "failed"])
    )
    progress = fields.Nested(AnalysisProgressSchema, required=True)
    yours = fields.Boolean(required=True, metadata={"description": "whether I wait for it"})
    seats = fields.List(fields.Nested(SeatAnalysisSchema), required=True)
    decisions = fields.List(fields.Nested(JudgedDecisionSchema), required=True)
    draws = fields.List(fields.Nested(JudgedDrawSchema), required=True)


@bp.route("/games/<string:game>/analysis")
class Analysis(MethodView):
    """The analysis of a game."""

    @watched
    @bp.arguments(AnalysisQuery, location="query")
    @bp.response(200, AnalysisSchema)
    @bp.alt_response(200, schema={"type": "string"}, content_type=TEXT, description="OK")
    @bp.problems(404, 409, 422)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """What else could have been done in a game that is over, or how far that is; of a running game never.

        Each decision is judged from what its seat knew then, draws and sealed bids with everything open. As text/plain
        it is told in my language.
        """
        with services().database.read() as connection:
            asked = analyses.look(services(), connection, game, g.player, query.get("strength"))
            if request.accept_mimetypes.best_match(["application/json", TEXT]) == TEXT:
                return Response(
                    _text(connection, asked), content_type=TEXT_UTF8, headers=version_tag(asked.head.version)
                )
            return _answer(connection, asked)

    @signed_in
    @bp.arguments(AskSchema, required=False)
    @bp.response(202, AnalysisSchema)
    @bp.alt_response(200, schema=AnalysisSchema, description="it is done already")
    @bp.problems(403, 404, 409, 422)
    @writes
    def post(self, body: dict[str, Any], game: str, tx: Connection) -> Response:
        """Ask for an analysis: a worker makes it, and it is kept for everybody. One at a time for each person."""
        asked = analyses.ask(services(), tx, game, g.player, body.get("strength", USUAL))
        return _answer(tx, asked, 200 if asked.status == "done" else 202)

    @signed_in
    @bp.arguments(AnalysisQuery, location="query")
    @bp.response(200, AnalysisSchema)
    @bp.problems(403, 404, 409, 422)
    @writes
    def delete(self, query: dict[str, Any], game: str, tx: Connection) -> Response:
        """Give up the analysis that I asked for; who asks for it again goes on where it was."""
        return _answer(tx, analyses.cancel(services(), tx, game, g.player, query.get("strength")))


def _answer(connection: Connection, asked: Asked, status: int = 200) -> Response:
    view = ReaderView(services(), connection, asked.head, None)
    shown = document(asked, view.display_names, view.words_with_names, g.player)
    return answer(shown, status, headers=version_tag(asked.head.version))


def _text(connection: Connection, asked: Asked) -> str:
    """All of it in the reader's language; how it stands, while it is not done."""
    head = asked.head
    language = ENGLISH if g.player is None else readers.language_of(connection, g.player)
    view = ReaderView(services(), connection, head, None, language)
    said = view.words_with_names
    if asked.status != "done":
        return said(told_status(asked.status, asked.done, asked.total)) + "\n"
    return prose(head.rules, asked.findings, range(len(view.names)), view.names, said)
