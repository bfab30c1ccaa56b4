"""Indexes on tables that may be large already."""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

IN_ONE: Final = "in one transaction"
"""An attribute of alembic's configuration: all migrations run in a transaction of whoever runs them."""


def index_of_old_table(name: str, table: str, columns: Sequence[str], where: str | None = None) -> None:
    """Make an index on a table that an earlier migration made. PostgreSQL makes it beside whoever writes there, outside
    any transaction; what an attempt that was broken off has left is taken away first. SQLite has one writer anyway.

    Call it last in a migration: what stands before it is committed by it, and would be met again by a second attempt.
    """
    only: dict[str, Any] = {}
    if where is not None:
        only = {"sqlite_where": sa.text(where), "postgresql_where": sa.text(where)}
    together = bool(op.get_context().config and op.get_context().config.attributes.get(IN_ONE))  # type: ignore[union-attr]
    # a partitioned table cannot have one made beside its writers: `deploy/postgresql/partition.sql`
    if together or op.get_bind().dialect.name == "sqlite" or _is_partitioned(table):
        op.drop_index(name, table, if_exists=True)
        op.create_index(name, table, columns, **only)
        return
    with op.get_context().autocommit_block():
        op.drop_index(name, table, postgresql_concurrently=True, if_exists=True)
        op.create_index(name, table, columns, postgresql_concurrently=True, **only)


def _is_partitioned(table: str) -> bool:
    kind = sa.text("SELECT relkind FROM pg_class WHERE oid = to_regclass(:table)")
    return bool(op.get_bind().execute(kind, {"table": table}).scalar() in ("p", b"p"))
