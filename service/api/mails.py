"""Mails we got from a player, and what we did."""

from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import fields, validate

from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.reading import QueryNumber, Strict
from service.kernel.clock import text
from service.mail import inbox
from service.store.incoming.inbox import StoredMail

bp = Resource("mails", description="Mail that came in: what it said to us, and what came of it")
LOCKED = frozenset({"held", "refused"})
"""States of mails that failed a lock: who they are of is not sure, so nothing of what they say is shown."""


class MailsQuery(Strict):
    """Which mails."""

    before = QueryNumber(
        load_default=None, validate=validate.Range(1, 10**12 - 1), metadata={"description": "a mail's number"}
    )
    limit = QueryNumber(load_default=50, validate=validate.Range(1, 100))


class MailSchema(Strict):
    """One mail."""

    id = fields.Integer(required=True)
    received_at = fields.String(required=True, metadata={"description": "by our clock: the one that counts"})
    sender = fields.String(required=True, metadata={"description": "of the envelope"})
    game = fields.String(required=True, allow_none=True)
    state = fields.String(required=True, metadata={"example": "applied"})
    reason = fields.String(required=True)
    commands = fields.List(fields.String(), required=True, metadata={"description": "as they were understood"})
    version = fields.Integer(required=True, metadata={"description": "the game's after it; 0 where it did nothing"})


class MailsSchema(Strict):
    """Mails, newest first."""

    items = fields.List(fields.Nested(MailSchema), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata={"description": "`before` of the next page"})


@bp.route("/me/mails")
class MyMails(MethodView):
    """The mails we got."""

    @signed_in
    @bp.arguments(MailsQuery, location="query")
    @bp.response(200, MailsSchema)
    def get(self, query: dict[str, Any]) -> Response:
        """Mails we got from you and what we did, newest first."""
        with services().database.read() as connection:
            rows = inbox.mails_of(connection, g.player, before=query["before"], limit=query["limit"] + 1)
        shown, more = rows[: query["limit"]], len(rows) > query["limit"]
        items = [_document(row) for row in shown]
        return answer({"items": items, "next": shown[-1].id if more else None})


def _document(row: StoredMail) -> dict[str, Any]:
    outcome = (inbox.outcome(services(), row) or {}) if row.state not in LOCKED else {}
    return {
        "id": row.id,
        "received_at": text(row.received_at),
        "sender": row.sender,
        "game": row.game_id or None,
        "state": row.state,
        "reason": row.reason,
        "commands": outcome.get("commands", []),
        "version": outcome.get("version", 0) if row.state == "applied" else 0,
    }
