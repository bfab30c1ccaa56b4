"""Sealed values of any table by the key they are under: its id stands in their first bytes."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from service.kernel.encryption import KEY_ID_BYTES
from service.store.connection import Connection

SealedColumn = sa.Column[bytes]
NameColumn = sa.Column[Any]
Key = tuple[Any, ...]
"""The values of the primary key of a row, in the order of its columns."""


class SealedValue(msgspec.Struct, frozen=True):
    """A sealed value, and those of the columns that say what it is bound to."""

    names: tuple[Any, ...]
    sealed: bytes


def under_keys(tx: Connection, column: SealedColumn, keys: Sequence[bytes], most: int) -> list[Key]:
    """The primary keys of up to `most` rows whose value in this column is under one of the keys, locked."""
    names = [*column.table.primary_key.columns]
    picked = sa.select(*names).where(_key_of(column).in_(keys)).limit(most).with_for_update(skip_locked=True)
    return [tuple(row) for row in tx.execute(picked)]


def change(
    tx: Connection,
    column: SealedColumn,
    key: Key,
    named_by: Sequence[NameColumn],
    seal_again: Callable[[SealedValue], bytes | None],
) -> bool:
    """Put what `seal_again` makes of a value into its column. False, and nothing done, where it makes None.

    The value is read by itself, for a mail may be large; `named_by` are the columns that say what it is bound to.
    """
    table = column.table
    this = [part == value for part, value in zip(table.primary_key.columns, key, strict=True)]
    *names, sealed = tx.execute(sa.select(*named_by, column).where(*this)).one()
    value = seal_again(SealedValue(tuple(names), sealed))
    if value is None:
        return False
    tx.execute(sa.update(table).where(*this).values({column.name: value}))
    return True


def is_used(connection: Connection, column: SealedColumn, owner: sa.Column[str], key: bytes, but: str) -> bool:
    """Whether a value of another owner than `but` is under this key."""
    same = sa.select(owner).where(_key_of(column) == key, owner != but).limit(1)
    return connection.execute(same).first() is not None


def _key_of(column: SealedColumn) -> sa.ColumnElement[bytes]:
    return sa.func.substr(column, 1, KEY_ID_BYTES, type_=sa.LargeBinary)
