"""SQLAlchemy's engines for SQLite and PostgreSQL: how a connection is made and what it is told first."""

import contextlib
import os
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Engine
from sqlalchemy.pool import QueuePool

from service.store.connection import BEGUN
from service.store.releases import CURRENT

WAL_SAFE: Final = (3, 51, 3)
"""The first SQLite whose WAL mode is free of the reset bug that corrupts files (T-20)."""
LIMITS: Final = {"statement_timeout": 5000, "lock_timeout": 3000, "idle_in_transaction_session_timeout": 5000}
UNLIMITED: Final = {"statement_timeout": 0, "lock_timeout": 3000, "idle_in_transaction_session_timeout": 0}
"""Milliseconds; set once a session has begun, as PgBouncer refuses them as parameters of its start."""
APP_ROLE: Final = "wardroom_app"
"""The PostgreSQL role the service works as: it may read and insert events, not change them (S-33)."""


def program_name() -> str:
    """This process as PostgreSQL shows it: "wardroom 0.2.0 gunicorn 4711"."""
    return f"wardroom {CURRENT.version} {Path(sys.argv[0]).stem or 'python'} {os.getpid()}"[:63]


def sqlite_journal() -> str:
    """The journal mode for this SQLite: WAL where it is safe, else DELETE (Q-1)."""
    return "WAL" if sqlite3.sqlite_version_info >= WAL_SAFE else "DELETE"


class PoolStatus(NamedTuple):
    """The connections of a process: the most it may have, those in use, those idle, those beyond what it keeps."""

    most: int
    in_use: int
    idle: int
    overflow: int


class WatchedPool(QueuePool):
    """A pool that counts how often all of its connections are in use when one is wanted."""

    waits = 0

    def take_waits(self) -> int:
        """How often, since this was asked last."""
        waits, self.waits = self.waits, 0
        return waits

    def _do_get(self) -> Any:
        if self.checkedout() >= self.size() + self._max_overflow:
            self.waits += 1
        return super()._do_get()


def sqlite_engine(url: str, durable: bool) -> Engine:
    """An engine on a SQLite file, which is made for its owner alone; what SQLite puts beside it has the same mode."""
    driver = {"timeout": 5, "check_same_thread": False}
    engine = sa.create_engine(url, connect_args=driver, hide_parameters=True, poolclass=WatchedPool)
    journal = sqlite_journal()

    @sa.event.listens_for(engine, "do_connect")
    def _make_private(_dialect: object, _record: object, arguments: Sequence[str], _options: object) -> None:
        with contextlib.suppress(OSError):  # there already, or SQLite says why it cannot be made
            os.close(os.open(arguments[0], os.O_CREAT | os.O_EXCL, 0o600))

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None  # the driver must not begin anything itself
        for pragma in (
            "busy_timeout=5000",
            f"journal_mode={journal}",
            f"synchronous={'FULL' if durable else 'OFF'}",
            "foreign_keys=ON",
            "secure_delete=ON",
            "recursive_triggers=ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        if BEGUN not in connection.get_execution_options():
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def postgres_engine(url: str, pool_size: int, limits: Mapping[str, int] = LIMITS) -> Engine:
    """Return an engine on PostgreSQL. Limits that `options` of the address names are left as they are there."""
    given = sa.make_url(url).query.get("options", "")
    ours = {name: value for name, value in limits.items() if name not in given}
    begin = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in ours.items())
    engine = sa.create_engine(
        url,
        poolclass=WatchedPool,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=2,
        pool_pre_ping=False,
        hide_parameters=True,
        connect_args={"connect_timeout": 2},
    )

    @sa.event.listens_for(engine, "do_connect")
    def _name(_dialect: object, _record: object, _arguments: object, options: dict[str, Any]) -> None:
        options.setdefault("application_name", program_name())

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: object) -> None:
        connection.autocommit = True
        member = "EXISTS (SELECT FROM pg_roles WHERE rolname = %s AND pg_has_role(oid, 'member'))"
        (is_member, *_) = connection.execute(
            f"SELECT {', '.join(filter(None, (member, begin)))}", (APP_ROLE,)
        ).fetchone()
        if is_member:
            connection.execute(f"SET ROLE {APP_ROLE}")
        connection.autocommit = False

    return engine
