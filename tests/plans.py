"""The statements that a service runs, and how a database would go about each: does it look at all rows there are?

`recorded` notes what is run on the driver itself, whichever way it came there; `scans` asks the database for its plan.
"""

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import psycopg
import sqlalchemy as sa
from sqlmodel import SQLModel

from service.store.database import Database

NEVER_MANY: Final = frozenset({
    "heartbeats", "processes", "measurements", "signing_keys", "schema_releases", "alembic_version", "clock_jumps",
    "destinations", "deadline_leases", "unlogged", "suspensions", "thoughts", "analyses", "spent_challenges",
    "sign_ins", "operator_acts", "operator_reasons", "erasures",
})  # fmt: skip
"""Tables that do not grow with games or players, or hold only what is under way."""
GROW: Final = frozenset(SQLModel.metadata.tables) - NEVER_MANY
FEW: Final = {
    index.name: index.table.name
    for table in SQLModel.metadata.tables.values()
    for index in table.indexes
    if index.dialect_options["sqlite"]["where"] is not None
}
"""Indexes over a part of a table: all of what is due, and nothing else."""


LAST_ROW: Final = re.compile(r"SELECT [^()]*\sFROM \w+ ORDER BY \w+\.\w+ DESC\s+LIMIT 1(?: OFFSET 0)?")
"""The last row by a key is found at once."""


NEWEST: Final = frozenset({"ix_games_created_at", "ix_games_ruleset", "ix_games_lobby", "ix_games_gallery"})
"""Indexes by which a list goes from the newest game on until its page is full."""


class Ran(NamedTuple):
    """A statement as it was run; `values` is None where they stand in it."""

    sql: str
    values: Any = None


@contextlib.contextmanager
def recorded(database: Database) -> Iterator[list[Ran]]:
    """What is run on connections that are taken from the pool within the block."""
    seen: list[Ran] = []

    class Noting(psycopg.Cursor[Any]):
        def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
            seen.append(Ran(str(query), params))
            return super().execute(query, params, **options)

    def listen(connection: Any, *_: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.set_trace_callback(lambda sql: seen.append(Ran(sql)))
        else:
            connection.cursor_factory = Noting

    def leave(connection: Any, *_: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.set_trace_callback(None)
        elif connection is not None:
            connection.cursor_factory = psycopg.Cursor

    sa.event.listen(database.engine, "checkout", listen)
    sa.event.listen(database.engine, "checkin", leave)
    try:
        yield seen
    finally:
        sa.event.remove(database.engine, "checkout", listen)
        sa.event.remove(database.engine, "checkin", leave)


def shape(sql: str) -> str:
    """A statement without its values, in one line."""
    bare = re.sub(r"'[^']*'|\b[0-9]+\b|x'[0-9a-f]*'", "?", sql)
    return re.sub(r"\(\?(, \?)+\)", "(?)", re.sub(r"\s+", " ", bare)).strip()


def scans(database: Database, ran: list[Ran]) -> dict[str, set[str]]:
    """Of each statement, by its shape, the tables that grow of which it would look at every row."""
    found: dict[str, set[str]] = {}
    look = _sqlite if database.is_sqlite else _postgres
    with database.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        if not database.is_sqlite:
            for way in ("seqscan", "hashjoin", "mergejoin"):  # on few rows they are taken where an index is there, too
                driver.execute(f"SET enable_{way} = off")
        for statement in {shape(each.sql): each for each in ran}.values():
            if re.match(r"(WITH|SELECT|INSERT|UPDATE|DELETE)\b", statement.sql.lstrip(), re.IGNORECASE):
                found[shape(statement.sql)] = look(driver, statement)
        connection.rollback()
    return {sql: tables for sql, tables in found.items() if tables}


def _sqlite(driver: Any, statement: Ran) -> set[str]:
    names = {**{name: name for name in GROW}, **_aliases(statement.sql)}
    found = set()
    for row in driver.execute(f"EXPLAIN QUERY PLAN {statement.sql}").fetchall():
        told = re.match(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?", row[3])
        if told and names.get(told[1]) in GROW and told[2] not in {*FEW, *NEWEST}:
            found.add(names[told[1]])
    return set() if LAST_ROW.fullmatch(statement.sql) else found


def _aliases(sql: str) -> dict[str, str]:
    pairs = re.findall(r"(?:FROM|JOIN|,) (\w+) AS (\w+)", sql)
    return {alias: table for table, alias in pairs}


def _postgres(driver: Any, statement: Ran) -> set[str]:
    ((plan,),) = driver.execute(f"EXPLAIN (FORMAT JSON) {statement.sql}", statement.values).fetchall()
    return set(_all_rows(plan[0]["Plan"]))


def _all_rows(node: dict[str, Any], limited: bool = False) -> Iterator[str]:
    index = node.get("Index Name")
    is_narrow = "Index Cond" in node or "Recheck Cond" in node or index in FEW
    first_rows = limited and index is not None and ("Filter" not in node or index in NEWEST)
    if node.get("Relation Name") in GROW and "Scan" in node["Node Type"] and not (is_narrow or first_rows):
        yield node["Relation Name"]
    for part in node.get("Plans", ()):
        yield from _all_rows(part, node["Node Type"] == "Limit" or (limited and node["Node Type"] == "LockRows"))
