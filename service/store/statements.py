"""Statements that are compiled once a dialect and run on the driver itself (decision 0005)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store.connection import Connection, wrapped

_Compiled = tuple[str, Callable[[Mapping[str, Any]], Any]]


def insert(table: sa.Table, *, is_sqlite: bool) -> Any:
    """An INSERT that knows ON CONFLICT, for SQLite or PostgreSQL; the other dialect is not even imported."""
    if is_sqlite:
        from sqlalchemy.dialects.sqlite import insert as sqlite_insert

        return sqlite_insert(table)
    from sqlalchemy.dialects.postgresql import insert as postgresql_insert

    return postgresql_insert(table)


class Statement:
    """A Core statement compiled once a dialect and run on the driver itself: the hot path."""

    def __init__(self, statement: sa.Executable) -> None:
        self.statement = statement
        self.compiled: dict[str, _Compiled] = {}

    def __call__(self, connection: Connection, **values: Any) -> Any:
        """Run it once with these values. Answers the driver's cursor: rows are tuples.

        Raises sqlalchemy.exc.DBAPIError, as everything that runs on a connection does.
        """
        sql, bind = self._for(connection)
        try:
            return connection.driver.execute(sql, bind(values))
        except Exception as error:
            raise wrapped(connection, error) from error

    def each(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run it for every row."""
        if len(rows) == 1:
            self(connection, **rows[0])
        elif rows:
            sql, bind = self._for(connection)
            driver = connection.driver
            try:
                if connection.dialect.name == "sqlite":
                    driver.executemany(sql, [bind(row) for row in rows])
                else:  # psycopg's executemany waits for every batch, also in a pipeline
                    for row in rows:
                        driver.execute(sql, bind(row))
            except Exception as error:
                raise wrapped(connection, error) from error

    def _for(self, connection: Connection) -> _Compiled:
        name = connection.dialect.name
        known = self.compiled.get(name)
        if known is None:
            known = self.compiled[name] = self._compile(connection.dialect)
        return known

    def _compile(self, dialect: sa.Dialect) -> _Compiled:
        compiled: Any = self.statement.compile(dialect=dialect)  # type: ignore[attr-defined]
        constants = {name: value for name, value in compiled.params.items() if value is not None}
        names: Sequence[str] | None = compiled.positiontup
        if names is None:
            blank = dict.fromkeys(compiled.params)
            return str(compiled), lambda values: {**blank, **constants, **values}
        return str(compiled), lambda values: tuple(
            [values[name] if name in values else constants.get(name) for name in names]
        )


class Insert:
    """An INSERT of any number of rows, in as few statements as they need."""

    MOST: Final = 8
    """Rows in one statement: what is told in a sentence of each length is kept by driver and database."""

    def __init__(self, table: sa.Table, names: Sequence[str]) -> None:
        self.table = table
        self.names = names
        self.statements = tuple(Statement(self._of(number)) for number in range(1, self.MOST + 1))

    def _of(self, number: int) -> sa.Insert:
        columns = {name: self.table.c[name].type for name in self.names}
        return sa.insert(self.table).values(
            [{name: bindparam(f"{name}{row}", type_=kind) for name, kind in columns.items()} for row in range(number)]
        )

    def __call__(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add these rows, in their order; each has all of the names."""
        for first in range(0, len(rows), self.MOST):
            some = rows[first : first + self.MOST]
            values = {f"{name}{number}": row[name] for number, row in enumerate(some) for name in self.names}
            self.statements[len(some) - 1](connection, **values)
