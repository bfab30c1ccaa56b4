"""Webhooks as their owner sees them: where a program is told what its player's mails tell, and what came of it (S-35).

Messages are signed as Standard Webhooks says, with a secret that is shown once. The address may hold a secret, too:
both are sealed, and of the address nothing but the host is ever logged.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from domain.engine.refusals import require
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.encryption import Unreadable
from service.kernel.ids import new_cause, new_player_id
from service.notify import webhook_targets
from service.store.hooks import PING, deliveries, webhooks
from service.store.players import players

HOUR: Final = 3600 * SECOND
DAY: Final = 24 * HOUR
MOST: Final = 5
MOST_TESTS: Final = 10
"""Pings of a player in an hour: whose server they knock at, we do not know."""
OLD_SECRET: Final = DAY
"""How long the secret before the present one signs as well."""
KEPT: Final = 30 * DAY
"""How long it is known what was told."""
RULE: Final = "DESIGN-8"

Row = Mapping[str, Any]


class Kept(msgspec.Struct, frozen=True):
    """What is sealed of a webhook: its address, and the secrets that sign."""

    url: str
    secret: bytes
    old: bytes | None = None


@dataclass(frozen=True, slots=True)
class Hook:
    """A webhook, without its secret."""

    id: str
    url: str | None  # None where the key it is sealed with is lost
    state: str  # on or off
    reason: str
    failing_since: int | None
    old_until: int | None
    created_at: int


def register(services: Services, tx: Connection, player: str, url: str) -> tuple[Hook, str]:
    """Tell this address from now on what the player is told by mail: the webhook, and its secret, shown this once.

    Raises RuleViolation. Nothing is sent.
    """
    _require_on(services)
    webhook_targets.read(url, services.settings.webhook_hosts)
    tx.execute(sa.select(players.c.id).where(players.c.id == player).with_for_update())  # two at once would not count
    known = hooks_of(services, tx, player)
    require(
        len(known) < MOST, "too-many-webhooks", RULE, "You have {most} webhooks already: delete one first.", most=MOST
    )
    require(
        url not in [hook.url for hook in known], "webhook-exists", RULE,
        "You have a webhook with this address already: use that one, or delete it first.",
    )  # fmt: skip
    hook, now, secret = "w_" + new_player_id()[2:], services.database.clock.now(tx), secrets.token_bytes(32)
    row = {"id": hook, "player_id": player, "sealed": seal(services, hook, Kept(url, secret)), "created_at": now}
    tx.execute(sa.insert(webhooks).values(state="on", reason="", failures=0, not_before=0, lease_until=0, **row))
    return Hook(hook, url, "on", "", None, None, now), shown(secret)


def hooks_of(services: Services, connection: Connection, player: str) -> list[Hook]:
    """A player's webhooks, oldest first."""
    found = sa.select(webhooks).where(webhooks.c.player_id == player).order_by(webhooks.c.created_at, webhooks.c.id)
    return [_hook(services, dict(row)) for row in connection.execute(found).mappings()]


def delete(tx: Connection, player: str, hook: str) -> bool:
    """Delete a webhook, and what waits to be told to it. False where the player has none with this id."""
    if tx.execute(sa.delete(webhooks).where(*_is(player, hook))).rowcount != 1:
        return False
    tx.execute(sa.delete(deliveries).where(deliveries.c.hook_id == hook, deliveries.c.state == "queued"))
    return True


def rotate(services: Services, tx: Connection, player: str, hook: str) -> tuple[str, int] | None:
    """A new secret for a webhook, and until when the one before it signs as well. None where there is none."""
    row = _lock(tx, player, hook)
    if row is None:
        return None
    kept, secret = open_kept(services, row), secrets.token_bytes(32)
    until = services.database.clock.now(tx) + OLD_SECRET
    sealed = seal(services, hook, Kept(kept.url, secret, kept.secret))
    tx.execute(sa.update(webhooks).where(*_is(player, hook)).values(sealed=sealed, old_until=until))
    return shown(secret), until


def test(services: Services, tx: Connection, player: str, hook: str) -> str | None:
    """Send a ping to a webhook at once, and switch it on again: the id of the message. None where there is none.

    Raises RuleViolation.
    """
    _require_on(services)
    if _lock(tx, player, hook) is None:
        return None
    now = services.database.clock.now(tx)
    if services.settings.rate_limits:
        lately = (deliveries.c.player_id == player, deliveries.c.kind == PING, deliveries.c.created_at > now - HOUR)
        count = tx.execute(sa.select(sa.func.count()).where(*lately)).scalar_one()
        require(
            count < MOST_TESTS, "too-many-tests", RULE,
            "You sent {most} pings within the hour: wait a little before the next.", most=MOST_TESTS,
        )  # fmt: skip
    again = {"state": "on", "reason": "", "failures": 0, "failing_since": None, "not_before": 0}
    tx.execute(sa.update(webhooks).where(*_is(player, hook)).values(**again))
    ping = {"hook_id": hook, "player_id": player, "kind": PING, "decision": new_cause(), "created_at": now}
    waits = {"game_id": "", "version": 0, "state": "queued", "not_before": now, "attempts": 0, "log": "[]"}
    tx.execute(sa.insert(deliveries).values(**ping, **waits))
    return message_id(ping | waits)


