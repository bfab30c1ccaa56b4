"""Signs of life by name, each with the time it was last given, in microseconds."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.rows import HeartbeatRow
from service.store.statements import Statement

heartbeats: Final = HeartbeatRow.__table__  # type: ignore[attr-defined]
BACKUP: Final = "backup"
"""The last backup."""
RESTORED: Final = "restored"
"""When the database was filled from a backup."""
_ALL: Final = sa.select(heartbeats.c.name, heartbeats.c.at)
_LAST: Final = Statement(sa.select(heartbeats.c.at).where(heartbeats.c.name == bindparam("sign", type_=sa.String)))


def beat(database: Database, tx: Connection, name: str, at: int | None = None) -> None:
    """Give a sign of life, of now or of the time `at`."""
    moment = database.clock.now(tx) if at is None else at
    row = upsert(database, heartbeats).values(name=name, at=moment)
    tx.execute(row.on_conflict_do_update(index_elements=["name"], set_={"at": moment}))


def last_beat(connection: Connection, name: str) -> int | None:
    """When this sign of life was last given; None if it never was."""
    row = _LAST(connection, sign=name).fetchone()
    return None if row is None else int(row[0])


def last_beats(connection: Connection) -> dict[str, int]:
    """When each sign of life was last given."""
    return {row[0]: row[1] for row in connection.execute(_ALL)}


def hold_beats(tx: Connection) -> dict[str, int]:
    """The same, locked: in a transaction of PostgreSQL nobody else reads them so at the same time."""
    return {row[0]: row[1] for row in tx.execute(_ALL.order_by(heartbeats.c.name).with_for_update())}


def remove_beats(tx: Connection, *names: str) -> None:
    """Take signs of life away."""
    tx.execute(sa.delete(heartbeats).where(heartbeats.c.name.in_(names)))
