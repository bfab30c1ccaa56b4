"""Reminders: due rungs become notices, each once (RATE-08)."""

from typing import Any, Final

import sqlalchemy as sa
import structlog
from sqlalchemy import Connection

from domain.table.state import Table
from service.clock import SECOND
from service.deadlines import policy
from service.store import outbox
from service.store.decisions import decisions
from service.store.streams import Head
from service.wardroom import Wardroom

log = structlog.get_logger("wardroom.clock")
BATCH: Final = 100
LATER: Final = 3600 * SECOND
"""When a game that could not be opened is looked at again."""


def remind(room: Wardroom, tx: Connection) -> int:
    """Turn up to BATCH reminders that are due into notices, and set when the next of each is. How many."""
    now = room.database.clock.now(tx)
    found = (
        sa.select(decisions)
        .where(decisions.c.remind_at <= now)
        .order_by(decisions.c.remind_at)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    rows = tx.execute(found).mappings().all()
    for row in rows:
        try:
            head = room.streams.head(tx, row["game_id"])
        except Exception as error:  # a game that cannot be opened must not stop the reminders of others
            log.exception("a reminder could not be made", game=row["game_id"], error=type(error).__name__)
            _remind_at(tx, row, now + LATER)
            continue
        clock = policy(head.table.clock)
        rung = sum(1 for before in clock.reminders if row["due_at"] - before <= now)
        _remind_at(tx, row, clock.next_reminder(row["due_at"], now))
        if rung and now < row["due_at"] - SECOND:  # no rung: the deadline was moved since the reminder was planned
            outbox.put(tx, [_notice(head.table, head, row, rung, now)])
    return len(rows)


def _remind_at(tx: Connection, row: Any, at: int | None) -> None:
    where = (decisions.c.game_id == row["game_id"], decisions.c.seat == row["seat"])
    tx.execute(sa.update(decisions).where(*where).values(remind_at=at))


def _notice(table: Table, head: Head, row: Any, rung: int, now: int) -> dict[str, Any]:
    return {
        "recipient": table.chairs[row["seat"]].player,
        "game_id": head.game,
        "kind": "reminder",
        "decision": f"{row['since']}.{rung}",
        "seat": row["seat"],
        "version": head.version,
        "created_at": now,
    }
