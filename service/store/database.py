"""The database behind one door: reads, writes, and statements compiled once.

SQLite is the embedded default and PostgreSQL the production way; everything above is the same for both.
"""

import contextlib
import fcntl
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection as Connection
from sqlalchemy import Engine, bindparam
from sqlalchemy.exc import DBAPIError as DBAPIError
from sqlalchemy.pool import QueuePool

from service.kernel import private_files
from service.kernel.clock import Clock, DatabaseClock
from service.store.errors import is_full
from service.store.releases import CURRENT
from service.store.watchdog import Watchdog

WAL_SAFE: Final = (3, 51, 3)
"""The first SQLite whose WAL mode is free of the reset bug that corrupts files (T-20)."""
LIMITS: Final = "-c statement_timeout=5000 -c lock_timeout=3000 -c idle_in_transaction_session_timeout=5000"
UNLIMITED: Final = "-c statement_timeout=0 -c lock_timeout=3000 -c idle_in_transaction_session_timeout=0"
AFTERWARDS: Final = "afterwards"
APP_ROLE: Final = "wardroom_app"
"""The PostgreSQL role the service works as: it may read and insert events, not change them (S-33)."""

MIGRATION: Final = "wardroom migration"
"""What a migration calls itself to PostgreSQL; every process of ours has a name there that tells its release."""


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


class OutcomeUnknown(Exception):
    """The database does not say whether a transaction lasts: it must be tried again under the same key."""


