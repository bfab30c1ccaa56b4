"""Passkeys: whose they are, and what they have signed."""

from collections.abc import Sequence
from typing import Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.rows import PasskeyRow, SpentChallengeRow

passkeys: Final = PasskeyRow.__table__  # type: ignore[attr-defined]
spent: Final = SpentChallengeRow.__table__  # type: ignore[attr-defined]


class Passkey(msgspec.Struct, frozen=True):
    """A passkey (PasskeyRow explains the fields)."""

    id: str
    player_id: str
    credential: bytes
    public_key: bytes
    uses: int
    label: str
    created_at: int
    last_used_at: int | None


_ALL: Final = sa.select(*records.columns(Passkey, passkeys))


def of_player(connection: Connection, player: str) -> Sequence[Passkey]:
    """The passkeys of a player, newest first."""
    return records.every(
        connection, Passkey, _ALL.where(passkeys.c.player_id == player).order_by(passkeys.c.created_at.desc())
    )


def lock(tx: Connection, credential: bytes) -> Passkey | None:
    """The passkey that a device knows by this, locked."""
    return records.first(tx, Passkey, _ALL.where(passkeys.c.credential == credential).with_for_update())


def add(database: Database, tx: Connection, passkey: Passkey) -> bool:
    """Keep a new passkey. False where somebody has it already."""
    row = upsert(database, passkeys).values(**msgspec.structs.asdict(passkey))
    fresh = row.on_conflict_do_nothing(index_elements=["credential"]).returning(passkeys.c.id)
    return tx.execute(fresh).first() is not None


def note_use(tx: Connection, passkey: str, uses: int, now: int) -> None:
    """Note that a passkey signed somebody in, and how often its device says it did."""
    tx.execute(sa.update(passkeys).where(passkeys.c.id == passkey).values(uses=uses, last_used_at=now))


def end(tx: Connection, player: str, passkey: str) -> bool:
    """Delete a passkey of a player. Whether there was one."""
    theirs = (passkeys.c.player_id == player, passkeys.c.id == passkey)
    return tx.execute(sa.delete(passkeys).where(*theirs)).rowcount > 0


def spend(database: Database, tx: Connection, challenge: bytes, expires_at: int) -> bool:
    """Keep that a challenge was answered. False where it had been before; two at once spend it once."""
    row = upsert(database, spent).values(digest=challenge, expires_at=expires_at)
    fresh = row.on_conflict_do_nothing(index_elements=["digest"]).returning(spent.c.expires_at)
    return tx.execute(fresh).first() is not None


def drop_spent(tx: Connection, now: int) -> None:
    """Forget the challenges that are too old to be answered again."""
    tx.execute(sa.delete(spent).where(spent.c.expires_at <= now))
