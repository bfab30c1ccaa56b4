"""Webhooks, and the messages that each is to be sent: written with the notices, leased a webhook at a time.

A webhook has one message under way at most, and the least recently served comes first: one that hangs or is flooded
costs the others nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from service.store.database import Statement
from service.store.halted import going
from service.store.players import players
from service.store.rows import HookDeliveryRow, WebhookRow

webhooks: Final = WebhookRow.__table__  # type: ignore[attr-defined]
deliveries: Final = HookDeliveryRow.__table__  # type: ignore[attr-defined]
PING: Final = "ping"
TYPES: Final[Mapping[str, str]] = {
    "your-turn": "turn",
    "reminder": "reminder",
    "deadline-passed": "deadline-passed",
    "game-over": "game-over",
    PING: "ping",
}
"""What is told to webhooks, by the kind of notice. Answers, codes and invitations are for people."""


class Webhook(msgspec.Struct, frozen=True):
    """A row of the webhooks; times in microseconds since 1970 UTC."""

    id: str
    player_id: str
    sealed: bytes
    old_until: int | None
    state: str
    reason: str
    created_at: int
    failures: int
    failing_since: int | None
    not_before: int
    lease: str | None
    lease_until: int


class Message(msgspec.Struct, frozen=True):
    """A message to one webhook; times in microseconds since 1970 UTC, `log` is JSON."""

    id: int
    hook_id: str
    player_id: str
    game_id: str
    kind: str
    decision: str
    seat: int | None
    version: int
    state: str
    not_before: int
    attempts: int
    created_at: int
    done_at: int | None
    reason: str | None
    body: str | None
    log: str


_ON: Final[sa.ColumnElement[str]] = sa.literal_column("'on'")
_QUEUED: Final[sa.ColumnElement[str]] = sa.literal_column("'queued'")
_COPIED: Final = ("game_id", "kind", "decision", "seat", "version", "created_at")
_tell: Final = Statement(
    sa.insert(deliveries).from_select(
        ["hook_id", "player_id", *_COPIED, "not_before", "state", "attempts", "log"],
        sa.select(
            webhooks.c.id,
            webhooks.c.player_id,
            *(bindparam(name, type_=deliveries.c[name].type) for name in (*_COPIED, "created_at")),
            _QUEUED,
            sa.literal_column("0"),
            sa.literal_column("'[]'"),
        ).where(webhooks.c.player_id == bindparam("recipient", type_=sa.String), webhooks.c.state == _ON),
    )
)


def tell(connection: Connection, notices: Sequence[Mapping[str, Any]]) -> None:
    """What these notices tell is due at the webhooks of their recipients, whatever becomes of the mail."""
    _tell.each(connection, [row for row in notices if row["kind"] in TYPES])


def tell_again(connection: Connection, notice: Mapping[str, Any]) -> None:
    """The same of a notice that is made once more, unless a webhook was told of it or is about to be."""
    mine = sa.select(webhooks.c.id).where(webhooks.c.player_id == notice["recipient"])
    same = [deliveries.c[name] == notice[name] for name in ("game_id", "kind", "decision")]
    known = sa.select(deliveries.c.id).where(deliveries.c.hook_id.in_(mine), *same, deliveries.c.state != "superseded")
    if connection.execute(known.limit(1)).first() is None:
        tell(connection, [notice])


def take(connection: Connection, lease: str, now: int, until: int) -> tuple[Webhook, Message] | None:
    """Lease a webhook to which something is due, until then, with the first message due; its attempt is counted."""
    waits = (deliveries.c.state == _QUEUED, deliveries.c.not_before <= now, going(deliveries.c.game_id))
    due = sa.select(deliveries.c.hook_id).where(*waits)
    free = (
        sa.select(webhooks.c.id)
        .where(webhooks.c.state == _ON, webhooks.c.not_before <= now, webhooks.c.lease_until <= now)
        .where(webhooks.c.id.in_(due))
        .order_by(webhooks.c.lease_until, webhooks.c.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    mine = sa.update(webhooks).where(webhooks.c.id.in_(free)).values(lease=lease, lease_until=until)
    webhook = _first(connection, mine.returning(*webhooks.c))
    if webhook is None:
        return None
    first = (
        sa.select(deliveries.c.id)
        .where(deliveries.c.hook_id == webhook.id, *waits)
        .order_by(deliveries.c.not_before, deliveries.c.id)
        .limit(1)
    )
    tried = sa.update(deliveries).where(deliveries.c.id.in_(first)).values(attempts=deliveries.c.attempts + 1)
    row = connection.execute(tried.returning(*deliveries.c)).mappings().first()
    return None if row is None else (webhook, Message(**row))  # None: it was deleted at this very moment


def hold(connection: Connection, webhook: str, lease: str | None) -> Webhook | None:
    """A webhook as it is now, for nobody else to change; None where the lease was lost (Q-11)."""
    found = sa.select(webhooks).where(webhooks.c.id == webhook, webhooks.c.lease == lease)
    return _first(connection, found.with_for_update())


def give_back(connection: Connection, webhook: str, now: int, **changes: Any) -> None:
    """End a lease that is held, and note what came of it."""
    mine = sa.update(webhooks).where(webhooks.c.id == webhook)
    connection.execute(mine.values(lease=None, lease_until=now, **changes))


def settle(connection: Connection, message: int, **changes: Any) -> None:
    """Note what came of a message whose webhook is held."""
    connection.execute(sa.update(deliveries).where(deliveries.c.id == message).values(**changes))


def drop(connection: Connection, webhook: str, now: int, reason: str) -> None:
    """Nothing that waits is told to this webhook any more."""
    waiting = (deliveries.c.hook_id == webhook, deliveries.c.state == _QUEUED)
    connection.execute(sa.update(deliveries).where(*waiting).values(state="failed", done_at=now, reason=reason))


def add(connection: Connection, webhook: str, player: str, sealed: bytes, now: int) -> None:
    """A new webhook of a player, which is on."""
    row = {"id": webhook, "player_id": player, "sealed": sealed, "created_at": now}
    fresh = {"state": "on", "reason": "", "failures": 0, "not_before": 0, "lease_until": 0}
    connection.execute(sa.insert(webhooks).values(**row, **fresh))


def of_player(connection: Connection, player: str) -> list[Webhook]:
    """A player's webhooks, oldest first."""
    found = sa.select(webhooks).where(webhooks.c.player_id == player).order_by(webhooks.c.created_at, webhooks.c.id)
    return [Webhook(**row) for row in connection.execute(found).mappings()]


