"""Sealed values of any table by the key they are under: its id stands in their first bytes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from service.kernel.encryption import KEY_ID_BYTES

Row = Mapping[str, Any]
SealedColumn = sa.Column[bytes]


def under_keys(tx: Connection, column: SealedColumn, keys: Sequence[bytes], most: int) -> list[dict[str, Any]]:
    """The primary keys of up to `most` rows whose value in this column is under one of the keys, locked."""
    names = [*column.table.primary_key.columns]
    picked = sa.select(*names).where(_key_of(column).in_(keys)).limit(most).with_for_update(skip_locked=True)
    return [dict(row) for row in tx.execute(picked).mappings()]


def change(tx: Connection, column: SealedColumn, this: Row, seal_again: Callable[[Row], bytes | None]) -> bool:
    """Put what `seal_again` makes of a row into its column. False, and nothing done, where it makes None.

    The row is read by itself, for a mail may be large.
    """
    table = column.table
    found = [table.c[name] == value for name, value in this.items()]
    value = seal_again(dict(tx.execute(sa.select(table).where(*found)).mappings().one()))
    if value is None:
        return False
    tx.execute(sa.update(table).where(*found).values({column.name: value}))
    return True


def is_used(connection: Connection, column: SealedColumn, owner: sa.Column[str], key: bytes, but: str) -> bool:
    """Whether a value of another owner than `but` is under this key."""
    same = sa.select(owner).where(_key_of(column) == key, owner != but).limit(1)
    return connection.execute(same).first() is not None


def _key_of(column: SealedColumn) -> sa.ColumnElement[bytes]:
    return sa.func.substr(column, 1, KEY_ID_BYTES, type_=sa.LargeBinary)
