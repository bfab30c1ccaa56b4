"""All that happens in my games, in one stream: turns, moves, talk, clocks, ends."""

from typing import Any, Final

from flask import Response, g, request
from flask.views import MethodView
from marshmallow import fields, validate

from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.reading import QueryNumber, Strict, refuse
from service.api.http.streaming import NDJSON, SSE, last_id, line_of, stream
from service.api.messages import line_document
from service.container import Services
from service.games import my_news
from service.games.my_news import BadPlace, Place, Told

bp = Resource("my_events", description="All that happens in my games, in one stream")
STREAM: Final = {"type": "string"}


class MyEventsQuery(Strict):
    """From where."""

    after = fields.String(
        load_default=None,
        validate=validate.Length(1, my_news.LONGEST),
        metadata={"description": "the `id` of the last thing known; the header Last-Event-ID goes before it"},
    )
    limit = QueryNumber(load_default=100, validate=validate.Range(1, my_news.MOST))


class MyEventSchema(Strict):
    """Something that happened; what it has besides depends on its type."""

    id = fields.String(required=True, metadata={"description": "the place behind it, for `after`"})
    type = fields.String(required=True, validate=validate.OneOf(["turn", "move", "clock", "talk", "end"]))
    game = fields.String(required=True)
    event = fields.Dict(metadata={"description": "of a move, an end, most clocks: as GET /games/ID/events has it"})
    message = fields.Dict(metadata={"description": "of talk: as GET /games/ID/messages has it"})
    ruleset = fields.String(
        metadata={"description": "of a turn, or of one put off, as are the next: as GET /me/turns has it"}
    )
    name = fields.String()
    seat = fields.Integer()
    decision = fields.String()
    since = fields.Integer()
    due = fields.String(allow_none=True)


class MyEventsSchema(Strict):
    """What happened, and the place behind it."""

    items = fields.List(fields.Nested(MyEventSchema), required=True)
    after = fields.String(required=True, metadata={"description": "the place to go on from"})


@bp.route("/me/events")
class MyEvents(MethodView):
    """What happens in my games."""

    @signed_in
    @bp.arguments(MyEventsQuery, location="query")
    @bp.response(200, MyEventsSchema)
    @bp.alt_response(200, schema=STREAM, content_type=NDJSON, description="OK")
    @bp.alt_response(200, schema=STREAM, content_type=SSE, description="OK")
    @bp.problems(400, 429)
    def get(self, query: dict[str, Any]) -> Response:
        """Turns, moves, talk, clocks and ends of all my games after a place; without one, the turns that wait now.

        As application/x-ndjson or text/event-stream a stream, which goes on for ten minutes and sends an empty line or
        a comment after 15 seconds of silence. Come back with the last `id`: nothing is lost, nothing told twice.
        """
        wanted = request.accept_mimetypes.best_match(["application/json", NDJSON, SSE])
        text = last_id(query["after"])
        try:
            place = None if text is None else my_news.read_place(text)
        except BadPlace as error:
            refuse(str(error), "bad-place")
        if wanted in (NDJSON, SSE):
            return stream(_Reader(services(), g.player, place, query["limit"]), wanted)
        items, place = _news(services(), g.player, place, query["limit"])
        return answer({"items": [line_of(told) for told in items], "after": str(place)})


class _Reader:
    """Somebody who goes on from place to place."""

    def __init__(self, service: Services, player: str, place: Place | None, most: int) -> None:
        self.service, self.hears, self._place, self.most = service, player, place, most

    def place(self) -> str:
        """The place behind the last look."""
        return str(self._place)

    def look(self) -> list[Told]:
        """What has happened since the last look."""
        found, self._place = _news(self.service, self.hears, self._place, self.most)
        return found

    def due_in(self) -> float | None:
        """Seconds until a line of talk is shown that was said already."""
        if self._place is None:
            return None
        with self.service.database.read() as connection:
            return my_news.seconds_to_next_line(self.service, connection, self.hears, self._place)


def _news(service: Services, player: str, place: Place | None, most: int) -> tuple[list[Told], Place]:
    with service.database.read() as connection:
        found, behind = my_news.news(service, connection, player, place, most)
    return [Told(told.id, _plain(told.document)) for told in found], behind


def _plain(document: dict[str, Any]) -> dict[str, Any]:
    line = document.pop("line", None)
    return document if line is None else {**document, "message": line_document(line)}
