"""Webhooks: where my program is told of my turns, and what came of it."""

from typing import Any, NoReturn

import msgspec
from flask import Response, g
from flask.views import MethodView
from marshmallow import fields, validate

from service.api.http.answers import answer, page, read_cursor
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.reading import PageQuery, Strict, is_id, refuse
from service.api.http.writing import writes
from service.kernel.clock import text
from service.notify import subscriptions
from service.notify.endpoints import LONGEST
from service.notify.kind import KINDS
from service.notify.subscriptions import Subscription
from service.store.database import Connection
from service.store.outgoing.deliveries import Delivery

bp = Resource("webhooks", description="Webhooks: a program is told what its player's mails tell")
SECRET = {"description": "signs the messages (Standard Webhooks); shown this once", "example": "whsec_…"}
LARGEST_ID = 2**63 - 1


def _events(**more: Any) -> fields.List[str]:
    meaning = {"description": "what it is told, pings apart", "uniqueItems": True, "minItems": 1}
    event = fields.String(validate=validate.OneOf(list(subscriptions.EVENTS)))
    return fields.List(event, metadata=meaning, **more)


class AddressSchema(Strict):
    """Where to tell, and what."""

    url = fields.String(
        required=True,
        metadata={
            "description": "https, a public host, port 443 or from 1024 up",
            "example": "https://bot.example/turns",
            "maxLength": LONGEST,
        },
    )
    events = _events(load_default=list(subscriptions.EVENTS), validate=validate.Length(min=1))


class WebhookEventsSchema(Strict):
    """What to tell."""

    events = _events(required=True, validate=validate.Length(min=1))


class WebhookSchema(Strict):
    """A webhook, without its secret."""

    id = fields.String(required=True)
    url = fields.String(
        required=True, allow_none=True, metadata={"description": "null where it cannot be opened any more: delete it"}
    )
    events = _events(required=True)
    state = fields.String(
        required=True,
        validate=validate.OneOf(["on", "off"]),
        metadata={"description": "off: it said 410, or failed for five days; a test switches it on again"},
    )
    reason = fields.String(
        required=True, metadata={"description": "why the last attempt failed, or why it is off; empty after a success"}
    )
    failing_since = fields.String(required=True, allow_none=True)
    old_secret_until = fields.String(
        required=True, allow_none=True, metadata={"description": "how long the secret before it signs as well"}
    )
    created_at = fields.String(required=True)


class NewWebhookSchema(WebhookSchema):
    """A new webhook, with its secret."""

    secret = fields.String(required=True, metadata=SECRET)


class WebhooksSchema(Strict):
    """The player's webhooks, oldest first."""

    items = fields.List(fields.Nested(WebhookSchema), required=True)
    next = fields.String(required=True, allow_none=True)


class NewSecretSchema(Strict):
    """A new secret."""

    secret = fields.String(required=True, metadata=SECRET)
    old_secret_until = fields.String(required=True)


class PingSchema(Strict):
    """A ping, or a message once more, that is on its way."""

    id = fields.String(required=True, metadata={"description": "its webhook-id, as in the list of deliveries"})


class AttemptSchema(Strict):
    """One attempt."""

    at = fields.String(required=True)
    status = fields.Integer(required=True, allow_none=True, metadata={"description": "what was answered"})
    error = fields.String(required=True, allow_none=True, metadata={"description": "why that is no success"})
    milliseconds = fields.Integer(required=True)


class DeliverySchema(Strict):
    """One message."""

    id = fields.String(required=True, metadata={"description": "its webhook-id, the same at every attempt"})
    type = fields.String(required=True, validate=validate.OneOf([kind.event for kind in KINDS.values() if kind.event]))
    game = fields.String(required=True, allow_none=True)
    state = fields.String(required=True, validate=validate.OneOf(["queued", "sent", "superseded", "failed"]))
    reason = fields.String(required=True, metadata={"description": "why it failed, or was not true any more"})
    created_at = fields.String(required=True)
    next_attempt_at = fields.String(
        required=True, allow_none=True, metadata={"description": "not before then; null where there is none"}
    )
    attempts = fields.List(fields.Nested(AttemptSchema), required=True, metadata={"description": "the last 20"})


class DeliveriesSchema(Strict):
    """Messages to one webhook, newest first."""

    items = fields.List(fields.Nested(DeliverySchema), required=True)
    next = fields.String(required=True, allow_none=True)


@bp.route("/me/webhooks")
class MyWebhooks(MethodView):
    """The player's webhooks."""

    @signed_in
    @bp.response(200, WebhooksSchema)
    def get(self) -> Response:
        """My webhooks, oldest first; never their secrets."""
        with services().database.read() as connection:
            found = subscriptions.list_subscriptions(services(), connection, g.player)
        return answer({"items": [_webhook(hook) for hook in found], "next": None})

    @signed_in
    @bp.arguments(AddressSchema)
    @bp.response(201, NewWebhookSchema)
    @bp.problems(422)
    @writes
    def post(self, wanted: dict[str, Any], tx: Connection) -> Response:
        """Tell my program of my turns, reminders, missed deadlines and games that ended; sends nothing yet."""
        hook, secret = subscriptions.register(services(), tx, g.player, wanted["url"], wanted["events"])
        return answer({**_webhook(hook), "secret": secret}, 201)


