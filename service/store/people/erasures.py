"""Erasures that were asked for: one row for each person, which names nobody."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.rows import ErasureRow

erasures: Final = ErasureRow.__table__  # type: ignore[attr-defined]


class Erasure(msgspec.Struct, frozen=True):
    """How far an erasure has come (ErasureRow explains the fields)."""

    player_id: str
    asked_at: int
    stage: int
    mails: str


def exists(connection: Connection, player: str) -> bool:
    """Whether the erasure of this player was ever begun."""
    found = sa.select(erasures.c.player_id).where(erasures.c.player_id == player)
    return connection.execute(found).first() is not None


def begin(database: Database, tx: Connection, player: str, now: int, look_at: int, mails: str) -> None:
    """Note that an erasure was asked for, or was asked for again, and when to look at it next."""
    fresh = {"asked_at": now, "look_at": look_at, "done_at": None, "stage": 0, "mails": mails}
    asked = upsert(database, erasures).values(player_id=player, **fresh)
    tx.execute(asked.on_conflict_do_update(index_elements=["player_id"], set_=fresh))


def look_after(tx: Connection, player: str, pause: int) -> None:
    """Have an erasure that is not done looked at `pause` microseconds after it was asked for."""
    mine = sa.update(erasures).where(erasures.c.player_id == player, erasures.c.done_at.is_(None))
    tx.execute(mine.values(look_at=erasures.c.asked_at + pause))


def lease_due(tx: Connection, now: int, until: int, most: int) -> Sequence[Erasure]:
    """Up to `most` erasures that are due, which nobody else gets until then."""
    due = sa.select(*records.columns(Erasure, erasures)).where(erasures.c.look_at <= now).order_by(erasures.c.look_at)
    found = records.every(tx, Erasure, due.limit(most).with_for_update(skip_locked=True))
    if found:
        ids = [erasure.player_id for erasure in found]
        tx.execute(sa.update(erasures).where(erasures.c.player_id.in_(ids)).values(look_at=until))
    return found


def change(tx: Connection, player: str, **values: Any) -> None:
    """Change columns of an erasure."""
    tx.execute(sa.update(erasures).where(erasures.c.player_id == player).values(**values))
