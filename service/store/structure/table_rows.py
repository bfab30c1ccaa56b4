"""The rows of every table, whatever its name, in values that both databases know: for backups."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from service.store.connection import Connection, core_of, driver_errors

VERSIONS: Final = "alembic_version"
"""The table that says at which revision the others are: no backup has it, for a restore migrates to that revision."""
AT_ONCE: Final = 1000
KINDS: Final[Sequence[tuple[Any, str]]] = (
    (sa.Boolean, "boolean"), (sa.Integer, "integer"), (sa.LargeBinary, "bytes"), (sa.String, "text"),
)  # fmt: skip


_COUNTED: Final = """
    SELECT c.relname, coalesce(s.last_value, 0)
      FROM pg_sequences s JOIN pg_class q ON q.relname = s.sequencename AND q.relnamespace = s.schemaname::regnamespace
      JOIN pg_depend d ON d.objid = q.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
      JOIN pg_class c ON c.oid = d.refobjid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid AND a.attname = 'id'
     WHERE s.schemaname = current_schema()
"""


class CannotCopy(Exception):
    """A table has what no backup could hold. The message is a sentence."""


class Column(msgspec.Struct, frozen=True):
    """A column: its kind is boolean, integer, bytes or text."""

    name: str
    kind: str
    null: bool = False


class TableShape(msgspec.Struct, frozen=True):
    """A table with its columns in their order, and those its rows are put in order by."""

    name: str
    columns: tuple[Column, ...]
    keys: tuple[str, ...]


def names(connection: Connection) -> list[str]:
    """The names of all tables, in their order."""
    return sorted({*sa.inspect(core_of(connection)).get_table_names()} - {VERSIONS, "sqlite_sequence"})


def shapes(connection: Connection) -> list[TableShape]:
    """Every table as this database has it, by name: of this release or of another. Raises CannotCopy."""
    looked = sa.inspect(core_of(connection))
    return [_shape(looked, name) for name in names(connection)]


def rows(connection: Connection, shape: TableShape) -> Iterator[tuple[Any, ...]]:
    """All rows of a table in the order of its keys, some at a time: memory does not grow with the table."""
    table = sa.table(shape.name, *(sa.column(column.name, _type(column)) for column in shape.columns))
    found = sa.select(table).order_by(*(table.c[key] for key in shape.keys))
    result = connection.execution_options(yield_per=AT_ONCE).execute(found)
    for part in result.partitions():
        yield from map(tuple, part)


def last_numbers(connection: Connection) -> dict[str, int]:
    """The highest number that each table has ever given to a row, of those that count their rows themselves."""
    if connection.dialect.name != "sqlite":
        return {row[0]: row[1] for row in connection.exec_driver_sql(_COUNTED)}
    counting = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
    found = dict.fromkeys(connection.exec_driver_sql(counting).scalars().all(), 0)
    if found:
        found |= {row[0]: row[1] for row in connection.exec_driver_sql("SELECT name, seq FROM sqlite_sequence")}
    return found


def go_on_counting(tx: Connection, table: str, upto: int) -> None:
    """Let a table that counts its rows go on after this number."""
    if tx.dialect.name == "sqlite":
        tx.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table})
        tx.execute(
            sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)"), {"name": table, "seq": upto}
        )
        return
    tx.execute(sa.text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :seq)"), {"name": table, "seq": upto})


def put(tx: Connection, shape: TableShape, found: Iterable[Sequence[Any]]) -> None:
    """Insert rows. On PostgreSQL they go in by COPY, and a large table takes no more memory than a small one."""
    into = f'"{shape.name}" (' + ", ".join(f'"{column.name}"' for column in shape.columns) + ")"
    driver = tx.driver
    with driver_errors(tx):
        if tx.dialect.name == "sqlite":
            places = ", ".join("?" * len(shape.columns))
            driver.executemany(f"INSERT INTO {into} VALUES ({places})", found)  # noqa: S608 - the names are ours
            return
        with driver.cursor() as cursor, cursor.copy(f"COPY {into} FROM STDIN") as copy:
            for row in found:
                copy.write_row(row)


def is_empty(connection: Connection, table: str) -> bool:
    """Whether a table has no row."""
    return connection.execute(sa.select(sa.literal(1)).select_from(sa.table(table)).limit(1)).first() is None


def clear(tx: Connection, table: str) -> None:
    """Delete all rows of a table."""
    tx.execute(sa.delete(sa.table(table)))


def gather_statistics(tx: Connection) -> None:
    """Let PostgreSQL know what is in its tables, before it plans how to read them."""
    if tx.dialect.name == "postgresql":
        tx.exec_driver_sql("ANALYZE")


def _shape(looked: sa.Inspector, name: str) -> TableShape:
    columns = tuple(
        Column(found["name"], _kind(name, found["name"], found["type"]), bool(found["nullable"]))
        for found in looked.get_columns(name)
    )
    keys = looked.get_pk_constraint(name)["constrained_columns"]
    return TableShape(name, columns, tuple(keys or (column.name for column in columns)))


def _kind(table: str, column: str, found: Any) -> str:
    for known, kind in KINDS:
        if isinstance(found, known):
            return kind
    raise CannotCopy(f"The column {column} of the table {table} has a type that no backup can hold ({found}).")


def _type(column: Column) -> Any:
    return next(known for known, kind in KINDS if kind == column.kind)()
