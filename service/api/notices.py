"""What I was told about a game, and what became of it."""

from typing import Any, Final

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from service.api.http.answers import page, read_cursor
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.preconditions import version_tag
from service.api.http.reading import PageQuery, refuse
from service.games import play
from service.kernel.clock import text
from service.notify import notice_log
from service.notify.notice_log import Notice
from service.store.across.mail_history import Place

bp = Resource("notices", description="Notices: what was told to whom, when, and what became of it")
LARGEST: Final = 2**62


class AboutSchema(Schema):
    """What a notice is about; what does not apply is missing."""

    event = fields.Integer(metadata={"description": "the event that caused it"})
    rung = fields.Integer(metadata={"description": "of a reminder: the first, the second …"})
    mail = fields.Integer(metadata={"description": "the mail it answers, as in /me/mails"})
    message = fields.Integer(metadata={"description": "the line of table talk"})
    act = fields.Integer(metadata={"description": "the line in the journal of the operator"})


class NoticeSchema(Schema):
    """One notice."""

    kind = fields.String(required=True, metadata={"example": "your-turn"})
    channel = fields.String(required=True, validate=validate.OneOf(["mail", "webhook", "push"]))
    about = fields.Nested(AboutSchema, required=True)
    created_at = fields.String(required=True)
    due_at = fields.String(required=True, metadata={"description": "not sent before"})
    sent_at = fields.String(required=True, allow_none=True, metadata={"description": "null while it has not gone out"})
    state = fields.String(required=True, validate=validate.OneOf(["queued", "sent", "bounced", "superseded", "failed"]))
    reason = fields.String(required=True, metadata={"description": "what became of it, in words"})
    mail = fields.String(required=True, allow_none=True, metadata={"description": "its Message-ID, once it was sent"})
    webhook = fields.String(required=True, allow_none=True, metadata={"description": "its webhook-id"})
    attempts = fields.Integer(required=True)


class NoticesSchema(Schema):
    """A page of notices, newest first."""

    items = fields.List(fields.Nested(NoticeSchema), required=True)
    next = fields.String(required=True, allow_none=True)


@bp.route("/games/<string:game>/notices")
class Notices(MethodView):
    """My notices."""

    @signed_in
    @bp.arguments(PageQuery, location="query")
    @bp.response(200, NoticesSchema)
    @bp.problems(403, 404)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """What I was told about a game I sit in, or am to be told: when, how, and what became of it; newest first."""
        before, limit = _before(query), query["limit"]
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
            if seat is None:
                raise play.NotSeated
            now = services().database.clock.now(connection)
            found = notice_log.of_game(connection, game, g.player, now, before=before, limit=limit + 1)
        after = found[limit - 1].place if len(found) > limit else None
        told = [_document(notice) for notice in found[:limit]]
        return page(told, after, headers=version_tag(head.version), limit=limit)


def _document(notice: Notice) -> dict[str, Any]:
    return {
        "kind": notice.kind,
        "channel": notice.channel,
        "about": notice.about,
        "created_at": text(notice.created_at),
        "due_at": text(notice.due_at),
        "sent_at": None if notice.sent_at is None else text(notice.sent_at),
        "state": notice.state,
        "reason": notice.reason,
        "mail": notice.message_id,
        "webhook": notice.webhook_id,
        "attempts": notice.attempts,
    }


def _before(query: dict[str, Any]) -> Place | None:
    """Where a page begins, None for the first."""
    if "cursor" not in query:
        return None
    try:
        found = read_cursor(query["cursor"])
    except ValueError:
        found = None
    if type(found) is not list or [type(part) for part in found] != [int] * 3 or not _fits(found):
        refuse("This is no cursor of ours: leave it out to begin again.", "bad-cursor")
    created, channel, number = found
    return created, channel, number


def _fits(numbers: list[int]) -> bool:
    return all(0 <= number < LARGEST for number in numbers)
