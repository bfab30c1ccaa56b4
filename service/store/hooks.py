"""Webhooks and what each must be told: written with the notices, in their transaction; leased a webhook at a time.

A webhook has one message under way at most, and the least recently served comes first: one that hangs or is flooded
costs the others nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from service.store.database import Statement
from service.store.halted import going
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

Row = Mapping[str, Any]
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


def take(connection: Connection, lease: str, now: int, until: int) -> tuple[Row, Row] | None:
    """Lease a webhook to which something is due, until then: its row, and that of the message, its attempt counted."""
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
    hook = connection.execute(mine.returning(*webhooks.c)).mappings().first()
    if hook is None:
        return None
    first = (
        sa.select(deliveries.c.id)
        .where(deliveries.c.hook_id == hook["id"], *waits)
        .order_by(deliveries.c.not_before, deliveries.c.id)
        .limit(1)
    )
    tried = sa.update(deliveries).where(deliveries.c.id.in_(first)).values(attempts=deliveries.c.attempts + 1)
    message = connection.execute(tried.returning(*deliveries.c)).mappings().first()
    return None if message is None else (dict(hook), dict(message))  # None: it was deleted at this very moment


def held(connection: Connection, hook: str, lease: str) -> Row | None:
    """A webhook as it is now, for nobody else to change; None where the lease was lost (Q-11)."""
    found = sa.select(webhooks).where(webhooks.c.id == hook, webhooks.c.lease == lease)
    row = connection.execute(found.with_for_update()).mappings().first()
    return None if row is None else dict(row)


def give_back(connection: Connection, hook: str, now: int, **changes: Any) -> None:
    """End a lease that is held, and note what came of it."""
    connection.execute(sa.update(webhooks).where(webhooks.c.id == hook).values(lease=None, lease_until=now, **changes))


def settle(connection: Connection, message: int, **changes: Any) -> None:
    """Note what came of a message whose webhook is held."""
    connection.execute(sa.update(deliveries).where(deliveries.c.id == message).values(**changes))


def drop(connection: Connection, hook: str, now: int, reason: str) -> None:
    """Nothing that waits is told to this webhook any more."""
    waiting = (deliveries.c.hook_id == hook, deliveries.c.state == _QUEUED)
    connection.execute(sa.update(deliveries).where(*waiting).values(state="failed", done_at=now, reason=reason))
