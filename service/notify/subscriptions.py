"""Webhooks as their owner sees them: where a program is told what its player's mails tell, and what came of it (S-35).

Messages are signed as Standard Webhooks says, with a secret that is shown once. The address may hold a secret, too:
both are sealed, and of the address nothing but the host is ever logged.
"""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from domain.engine.refusals import require
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.encryption import Unreadable
from service.kernel.ids import new_cause, new_player_id
from service.notify import endpoints
from service.store.database import Connection
from service.store.outgoing import webhooks
from service.store.outgoing.deliveries import Delivery
from service.store.outgoing.webhooks import Webhook

HOUR: Final = 3600 * SECOND
DAY: Final = 24 * HOUR
MOST: Final = 5
MOST_TESTS: Final = 10
"""Pings of a player in an hour: we do not know who owns the server they are sent to."""
OLD_SECRET: Final = DAY
"""How long the secret before the present one signs as well."""
KEPT: Final = 30 * DAY
"""How long it is known what was told."""
RULE: Final = "DESIGN-8"


class Kept(msgspec.Struct, frozen=True):
    """What is sealed of a webhook: its address, and the secrets that sign."""

    url: str
    secret: bytes
    old: bytes | None = None


@dataclass(frozen=True, slots=True)
class Subscription:
    """A webhook, without its secret."""

    id: str
    url: str | None  # None where the key it is sealed with is lost
    state: str  # on or off
    reason: str
    failing_since: int | None
    old_until: int | None
    created_at: int


def register(services: Services, tx: Connection, player: str, url: str) -> tuple[Subscription, str]:
    """Tell this address from now on what the player is told by mail: the webhook, and its secret, shown this once.

    Raises RuleViolation. Nothing is sent.
    """
    _require_on(services)
    endpoints.read(url, services.settings.webhook_hosts)
    webhooks.lock_owner(tx, player)  # two at once would not count
    known = list_subscriptions(services, tx, player)
    require(
        len(known) < MOST, "too-many-webhooks", RULE, "You have {most} webhooks already: delete one first.", most=MOST
    )
    require(
        url not in [hook.url for hook in known], "webhook-exists", RULE,
        "You have a webhook with this address already: use that one, or delete it first.",
    )  # fmt: skip
    hook, now, secret = "w_" + new_player_id()[2:], services.database.clock.now(tx), secrets.token_bytes(32)
    webhooks.add(tx, hook, player, seal(services, hook, Kept(url, secret)), now)
    return Subscription(hook, url, "on", "", None, None, now), secret_text(secret)


def list_subscriptions(services: Services, connection: Connection, player: str) -> list[Subscription]:
    """A player's webhooks, oldest first."""
    return [_subscription(services, row) for row in webhooks.of_player(connection, player)]


def delete(tx: Connection, player: str, hook: str) -> bool:
    """Delete a webhook, and what waits to be told to it. False where the player has none with this id."""
    return webhooks.delete(tx, player, hook)


def rotate(services: Services, tx: Connection, player: str, hook: str) -> tuple[str, int] | None:
    """A new secret for a webhook, and until when the one before it signs as well. None where there is none."""
    row = webhooks.lock(tx, player, hook)
    if row is None:
        return None
    kept, secret = open_kept(services, hook, row.sealed), secrets.token_bytes(32)
    until = services.database.clock.now(tx) + OLD_SECRET
    webhooks.change(tx, hook, sealed=seal(services, hook, Kept(kept.url, secret, kept.secret)), old_until=until)
    return secret_text(secret), until


def send_ping(services: Services, tx: Connection, player: str, hook: str) -> str | None:
    """Send a ping to a webhook at once, and switch it on again: the id of the message. None where there is none.

    Raises RuleViolation.
    """
    _require_on(services)
    if webhooks.lock(tx, player, hook) is None:
        return None
    now = services.database.clock.now(tx)
    if services.settings.rate_limits:
        require(
            webhooks.count_pings(tx, player, now - HOUR) < MOST_TESTS, "too-many-tests", RULE,
            "You sent {most} pings within the hour: wait a little before the next.", most=MOST_TESTS,
        )  # fmt: skip
    webhooks.change(tx, hook, state="on", reason="", failures=0, failing_since=None, not_before=0)
    return id_of(webhooks.add_ping(tx, hook, player, new_cause(), now))


def list_messages(
    connection: Connection, player: str, hook: str, *, before: int | None, limit: int
) -> list[Delivery] | None:
    """What was told to a webhook, or waits to be, newest first. None where the player has none with this id."""
    if not webhooks.exists(connection, player, hook):
        return None
    return webhooks.messages_to(connection, hook, before, limit)


def forget(tx: Connection, player: str) -> None:
    """Delete everything about a player's webhooks (S-50)."""
    webhooks.forget_player(tx, player)


def forget_old(services: Services, tx: Connection, now: int, most: int) -> None:
    """Forget up to `most` messages whose time is over, and secrets that sign no more."""
    webhooks.forget_messages(tx, now - KEPT, most)
    for row in webhooks.rotated(tx, now, most):
        changes: dict[str, Any] = {"old_until": None}
        kept = _kept(services, row)
        if kept is not None:
            changes["sealed"] = seal(services, row.id, Kept(kept.url, kept.secret))
        webhooks.change(tx, row.id, **changes)


def message_id(webhook: str, game: str, kind: str, decision: str, created_at: int) -> str:
    """The id of a message, the same at every attempt and after a restored backup: made of what it is about."""
    about = f"{webhook}|{game}|{kind}|{decision}|{created_at}"
    return "msg_" + hashlib.sha256(about.encode()).hexdigest()[:32]


def id_of(message: Delivery) -> str:
    """The id of a message that is kept."""
    return message_id(message.target, message.game_id, message.kind, message.decision, message.created_at)


def signature(old_until: int | None, kept: Kept, message: str, at: int, body: bytes) -> str:
    """The signatures of an attempt at a time, in seconds since 1970: the old secret's after the new one's."""
    signing = [kept.secret] + ([kept.old] if kept.old and old_until and at * SECOND < old_until else [])
    signed = b"%s.%d.%s" % (message.encode(), at, body)
    return " ".join("v1," + _base64(hmac.digest(secret, signed, "sha256")) for secret in signing)


def secret_text(secret: bytes) -> str:
    """A signing secret as its owner gets it."""
    return "whsec_" + _base64(secret)


def seal(services: Services, hook: str, kept: Kept) -> bytes:
    """What is kept of a webhook, sealed."""
    return services.sealer.seal(*place(hook), msgspec.msgpack.encode(kept))


def open_kept(services: Services, hook: str, sealed: bytes) -> Kept:
    """What was sealed of a webhook. Raises Unreadable."""
    return msgspec.msgpack.decode(services.sealer.open(*place(hook), sealed), type=Kept)


def place(hook: str) -> tuple[str, str]:
    """The scope and context a webhook is sealed for."""
    return "webhooks", f"hook|{hook}"


def _subscription(services: Services, row: Webhook) -> Subscription:
    kept = _kept(services, row)
    url = kept.url if kept else None
    return Subscription(row.id, url, row.state, row.reason, row.failing_since, row.old_until, row.created_at)


def _kept(services: Services, row: Webhook) -> Kept | None:
    try:
        return open_kept(services, row.id, row.sealed)
    except Unreadable:
        return None


def _require_on(services: Services) -> None:
    require(
        services.settings.webhooks, "webhooks-off", RULE,
        "This server sends no webhooks: GET /api/v1/me/turns lists what waits for you.",
    )  # fmt: skip


def _base64(plain: bytes) -> str:
    return base64.b64encode(plain).decode()
