"""Rows as typed records: a `msgspec.Struct` whose fields are columns of the tables it is read from."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from service.store.connection import Connection

R = TypeVar("R", bound=msgspec.Struct)


def columns(record: type[msgspec.Struct], table: sa.Table) -> list[sa.Column[Any]]:
    """The columns of a table that a record has fields for, in the order of the fields."""
    return [table.c[name] for name in record.__struct_fields__]


def first(connection: Connection, record: type[R], statement: sa.Executable) -> R | None:
    """The first row a statement gives as a record; None where it gives none."""
    row = connection.execute(statement).first()
    return None if row is None else record(*row)


def every(connection: Connection, record: type[R], statement: sa.Executable) -> Sequence[R]:
    """All rows a statement gives, each as a record."""
    return [record(*row) for row in connection.execute(statement)]
