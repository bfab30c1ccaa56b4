"""What a webhook is sent: who is to move where and until when, and nothing that not all at the table know."""

from typing import Any

import msgspec

from service.container import Services
from service.kernel.clock import SECOND, text
from service.notify import subscriptions
from service.notify.kind import KINDS
from service.notify.subscriptions import Kept
from service.store.database import Connection
from service.store.event_store.checkpoints import checkpoint
from service.store.outgoing.deliveries import Delivery
from service.store.outgoing.routes import PING
from service.store.outgoing.webhooks import Webhook, ruleset_and_hash
from workers.kinds.registry import still_true
from workers.letters.letter_data import Asked


def compose(services: Services, connection: Connection, message: Delivery) -> bytes:
    """The body of a message, once its claim is found true; what was sent before, where it was.

    Raises Superseded, but not of one that was asked for again: it says what was true.
    """
    asked = None
    if message.kind != PING and message.replayed_at is None:
        asked = still_true(services, connection, message.notice())
    if message.body is not None:
        return bytes(message.body, "utf-8")
    told = {
        "type": KINDS[message.kind].event,
        "timestamp": text(message.created_at),
        "data": _of_a_game(services, connection, message, asked) if message.game_id else {"webhook": message.target},
    }
    return msgspec.json.encode(told)


def headers(hook: Webhook, kept: Kept, message: Delivery, body: bytes, at: int) -> dict[str, str]:
    """The headers of an attempt at a time, as Standard Webhooks has them."""
    number, seconds = subscriptions.id_of(message), at // SECOND
    return {
        "Content-Type": "application/json",
        "User-Agent": "Wardroom",
        "webhook-id": number,
        "webhook-timestamp": str(seconds),
        "webhook-signature": subscriptions.signature(hook.old_until, kept, number, seconds, body),
    }


def _of_a_game(services: Services, connection: Connection, message: Delivery, asked: Asked | None) -> dict[str, Any]:
    """The event it is about, a witness of that moment (decision 7), and what is asked as it was when first sent."""
    ruleset, hash_ = ruleset_and_hash(connection, message.game_id, message.version)
    signed = checkpoint(connection, services.streams, services.signer, message.game_id, message.version)
    return {
        "game": message.game_id,
        "ruleset": ruleset,
        "seat": message.seat,
        "version": message.version,
        "hash": hash_,
        "checkpoint": signed.document(),
        "decision": asked.decision if asked else None,
        "due": text(asked.due) if asked and asked.due is not None else None,
        "url": f"{services.settings.base_url}/api/v1/games/{message.game_id}",
    }
