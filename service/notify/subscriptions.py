"""Webhooks as their owner sees them: where a program is told what its player's mails tell, and what came of it (S-35).

Messages are signed as Standard Webhooks says, with a secret that is shown once. The address may hold a secret, too:
both are sealed, and of the address nothing but the host is ever logged.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from domain.engine.refusals import require
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.encryption import Unreadable
from service.kernel.ids import new_cause, new_player_id
from service.notify import endpoints
from service.notify.kind import KINDS
from service.store.database import Connection
from service.store.outgoing import webhooks
from service.store.outgoing.deliveries import Delivery
from service.store.outgoing.routes import PING
from service.store.outgoing.webhooks import Message, Webhook

HOUR: Final = 3600 * SECOND
DAY: Final = 24 * HOUR
MOST: Final = 5
MOST_TESTS: Final = 10
"""Pings of a player in an hour: we do not know who owns the server they are sent to."""
OLD_SECRET: Final = DAY
"""How long the secret before the present one signs as well."""
MOST_REPLAYS: Final = 60
"""Messages of a webhook that may be sent again within an hour, for the same reason …"""
REPLAY_PAUSE: Final = 600 * SECOND
"""… and how long before the same one may be once more."""
EVENTS: Final = {kind.event: kind.name for kind in KINDS.values() if kind.event and kind.name != PING}
"""What a webhook can be told, and the kind of notice that tells it; a ping comes whatever is chosen."""
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
    events: tuple[str, ...] = tuple(EVENTS)  # what it is told


def register(
    services: Services, tx: Connection, player: str, url: str, events: Iterable[str] = EVENTS
) -> tuple[Subscription, str]:
    """Tell this address from now on what the player is told by mail, of the `events` that are wanted: the webhook, and
    its secret, shown this once.

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
    hook, now = "w_" + new_player_id(services.entropy)[2:], services.database.clock.now(tx)
    secret = services.entropy.token_bytes(32)
    kinds = _kinds(events)
    webhooks.add(tx, hook, player, seal(services, hook, Kept(url, secret)), now, kinds)
    return Subscription(hook, url, "on", "", None, None, now, _events(kinds)), secret_text(secret)


def list_subscriptions(services: Services, connection: Connection, player: str) -> list[Subscription]:
    """A player's webhooks, oldest first."""
    return [_subscription(services, row) for row in webhooks.of_player(connection, player)]


def choose(services: Services, tx: Connection, player: str, hook: str, events: Iterable[str]) -> Subscription | None:
    """Tell a webhook these events alone from now on; what waits is sent. None where the player has no such webhook."""
    row = webhooks.lock(tx, player, hook)
    if row is None:
        return None
    kinds = _kinds(events)
    webhooks.change(tx, hook, kinds=kinds)
    return _subscription(services, msgspec.structs.replace(row, kinds=kinds))


def delete(tx: Connection, player: str, hook: str) -> bool:
    """Delete a webhook, and what waits to be told to it. False where the player has none with this id."""
    return webhooks.delete(tx, player, hook)


def rotate(services: Services, tx: Connection, player: str, hook: str) -> tuple[str, int] | None:
    """A new secret for a webhook, and until when the one before it signs as well. None where there is none."""
    row = webhooks.lock(tx, player, hook)
    if row is None:
        return None
    kept, secret = open_kept(services, hook, row.sealed), services.entropy.token_bytes(32)
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
    return id_of(webhooks.add_ping(tx, hook, player, new_cause(services.entropy), now))


def replay(services: Services, tx: Connection, player: str, hook: str, message: str) -> bool:
    """Send a past message once more at once: the same id and bytes, a new time and signature, whether it is still true
    or not. False where the player has no webhook with this id.

    Raises RuleViolation.
    """
    _require_on(services)
    webhook = webhooks.lock(tx, player, hook)
    if webhook is None:
        return False
    require(webhook.state == "on", "webhook-is-off", RULE, "This webhook is off: a test switches it on again.")
    past, now = webhooks.past_messages(tx, hook), services.database.clock.now(tx)
    wanted = next((found for found in past if _id_at(hook, found) == message), None)
    require(
        wanted is not None, "no-such-delivery", RULE,
        "This webhook was sent no message with this id in the last 30 days: its deliveries are listed.",
    )  # fmt: skip
    assert wanted is not None
    require(wanted.state != "queued", "delivery-waits", RULE, "This message is on its way already: wait for it.")
    require(
        wanted.is_kept, "delivery-not-kept", RULE,
        "This message was never sent, so nothing is kept of it: ask for the game itself.",
    )  # fmt: skip
    if services.settings.rate_limits:
        _limit_replays(past, wanted, now)
    webhooks.send_again(tx, wanted.id, now)
    return True


def _limit_replays(past: Sequence[Message], wanted: Message, now: int) -> None:
    """Raises RuleViolation."""
    require(
        wanted.replayed_at is None or wanted.replayed_at <= now - REPLAY_PAUSE, "too-many-replays", RULE,
        "This message was sent again within the last {minutes} minutes: wait a little.",
        minutes=REPLAY_PAUSE // (60 * SECOND),
    )  # fmt: skip
    lately = [found for found in past if found.replayed_at is not None and found.replayed_at > now - HOUR]
    require(
        len(lately) < MOST_REPLAYS, "too-many-replays", RULE,
        "You had {most} messages sent again within the hour: wait a little before the next.", most=MOST_REPLAYS,
    )  # fmt: skip


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


def _id_at(hook: str, message: Message) -> str:
    return message_id(hook, message.game_id, message.kind, message.decision, message.created_at)


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
    health = (row.state, row.reason, row.failing_since)
    return Subscription(row.id, url, *health, row.old_until, row.created_at, _events(row.kinds))


def _kinds(events: Iterable[str]) -> str | None:
    """The kinds of notices that tell events, as they are kept: None for all, those to come as well."""
    wanted = {EVENTS[event] for event in events}
    return None if wanted == {*EVENTS.values()} else " ".join(sorted(wanted))


def _events(kinds: str | None) -> tuple[str, ...]:
    """The events that kinds of notices, as they are kept, tell."""
    return tuple(event for event, kind in EVENTS.items() if kinds is None or kind in kinds.split())


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