class Database:
    """One engine and its rules of access. Make one a process; after a fork call `forked`."""

    def __init__(
        self, url: str, *, owner_url: str = "", pool_size: int = 8, clock: Clock | None = None, durable: bool = True
    ) -> None:
        self.url = url.replace("postgresql://", "postgresql+psycopg://", 1)
        self.owner_url = owner_url or self.url
        self.is_sqlite = self.url.startswith("sqlite")
        self.engine = _sqlite_engine(self.url, durable) if self.is_sqlite else _postgres_engine(self.url, pool_size)
        self.clock = clock or (Clock() if self.is_sqlite else DatabaseClock())
        self.listed: str | None = None  # the signing key that is known to be in the list
        self.listing: Connection | None = None  # what put one there last; its transaction may yet be undone
        self.full_at: float | None = None  # by this machine's count of time: since when a write finds no room
        self.in_use: IO[str] | None = None  # held while a process serves from a SQLite file: `structure.schema`
        self._watchdog = Watchdog()
        self._reading = {"readonly": True} | ({} if self.is_sqlite else {"isolation_level": "AUTOCOMMIT"})
        self._ticket = _Ticket(self.engine.url.database) if self.is_sqlite else contextlib.nullcontext()

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for reading, outside any transaction. On PostgreSQL every statement stands alone and would be
        kept at once: write through `write` only."""
        with self.engine.connect() as connection, self._watched(connection):
            yield connection.execution_options(**self._reading)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection whose reads all see the same moment. Keep it short: on SQLite no writer can commit meanwhile."""
        at_once = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with self.engine.connect() as connection, self._watched(connection):
            reading = connection.execution_options(**({"readonly": True} if self.is_sqlite else at_once))
            if self.is_sqlite:
                reading.exec_driver_sql("BEGIN")
            yield reading

    @contextlib.contextmanager
    def long_snapshot(self) -> Iterator[Connection]:
        """On PostgreSQL the same for as long as it takes, by a connection of its own without the limits of requests, in
        the role of the service. Nobody waits for it."""
        engine = _postgres_engine(self.url, 1, UNLIMITED)
        try:
            with engine.connect() as connection:
                yield connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        finally:
            engine.dispose()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """On SQLite, keep all who would write waiting."""
        with self._ticket:
            yield

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: committed when the block ends well, undone when it does not.

        On SQLite writers queue for a ticket, so that none starves (T-22), and begin IMMEDIATE (T-21).
        Raises OutcomeUnknown where PostgreSQL committed without the standby it must wait for (T-30).
        """
        afterwards: list[Callable[[], None]] = []
        try:
            with self._ticket, self.engine.begin() as connection, self._watched(connection):
                connection.info[AFTERWARDS] = afterwards
                yield connection
                if not self.is_sqlite:
                    self._commit_watched(connection)
        except DBAPIError as error:
            self.full_at = time.monotonic() if is_full(error) else self.full_at
            raise
        self.full_at = None
        for act in afterwards:
            act()

    def afterwards(self, tx: Connection, act: Callable[[], None]) -> None:
        """Have something done as soon as a transaction lasts, and not where it is undone; it must not raise."""
        tx.info[AFTERWARDS].append(act)

    @contextlib.contextmanager
    def together(self, connection: Connection) -> Iterator[None]:
        """Send the statements of the block without waiting for each answer: on PostgreSQL one round trip for all.

        For statements whose results nobody reads; an error comes at the end of the block.
        """
        if self.is_sqlite:
            yield
            return
        driver: Any = connection.connection.driver_connection
        with driver_errors(connection), driver.pipeline():
            yield

    def wipe(self) -> None:
        """Leave nothing of what was deleted beside the SQLite file: its pages are overwritten, the write-ahead log is
        emptied as far as no reader needs it. PostgreSQL does so when it vacuums."""
        if self.is_sqlite:
            with self.read() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def pool_status(self) -> PoolStatus:
        """How the connections of this process are used just now."""
        pool: Any = self.engine.pool
        most = pool.size() + max(0, pool._max_overflow)
        return PoolStatus(most, pool.checkedout(), pool.checkedin(), max(0, pool.overflow()))

    def take_waits(self) -> int:
        """How often somebody had to wait for a connection since this was asked last."""
        pool: Any = self.engine.pool
        return int(pool.take_waits())

    def _watched(self, connection: Connection) -> contextlib.AbstractContextManager[None]:
        if self.is_sqlite:
            return contextlib.nullcontext()
        return self._watchdog.over(connection.connection.driver_connection)

    @staticmethod
    def _commit_watched(connection: Connection) -> None:
        """Commit, and do not take a cancelled wait for the standby, which is a mere notice, for a success."""
        notices: list[str] = []
        driver: Any = connection.connection.driver_connection

        def heard(diagnostic: Any) -> None:
            notices.append(diagnostic.message_primary or "")

        driver.add_notice_handler(heard)
        try:
            connection.commit()
        except Exception:
            connection.invalidate()  # it may still be in the transaction: nobody else may get it like that
            raise
        finally:
            driver.remove_notice_handler(heard)
        if any("synchronous replication" in notice for notice in notices):
            raise OutcomeUnknown("the standby did not confirm the commit")

    def owner_engine(self) -> Engine:
        """An engine for migrations: on PostgreSQL as the role that owns the tables, without the limits of requests."""
        if self.is_sqlite:
            return _sqlite_engine(self.url, True)
        return sa.create_engine(self.owner_url, hide_parameters=True, connect_args={"application_name": MIGRATION})

    def forked(self) -> None:
        """In a child process: forget the connections of the parent without closing them."""
        self.engine.dispose(close=False)
        if isinstance(self._ticket, _Ticket):
            self._ticket.lock = threading.Lock()  # a thread of the parent may have held it

    def close(self) -> None:
        """Close every connection, the ticket, and what says that the file is in use."""
        self.engine.dispose()
        if isinstance(self._ticket, _Ticket):
            self._ticket.close()
        if self.in_use is not None:
            self.in_use.close()
            self.in_use = None


def upsert(database: Database, table: sa.Table) -> Any:
    """An INSERT that knows ON CONFLICT, in the database's own dialect."""
    return insert(table, is_sqlite=database.is_sqlite)


def insert(table: sa.Table, *, is_sqlite: bool) -> Any:
    """The same for SQLite or PostgreSQL; the other dialect is not even imported."""
    if is_sqlite:
        from sqlalchemy.dialects.sqlite import insert as sqlite_insert

        return sqlite_insert(table)
    from sqlalchemy.dialects.postgresql import insert as postgresql_insert

    return postgresql_insert(table)


