"""The history: events, long polls, the export, the audit."""

import re
from typing import Any

from flask import Response, g, request
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from domain.engine.game import Seat
from service.api.http.answers import answer, encoded
from service.api.http.auth import services, waiter, watched
from service.api.http.blueprint import Resource
from service.api.http.callers import caller_is_gone
from service.api.http.compression import known_tag
from service.api.http.preconditions import version_tag
from service.api.http.reading import QueryNumber, Strict
from service.api.http.streaming import SSE, last_id, stream
from service.container import Services
from service.games import game_story, history_queries, long_poll, play
from service.games.my_news import Told, kind_of
from service.games.reader_view import ReaderView
from service.integrity.proofs import proof_of
from service.store.database import Connection
from service.store.event_store.streams import Head

bp = Resource("events", description="History: events, export, audit")
NDJSON = "application/x-ndjson"
AGAIN = {
    "Retry-After": {
        "schema": {"type": "integer"},
        "description": "only where there was no room to wait: seconds after which to ask again",
    }
}
TEXT = "text/plain"


class EventsQuery(Strict):
    """Which events."""

    after = QueryNumber(load_default=0, validate=validate.Range(0, 10**9))
    limit = QueryNumber(load_default=100, validate=validate.Range(1, 500))
    wait = QueryNumber(
        load_default=0, validate=validate.Range(0, 60), metadata={"description": "seconds to wait for news"}
    )


class HeadSchema(Schema):
    """Where the stream stands."""

    version = fields.Integer(required=True)
    hash = fields.String(required=True)


class EventsSchema(Schema):
    """Events as the caller may see them."""

    events = fields.List(
        fields.Dict(),
        required=True,
        metadata={
            "description": "what was taken back has `undone_by`, the event with which the game went back; "
            "the export has no such mark: there an event of the game is undone by the first `table.rewound` after it "
            "whose `to` is before it"
        },
    )
    head = fields.Nested(HeadSchema, required=True)


class CheckSchema(Schema):
    """One check of an audit."""

    what = fields.String(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(["verified", "open", "unchecked", "broken"]))
    detail = fields.String(required=True)


class AuditSchema(Schema):
    """What an audit found."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    ok = fields.Boolean(required=True)
    checks = fields.List(fields.Nested(CheckSchema), required=True)


@bp.route("/games/<string:game>/events")
class Events(MethodView):
    """The history."""

    @watched
    @bp.arguments(EventsQuery, location="query")
    @bp.response(200, EventsSchema, headers=AGAIN)
    @bp.alt_response(200, schema={"type": "string"}, content_type=NDJSON, description="OK")
    @bp.alt_response(200, schema={"type": "string"}, content_type=TEXT, description="OK")
    @bp.alt_response(200, schema={"type": "string"}, content_type=SSE, description="OK")
    @bp.problems(404, 429)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """Events after a version; with `wait`, news as it comes; as application/x-ndjson, the whole export.

        As text/plain a sentence or a few for each event, after its number; an event that tells nothing has no line.
        As text/event-stream, and as application/x-ndjson with `wait`, a stream: an event each, as it happens.
        A server without room to wait answers at once: then Retry-After says in how many seconds to ask again.
        """
        wanted = request.accept_mimetypes.best_match(["application/json", NDJSON, TEXT, SSE])
        if wanted == SSE or (wanted == NDJSON and query["wait"]):
            after = _version(last_id(None), query["after"])
            return stream(_Follower(services(), game, g.player, after, query["limit"]), wanted)
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
            if wanted == NDJSON:
                lines = b"".join(history_queries.export(services(), connection, head, seat))
                return Response(lines, content_type=NDJSON, headers=version_tag(head.version))
        waited = True
        if query["wait"] and head.version <= query["after"]:
            waited = long_poll.for_news(
                services(), waiter(), game, query["after"], query["wait"], gone=caller_is_gone()
            )
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
            early = not waited and head.version <= query["after"]
            headers = version_tag(head.version) | ({"Retry-After": f"{long_poll.AGAIN}"} if early else {})
            if wanted == TEXT:
                told = _told(connection, head, seat, query)
                return Response(told, content_type=f"{TEXT}; charset=utf-8", headers=headers)
            events = history_queries.events(
                services(), connection, head, seat, after=query["after"], limit=query["limit"]
            )
        document = {"events": events, "head": {"version": head.version, "hash": head.hash}}
        return answer(document, headers=headers)


class _Follower:
    """Somebody who follows one game from version to version, as they may see it at each look."""

    def __init__(self, service: Services, game: str, player: str | None, after: int, most: int) -> None:
        self.service, self.hears, self.player, self.after, self.most = service, game, player, after, most

    def place(self) -> str:
        """The version of the last event that was told."""
        return str(self.after)

    def look(self) -> list[Told]:
        """The events since the last look."""
        with self.service.database.read() as connection:
            head, seat = play.look(self.service, connection, self.hears, self.player)
            if head.version <= self.after:
                return []
            found = history_queries.events(self.service, connection, head, seat, after=self.after, limit=self.most)
        self.after = found[-1]["version"]
        return [_line(event) for event in found]

    def due_in(self) -> None:
        """An event happens when it is told."""


def _line(event: dict[str, Any]) -> Told:
    told = {"type": kind_of(event["type"]), "game": event["game"], "event": event}
    return Told(str(event["version"]), told)


def _version(text: str | None, otherwise: int) -> int:
    """The version that a browser names in Last-Event-ID."""
    return int(text) if text is not None and re.fullmatch("[0-9]{1,9}", text) else otherwise


def _told(connection: Connection, head: Head, seat: Seat | None, query: dict[str, Any]) -> str:
    """The same events in sentences, with the names people have now, a line or a few each."""
    after, upto = query["after"], min(head.version, query["after"] + query["limit"])
    if after >= upto:
        return ""
    return game_story.listed(ReaderView(services(), connection, head, seat).lines(after, upto))


@bp.route("/games/<string:game>/audit")
class Audit(MethodView):
    """The audit."""

    @watched
    @bp.response(200, AuditSchema)
    @bp.problems(404, 429)
    @bp.conditional
    def get(self, game: str) -> Response:
        """What a check of the whole history, as I may see it, finds.

        Its ETag stands for all that is checked; one is made at a time, and a second request meanwhile is answered 429.
        """
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
            proof = proof_of(services(), connection, head, seat, "audit")
            if known := known_tag(proof.tag):
                return Response(status=304, headers={"ETag": f'"{known}"'})
            report = proof.content(connection, waiter(), lambda: _report(connection, head, seat))
        return Response(report, content_type="application/json", headers={"ETag": f'"{proof.tag}"'})


def _report(connection: Connection, head: Head, seat: Seat | None) -> bytes:
    """The answer to a request for an audit."""
    found = history_queries.report(services(), connection, head, seat)
    checks = [{"what": subject, "verdict": verdict, "detail": detail} for subject, verdict, detail in found.checks]
    return encoded({"game": head.game, "version": head.version, "hash": head.hash, "ok": found.ok, "checks": checks})
