"""The statements that a request sends to its database, told by the driver: the words that each begins with."""

import contextlib
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from service.store.database import Database

SIZE = 3
"""So many words tell one statement from another."""


@contextlib.contextmanager
def statements(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is sent in the block, commits aside."""
    said: list[str] = []
    found: list[str] = []
    if database.is_sqlite:
        with _traced(database, said):
            yield found
    else:
        with monkeypatch.context() as patch:
            execute = psycopg.Cursor.execute

            def noting(cursor: Any, query: Any, *given: Any, **named: Any) -> Any:
                said.append(str(query))
                return execute(cursor, query, *given, **named)

            patch.setattr(psycopg.Cursor, "execute", noting)
            yield found
    begun = [" ".join(statement.split()[:SIZE]) for statement, _ in groupby(said)]  # a trigger's are told as its own
    found += [statement for statement in begun if statement not in ("COMMIT", "BEGIN IMMEDIATE")]


@contextlib.contextmanager
def _traced(database: Database, said: list[str]) -> Iterator[None]:
    """Every connection to a SQLite file says what it is asked."""

    traced: list[Any] = []

    def trace(connection: Any, *_: object) -> None:
        connection.set_trace_callback(said.append)
        traced.append(connection)

    sa.event.listen(database.engine, "checkout", trace)
    try:
        yield
    finally:
        sa.event.remove(database.engine, "checkout", trace)
        for connection in traced:
            connection.set_trace_callback(None)
