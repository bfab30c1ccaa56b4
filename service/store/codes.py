"""One-time codes on their way to a mailbox: only their digest is kept (S-20)."""

from collections.abc import Sequence
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from service.store import records
from service.store.rows import CodeRow

codes: Final = CodeRow.__table__  # type: ignore[attr-defined]


class Code(msgspec.Struct, frozen=True):
    """A code that was mailed to a player."""

    id: int
    player_id: str
    digest: bytes
    created_at: int
    expires_at: int
    tries: int
    used: bool


def made_since(connection: Connection, player: str, since: int) -> int:
    """How many codes were mailed to a player after this time."""
    recent = sa.select(sa.func.count()).where(codes.c.player_id == player, codes.c.created_at > since)
    return connection.execute(recent).scalar_one()


def add(tx: Connection, player: str, digest: bytes, now: int, expires_at: int) -> int:
    """Keep a new code. Its number."""
    kept = sa.insert(codes).values(
        player_id=player, digest=digest, created_at=now, expires_at=expires_at, tries=0, used=False
    )
    number: int = tx.execute(kept.returning(codes.c.id)).scalar_one()
    return number


def by_id(connection: Connection, number: int) -> Code | None:
    """One code; None for one that is not kept any more."""
    return records.first(connection, Code, sa.select(*records.columns(Code, codes)).where(codes.c.id == number))


def lock_valid(tx: Connection, player: str, now: int, most_tries: int) -> Sequence[Code]:
    """The codes of a player that may still be used, newest first, locked until the transaction ends."""
    valid = (
        sa.select(*records.columns(Code, codes))
        .where(codes.c.player_id == player, codes.c.expires_at > now, codes.c.used.is_(False))
        .where(codes.c.tries < most_tries)
        .order_by(codes.c.id.desc())
    )
    return records.every(tx, Code, valid.with_for_update())


def use_up(tx: Connection, player: str) -> None:
    """Mark every code of a player as used."""
    tx.execute(sa.update(codes).where(codes.c.player_id == player).values(used=True))


def count_try(tx: Connection, player: str) -> None:
    """Count a wrong code against every code of a player."""
    tx.execute(sa.update(codes).where(codes.c.player_id == player).values(tries=codes.c.tries + 1))


def drop_expired(tx: Connection, before: int) -> None:
    """Delete the codes that expired before this time."""
    tx.execute(sa.delete(codes).where(codes.c.expires_at < before))