def told(connection: Connection, player: str, hook: str, *, before: int | None, limit: int) -> list[Row] | None:
    """What was told to a webhook, or waits to be, newest first. None where the player has none with this id."""
    if connection.execute(sa.select(webhooks.c.id).where(*_is(player, hook))).first() is None:
        return None
    found = sa.select(deliveries).where(deliveries.c.hook_id == hook).order_by(deliveries.c.id.desc())
    if before is not None:
        found = found.where(deliveries.c.id < before)
    return [dict(row) for row in connection.execute(found.limit(limit)).mappings()]


def forget(tx: Connection, player: str) -> None:
    """Delete everything about a player's webhooks (S-50)."""
    for table in (deliveries, webhooks):
        tx.execute(sa.delete(table).where(table.c.player_id == player))


def forget_old(services: Services, tx: Connection, now: int, most: int) -> None:
    """Forget up to `most` messages whose time is over, and secrets that sign no more."""
    old = sa.select(deliveries.c.id).where(deliveries.c.created_at < now - KEPT)
    tx.execute(sa.delete(deliveries).where(deliveries.c.id.in_(old.order_by(deliveries.c.created_at).limit(most))))
    rotated = sa.select(webhooks).where(webhooks.c.old_until <= now).limit(most).with_for_update(skip_locked=True)
    for row in tx.execute(rotated).mappings().all():
        changes: dict[str, Any] = {"old_until": None}
        kept = _kept(services, dict(row))
        if kept is not None:
            changes["sealed"] = seal(services, row["id"], Kept(kept.url, kept.secret))
        tx.execute(sa.update(webhooks).where(webhooks.c.id == row["id"]).values(**changes))


def message_id(message: Row) -> str:
    """What tells a message from all others, at every attempt and after a restored backup: made of what it is about."""
    about = "|".join(str(message[name]) for name in ("hook_id", "game_id", "kind", "decision", "created_at"))
    return "msg_" + hashlib.sha256(about.encode()).hexdigest()[:32]


def signature(row: Row, kept: Kept, message: str, at: int, body: bytes) -> str:
    """The signatures of an attempt at a time, in seconds since 1970: the old secret's after the new one's."""
    signing = [kept.secret] + ([kept.old] if kept.old and row["old_until"] and at * SECOND < row["old_until"] else [])
    signed = b"%s.%d.%s" % (message.encode(), at, body)
    return " ".join("v1," + _base64(hmac.digest(secret, signed, "sha256")) for secret in signing)


def shown(secret: bytes) -> str:
    """A signing secret as its owner gets it."""
    return "whsec_" + _base64(secret)


def seal(services: Services, hook: str, kept: Kept) -> bytes:
    """What is kept of a webhook, sealed."""
    return services.sealer.seal(*place(hook), msgspec.msgpack.encode(kept))


def open_kept(services: Services, row: Row) -> Kept:
    """What was sealed of a webhook. Raises Unreadable."""
    return msgspec.msgpack.decode(services.sealer.open(*place(row["id"]), row["sealed"]), type=Kept)


def place(hook: str) -> tuple[str, str]:
    """The scope and context a webhook is sealed for."""
    return "webhooks", f"hook|{hook}"


def _hook(services: Services, row: Row) -> Hook:
    kept = _kept(services, row)
    return Hook(
        row["id"], kept.url if kept else None, row["state"], row["reason"], row["failing_since"], row["old_until"],
        row["created_at"],
    )  # fmt: skip


def _kept(services: Services, row: Row) -> Kept | None:
    try:
        return open_kept(services, row)
    except Unreadable:
        return None


def _lock(tx: Connection, player: str, hook: str) -> Row | None:
    row = tx.execute(sa.select(webhooks).where(*_is(player, hook)).with_for_update()).mappings().first()
    return None if row is None else dict(row)


def _is(player: str, hook: str) -> tuple[sa.ColumnElement[bool], ...]:
    return webhooks.c.id == hook, webhooks.c.player_id == player


def _require_on(services: Services) -> None:
    require(
        services.settings.webhooks, "webhooks-off", RULE,
        "This server sends no webhooks: GET /api/v1/me/turns lists what waits for you.",
    )  # fmt: skip


def _base64(plain: bytes) -> str:
    return base64.b64encode(plain).decode()
