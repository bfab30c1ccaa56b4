"""Guests: players who have shown no address, by the sessions that alone hold them (decision 0123)."""

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa

from service.store.connection import Connection
from service.store.people.players import players
from service.store.people.tokens import SESSION, tokens

LOCK: Final = 0x67756573747321
"""On PostgreSQL, the lock under which guests are counted and one is added."""
_IS_GUEST: Final = players.c.verified_at.is_(None)


def lock(tx: Connection) -> None:
    """Let nobody else add a guest until the transaction ends. On SQLite nobody else writes anyway."""
    if tx.dialect.name == "postgresql":
        tx.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))


def count(connection: Connection) -> int:
    """Count the guests."""
    return connection.execute(sa.select(sa.func.count()).select_from(players).where(_IS_GUEST)).scalar_one()


def add(tx: Connection, **values: Any) -> None:
    """Add a guest."""
    tx.execute(sa.insert(players).values(email="", email_key=values["id"], verified_at=None, mail=False, **values))


def lock_guest(tx: Connection, player: str) -> bool:
    """Lock a guest's row until the transaction ends. Returns False for a full account."""
    found = sa.select(players.c.id).where(players.c.id == player, _IS_GUEST)
    return tx.execute(found.with_for_update()).first() is not None


def verify(tx: Connection, player: str, values: Mapping[str, Any]) -> None:
    """Make a guest a full player with these values, among them the address and when it was verified."""
    tx.execute(sa.update(players).where(players.c.id == player, _IS_GUEST).values(**values))


def idle(connection: Connection, used_since: int, made_since: int, most: int) -> list[str]:
    """Up to `most` guests without a session that was used since then, the oldest first.

    A session that was never used counts if it was made after `made_since`.
    """
    used = sa.or_(
        tokens.c.last_used_at > used_since,
        sa.and_(tokens.c.last_used_at.is_(None), tokens.c.created_at > made_since),
    )
    alive = sa.exists().where(tokens.c.player_id == players.c.id, tokens.c.kind == SESSION, used)
    found = sa.select(players.c.id).where(_IS_GUEST, ~alive).order_by(players.c.created_at).limit(most)
    return list(connection.execute(found).scalars())
