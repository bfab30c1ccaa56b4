"""What was answered to requests with an Idempotency-Key: a row for each player and key."""

from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store import records
from service.store.connection import Connection
from service.store.database import Database
from service.store.rows import IdempotencyRow
from service.store.statements import Statement, insert

idempotency: Final = IdempotencyRow.__table__  # type: ignore[attr-defined]


class KeptAnswer(msgspec.Struct, frozen=True):
    """The answer to one request; sealed, and None while the request is under way."""

    player_id: str
    key: str
    fingerprint: str
    answer: bytes | None


_ALL: Final = sa.select(*records.columns(KeptAnswer, idempotency))
_player: Final = bindparam("player", type_=sa.String)
_key: Final = bindparam("given", type_=sa.String)
_this: Final = (idempotency.c.player_id == _player, idempotency.c.key == _key)
_of_key: Final = Statement(_ALL.where(*_this))
_keep: Final = Statement(
    sa.update(idempotency)
    .where(*_this)
    .values({name: bindparam("new_" + name, type_=idempotency.c[name].type) for name in ("status", "answer")})
)


@cache
def _take(is_sqlite: bool, clock: str | None) -> Statement:
    """The statement that takes a key, at the time of the database's own `clock` where it has one."""
    now: sa.ColumnElement[int] = bindparam("now", type_=sa.BigInteger) if clock is None else sa.literal_column(clock)
    fingerprint = bindparam("print", type_=sa.String)
    taken = insert(idempotency, is_sqlite=is_sqlite).values(
        player_id=_player, key=_key, fingerprint=fingerprint, created_at=now
    )
    return Statement(taken.on_conflict_do_nothing().returning(idempotency.c.key))


def take(database: Database, tx: Connection, player: str, key: str, fingerprint: str) -> bool:
    """Take a key until the transaction ends. False where it is taken; on PostgreSQL a twin waits here to know."""
    clock = database.clock
    given = {"now": clock.now()} if clock.sql is None else {}
    take_it = _take(database.is_sqlite, clock.sql)
    return take_it(tx, player=player, given=key, print=fingerprint, **given).fetchone() is not None


def of_key(connection: Connection, player: str, key: str) -> KeptAnswer | None:
    """What is kept under a key."""
    row = _of_key(connection, player=player, given=key).fetchone()
    return None if row is None else KeptAnswer(*row)


def keep(tx: Connection, player: str, key: str, status: int, answer: bytes) -> None:
    """Keep a sealed answer under a key that is taken."""
    _keep(tx, player=player, given=key, new_status=status, new_answer=answer)


def answered(connection: Connection, after: tuple[str, str], upto: int, most: int) -> Sequence[KeptAnswer]:
    """Up to `most` answers to requests of this time and before, in the order of (player, key), after that one."""
    keys = sa.tuple_(idempotency.c.player_id, idempotency.c.key)
    found = _ALL.where(keys > sa.tuple_(*after), idempotency.c.created_at <= upto, idempotency.c.answer.is_not(None))
    return records.every(connection, KeptAnswer, found.order_by(idempotency.c.player_id, idempotency.c.key).limit(most))


def drop_old(tx: Connection, before: int) -> None:
    """Delete the answers to requests before this time."""
    tx.execute(sa.delete(idempotency).where(idempotency.c.created_at < before))