def lock_owner(connection: Connection, player: str) -> None:
    """Let nobody else add a webhook of this player until the transaction ends."""
    connection.execute(sa.select(players.c.id).where(players.c.id == player).with_for_update())


def exists(connection: Connection, player: str, webhook: str) -> bool:
    """Whether a player has a webhook with this id."""
    return connection.execute(sa.select(webhooks.c.id).where(*_is(player, webhook))).first() is not None


def lock(connection: Connection, player: str, webhook: str) -> Webhook | None:
    """A player's webhook, for nobody else to change; None where the player has none with this id."""
    return _first(connection, sa.select(webhooks).where(*_is(player, webhook)).with_for_update())


def change(connection: Connection, webhook: str, **changes: Any) -> None:
    """Change columns of a webhook."""
    connection.execute(sa.update(webhooks).where(webhooks.c.id == webhook).values(**changes))


def delete(connection: Connection, player: str, webhook: str) -> bool:
    """Delete a webhook, and what waits to be told to it. False where the player has none with this id."""
    if connection.execute(sa.delete(webhooks).where(*_is(player, webhook))).rowcount != 1:
        return False
    connection.execute(sa.delete(deliveries).where(deliveries.c.hook_id == webhook, deliveries.c.state == "queued"))
    return True


def add_ping(connection: Connection, webhook: str, player: str, decision: str, now: int) -> Message:
    """A ping that is due at a webhook at once; `decision` tells it from others."""
    row = {"hook_id": webhook, "player_id": player, "kind": PING, "decision": decision, "created_at": now}
    waits = {"game_id": "", "version": 0, "state": "queued", "not_before": now, "attempts": 0, "log": "[]"}
    made = connection.execute(sa.insert(deliveries).values(**row, **waits).returning(*deliveries.c))
    return Message(**made.mappings().one())


def count_pings(connection: Connection, player: str, since: int) -> int:
    """How many pings were sent for a player since then."""
    lately = (deliveries.c.player_id == player, deliveries.c.kind == PING, deliveries.c.created_at > since)
    return int(connection.execute(sa.select(sa.func.count()).where(*lately)).scalar_one())


def messages_to(connection: Connection, webhook: str, before: int | None, limit: int) -> list[Message]:
    """Up to `limit` messages to a webhook, newest first, from before that number on."""
    found = sa.select(deliveries).where(deliveries.c.hook_id == webhook).order_by(deliveries.c.id.desc())
    if before is not None:
        found = found.where(deliveries.c.id < before)
    return [Message(**row) for row in connection.execute(found.limit(limit)).mappings()]


def forget_player(connection: Connection, player: str) -> None:
    """Delete everything about a player's webhooks (S-50)."""
    for table in (deliveries, webhooks):
        connection.execute(sa.delete(table).where(table.c.player_id == player))


def forget_messages(connection: Connection, until: int, most: int) -> None:
    """Delete up to `most` messages that were made before then."""
    old = sa.select(deliveries.c.id).where(deliveries.c.created_at < until)
    oldest = old.order_by(deliveries.c.created_at).limit(most)
    connection.execute(sa.delete(deliveries).where(deliveries.c.id.in_(oldest)))


def rotated(connection: Connection, now: int, most: int) -> list[Webhook]:
    """Up to `most` webhooks, locked, whose old secret signs no more."""
    found = sa.select(webhooks).where(webhooks.c.old_until <= now).limit(most).with_for_update(skip_locked=True)
    return [Webhook(**row) for row in connection.execute(found).mappings()]


def _is(player: str, webhook: str) -> tuple[sa.ColumnElement[bool], ...]:
    return webhooks.c.id == webhook, webhooks.c.player_id == player


def _first(connection: Connection, statement: Any) -> Webhook | None:
    row = connection.execute(statement).mappings().first()
    return None if row is None else Webhook(**row)