class _Ticket:
    """A queue for writers: threads of this process by a lock, processes by flock on a file beside the database."""

    def __init__(self, path: str | None) -> None:
        self.path = Path(f"{path}.ticket") if path and path != ":memory:" else None
        self.lock = threading.Lock()
        self.file: IO[str] | None = None
        self.pid = 0

    def __enter__(self) -> None:
        self.lock.acquire()
        if self.path is None:
            return
        try:
            if self.file is None or self.pid != os.getpid():  # a lock shared with the parent would be no lock
                self.file, self.pid = open(self.path, "w", opener=private_files.opener), os.getpid()
            fcntl.flock(self.file, fcntl.LOCK_EX)
        except BaseException:
            self.lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        if self.file is not None:
            fcntl.flock(self.file, fcntl.LOCK_UN)
        self.lock.release()

    def close(self) -> None:
        """Let go of the file; the next to enter opens it again."""
        with self.lock:
            if self.file is not None:
                self.file.close()
                self.file = None


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
        driver: Any = connection.connection.driver_connection
        try:
            return driver.execute(sql, bind(values))
        except Exception as error:
            raise _wrap(connection, error) from error

    def each(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run it for every row."""
        if len(rows) == 1:
            self(connection, **rows[0])
        elif rows:
            sql, bind = self._for(connection)
            driver: Any = connection.connection.driver_connection
            try:
                if connection.dialect.name == "sqlite":
                    driver.executemany(sql, [bind(row) for row in rows])
                else:  # psycopg's executemany waits for every batch, also in a pipeline
                    for row in rows:
                        driver.execute(sql, bind(row))
            except Exception as error:
                raise _wrap(connection, error) from error

    def _for(self, connection: Connection) -> "_Compiled":
        name = connection.dialect.name
        known = self.compiled.get(name)
        if known is None:
            known = self.compiled[name] = self._compile(connection.dialect)
        return known

    def _compile(self, dialect: sa.Dialect) -> "_Compiled":
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


@contextlib.contextmanager
def driver_errors(connection: Connection) -> Iterator[None]:
    """Raise what a driver raises as everything that runs on a connection does."""
    try:
        yield
    except connection.dialect.dbapi.Error as error:  # type: ignore[union-attr]
        raise _wrap(connection, error) from error


def _wrap(connection: Connection, error: Exception) -> Exception:
    """A driver's error as SQLAlchemy's, without statement or values; a connection that broke leaves the pool."""
    dialect: Any = connection.dialect
    if not isinstance(error, dialect.dbapi.Error):
        return error
    broken = dialect.is_disconnect(error, connection.connection.driver_connection, None)
    if broken:
        connection.invalidate()
    wrapped: Exception = sa.exc.DBAPIError.instance(
        None, None, error, dialect.dbapi.Error, hide_parameters=True, connection_invalidated=broken, dialect=dialect
    )
    return wrapped


_Compiled = tuple[str, Callable[[Mapping[str, Any]], Any]]


def _sqlite_engine(url: str, durable: bool) -> Engine:
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
    def _begin(connection: Connection) -> None:
        if not connection.get_execution_options().get("readonly"):
            driver: Any = connection.connection.driver_connection
            try:
                driver.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                raise _wrap(connection, error) from error

    return engine


def _postgres_engine(url: str, pool_size: int, limits: str = LIMITS) -> Engine:
    given = sa.make_url(url).query.get("options", "")
    engine = sa.create_engine(
        url,
        poolclass=WatchedPool,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=2,
        pool_pre_ping=False,
        hide_parameters=True,
        connect_args={"connect_timeout": 2, "options": f"{limits} {given}".strip()},
    )

    @sa.event.listens_for(engine, "do_connect")
    def _name(_dialect: object, _record: object, _arguments: object, options: dict[str, Any]) -> None:
        options.setdefault("application_name", program_name())

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: object) -> None:
        connection.autocommit = True
        row = connection.execute(
            "SELECT 1 FROM pg_roles WHERE rolname = %s AND pg_has_role(oid, 'member')", (APP_ROLE,)
        )
        if row.fetchone():
            connection.execute(f"SET ROLE {APP_ROLE}")
        connection.autocommit = False

    return engine
