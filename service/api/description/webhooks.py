"""The messages that webhooks are sent, as the `webhooks` of the document: one for each type of message."""

from typing import Final

from domain.rulesets import RULESETS
from service.api.description.events import HASH
from service.api.description.naming import Schema, pascal, ref
from service.notify.kind import KINDS, Kind

MOMENT: Final[Schema] = {"type": "string", "format": "date-time"}
ANSWERS: Final = {
    "2XX": {"description": "Received: whatever the body says, it is not sent again."},
    "410": {"description": "Gone: the webhook is switched off."},
    "4XX": {"description": "Not received: it is sent again later, for five days."},
    "5XX": {"description": "Not received: it is sent again later, for five days."},
}
SIGNATURES: Final = {
    "webhook-id": "the message, the same at every attempt: handle each once",
    "webhook-timestamp": "when this attempt was made, in seconds since 1970",
    "webhook-signature": "signatures by Standard Webhooks, separated by blanks: v1,<base64 of HMAC-SHA-256>",
}
CHECKPOINT: Final[Schema] = {
    "title": "SignedCheckpoint",
    "description": "the version and hash of a moment, signed by the service (docs/audit)",
    "type": "object",
    "required": ["game", "hash", "key", "signature", "time", "version"],
    "properties": {
        "game": {"type": "string"},
        "hash": HASH,
        "key": {"type": "string"},
        "signature": {"type": "string"},
        "time": MOMENT,
        "version": {"type": "integer"},
    },
}


def told_kinds() -> list[Kind]:
    """The kinds of notices that webhooks are told."""
    return [kind for kind in KINDS.values() if kind.event]


def webhook_schemas() -> dict[str, Schema]:
    """The components of messages."""
    found = {"SignedCheckpoint": CHECKPOINT, "WebhookGame": _game(), "WebhookPing": _ping()}
    for kind in told_kinds():
        found[_name(kind)] = _message(kind)
    return found


def webhooks() -> dict[str, Schema]:
    """The `webhooks` of the document, by the type of the message."""
    return {kind.event: {"post": _operation(kind)} for kind in told_kinds()}


def _name(kind: Kind) -> str:
    return f"{pascal(kind.event)}Message"


def _operation(kind: Kind) -> Schema:
    headers = [
        {"in": "header", "name": name, "required": True, "schema": {"type": "string"}, "description": meaning}
        for name, meaning in SIGNATURES.items()
    ]
    return {
        "operationId": f"on{pascal(kind.event)}",
        "tags": ["webhooks"],
        "summary": f"The message `{kind.event}`.",
        "description": "Sent to each webhook of the player that is on, signed by Standard Webhooks; at least once.",
        "security": [],
        "parameters": headers,
        "requestBody": {"required": True, "content": {"application/json": {"schema": ref(_name(kind))}}},
        "responses": ANSWERS,
    }


def _message(kind: Kind) -> Schema:
    return {
        "title": _name(kind),
        "description": f"The message `{kind.event}`.",
        "type": "object",
        "required": ["type", "timestamp", "data"],
        "properties": {
            "type": {"type": "string", "enum": [kind.event]},
            "timestamp": MOMENT,
            "data": ref("WebhookPing" if kind.event == "ping" else "WebhookGame"),
        },
    }


def _ping() -> Schema:
    return {
        "title": "WebhookPing",
        "description": "A ping that was asked for.",
        "type": "object",
        "required": ["webhook"],
        "properties": {"webhook": {"type": "string", "description": "the id of the webhook"}},
    }


def _game() -> Schema:
    properties: dict[str, Schema] = {
        "game": {"type": "string"},
        "ruleset": {"type": "string", "enum": list(RULESETS)},
        "seat": {"type": ["integer", "null"]},
        "version": {"type": "integer"},
        "hash": HASH,
        "checkpoint": ref("SignedCheckpoint"),
        "decision": {"type": ["string", "null"], "description": "what is asked, as in GET /me/turns"},
        "due": {"type": ["string", "null"], "format": "date-time"},
        "url": {"type": "string", "format": "uri", "description": "GET this for the position"},
    }
    return {
        "title": "WebhookGame",
        "description": "The event a message is about, and what is asked of the player.",
        "type": "object",
        "required": sorted(properties),
        "properties": properties,
    }
