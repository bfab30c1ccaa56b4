"""What was answered to requests with an Idempotency-Key: a row for each player and key."""

from collections.abc import Sequence
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from service.store import records
from service.store.database import Database, upsert
from service.store.rows import IdempotencyRow

idempotency: Final = IdempotencyRow.__table__  # type: ignore[attr-defined]


class KeptAnswer(msgspec.Struct, frozen=True):
    """The answer to one request; sealed, and None while the request is under way."""

    player_id: str
    key: str
    fingerprint: str
    answer: bytes | None


_ALL: Final = sa.select(*records.columns(KeptAnswer, idempotency))


def take(database: Database, tx: Connection, player: str, key: str, fingerprint: str) -> bool:
    """Take a key until the transaction ends. False where it is taken; on PostgreSQL a twin waits here to know."""
    ours = (
        upsert(database, idempotency)
        .values(player_id=player, key=key, fingerprint=fingerprint, created_at=database.clock.now(tx))
        .on_conflict_do_nothing()
        .returning(idempotency.c.key)
    )
    return tx.execute(ours).first() is not None


def of_key(connection: Connection, player: str, key: str) -> KeptAnswer | None:
    """What is kept under a key."""
    return records.first(connection, KeptAnswer, _ALL.where(*_is(player, key)))


def keep(tx: Connection, player: str, key: str, status: int, answer: bytes) -> None:
    """Keep a sealed answer under a key that is taken."""
    tx.execute(sa.update(idempotency).where(*_is(player, key)).values(status=status, answer=answer))


def answered(connection: Connection, after: tuple[str, str], upto: int, most: int) -> Sequence[KeptAnswer]:
    """Up to `most` answers to requests of this time and before, in the order of (player, key), after that one."""
    keys = sa.tuple_(idempotency.c.player_id, idempotency.c.key)
    found = _ALL.where(keys > sa.tuple_(*after), idempotency.c.created_at <= upto, idempotency.c.answer.is_not(None))
    return records.every(connection, KeptAnswer, found.order_by(idempotency.c.player_id, idempotency.c.key).limit(most))


def drop_old(tx: Connection, before: int) -> None:
    """Delete the answers to requests before this time."""
    tx.execute(sa.delete(idempotency).where(idempotency.c.created_at < before))


def _is(player: str, key: str) -> tuple[sa.ColumnElement[bool], ...]:
    return idempotency.c.player_id == player, idempotency.c.key == key