@bp.route("/me/webhooks/<string:hook>")
class MyWebhook(MethodView):
    """One webhook."""

    @signed_in
    @bp.arguments(WebhookEventsSchema)
    @bp.response(200, WebhookSchema)
    @bp.problems(404)
    @writes
    def patch(self, wanted: dict[str, list[str]], hook: str, tx: Connection) -> Response:
        """Choose what a webhook is told from now on."""
        found = subscriptions.choose(services(), tx, g.player, hook, wanted["events"]) if is_id(hook) else None
        if found is None:
            _no_webhook()
        return answer(_webhook(found))

    @signed_in
    @bp.response(204)
    @bp.problems(404)
    @writes
    def delete(self, hook: str, tx: Connection) -> Response:
        """Delete a webhook, and what waits to be told to it."""
        if not is_id(hook) or not subscriptions.delete(tx, g.player, hook):
            _no_webhook()
        return Response(status=204)


@bp.route("/me/webhooks/<string:hook>/secret")
class MyWebhookSecret(MethodView):
    """The secret that signs."""

    @signed_in
    @bp.response(200, NewSecretSchema)
    @bp.problems(404)
    @writes
    def post(self, hook: str, tx: Connection) -> Response:
        """Make a new secret; for a day every message is signed with both."""
        made = subscriptions.rotate(services(), tx, g.player, hook) if is_id(hook) else None
        if made is None:
            _no_webhook()
        return answer({"secret": made[0], "old_secret_until": text(made[1])})


@bp.route("/me/webhooks/<string:hook>/test")
class MyWebhookTest(MethodView):
    """A ping."""

    @signed_in
    @bp.response(202, PingSchema)
    @bp.problems(404, 422)
    @writes
    def post(self, hook: str, tx: Connection) -> Response:
        """Send a ping now, and switch the webhook on if it was off; the deliveries say what came of it."""
        ping = subscriptions.send_ping(services(), tx, g.player, hook) if is_id(hook) else None
        if ping is None:
            _no_webhook()
        return answer({"id": ping}, 202)


@bp.route("/me/webhooks/<string:hook>/deliveries")
class MyWebhookDeliveries(MethodView):
    """What was told to a webhook."""

    @signed_in
    @bp.arguments(PageQuery, location="query")
    @bp.response(200, DeliveriesSchema)
    @bp.problems(404)
    def get(self, query: dict[str, Any], hook: str) -> Response:
        """What was told to a webhook in the last 30 days or waits to be, newest first, with every attempt."""
        before, limit = _before(query), query["limit"]
        with services().database.read() as connection:
            found = is_id(hook) and subscriptions.list_messages(
                connection, g.player, hook, before=before, limit=limit + 1
            )
        if not isinstance(found, list):
            _no_webhook()
        after = found[limit - 1].id if len(found) > limit else None
        return page([_delivery(row) for row in found[:limit]], after, limit=limit)


@bp.route("/me/webhooks/<string:hook>/deliveries/<string:delivery>/replay")
class MyWebhookReplay(MethodView):
    """A message once more."""

    @signed_in
    @bp.response(202, PingSchema)
    @bp.problems(404, 409, 410, 422)
    @writes
    def post(self, hook: str, delivery: str, tx: Connection) -> Response:
        """Send a past message again now: same `webhook-id`, same bytes, new time and signature, true still or not."""
        if not is_id(hook) or not subscriptions.replay(services(), tx, g.player, hook, delivery):
            _no_webhook()
        return answer({"id": delivery}, 202)


def _no_webhook() -> NoReturn:
    bp.refuse(404, "no-such-webhook", "You have no webhook with this id: GET /api/v1/me/webhooks lists them.")


def _webhook(hook: Subscription) -> dict[str, Any]:
    return {
        "id": hook.id,
        "url": hook.url,
        "events": list(hook.events),
        "state": hook.state,
        "reason": hook.reason,
        "failing_since": _time(hook.failing_since),
        "old_secret_until": _time(hook.old_until),
        "created_at": text(hook.created_at),
    }


def _delivery(message: Delivery) -> dict[str, Any]:
    return {
        "id": subscriptions.id_of(message),
        "type": KINDS[message.kind].event,
        "game": message.game_id or None,
        "state": message.state,
        "reason": message.reason or "",
        "created_at": text(message.created_at),
        "next_attempt_at": text(message.not_before) if message.state == "queued" else None,
        "attempts": [{**attempt, "at": text(attempt["at"])} for attempt in msgspec.json.decode(message.log)],
    }


def _time(at: int | None) -> str | None:
    return None if at is None else text(at)


def _before(query: dict[str, Any]) -> int | None:
    """The number of the message a page begins after."""
    if "cursor" not in query:
        return None
    try:
        before = read_cursor(query["cursor"])
    except ValueError:
        before = None
    if type(before) is not int or not 0 < before <= LARGEST_ID:
        refuse("This is no cursor of ours: leave it out to begin again.", "bad-cursor")
    return before
