"""The database behind one door: units of work that read or write.

SQLite is the embedded default and PostgreSQL the production way; everything above is the same for both.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import IO, Any, Final

import sqlalchemy as sa
from sqlalchemy import Engine
from sqlalchemy.pool import PoolProxiedConnection

from service.kernel.clock import Clock, DatabaseClock
from service.store.connection import BEGUN, driver_errors, taken_from
from service.store.connection import Connection as Connection
from service.store.connection import DBAPIError as DBAPIError
from service.store.engines import APP_ROLE as APP_ROLE
from service.store.engines import UNLIMITED, PoolStatus, postgres_engine, sqlite_engine
from service.store.errors import is_damaged, is_full, words
from service.store.statements import insert
from service.store.ticket import Ticket
from service.store.watchdog import Watchdog

MIGRATION: Final = "wardroom migration"
"""What a migration calls itself to PostgreSQL; every process of ours has a name there that tells its release."""


class OutcomeUnknown(Exception):
    """The database does not say whether a transaction lasts: it must be tried again under the same key."""


class NestedWrite(RuntimeError):
    """A thread that writes began another transaction, which would wait for ever for the first one."""


class Database:
    """One engine and its rules of access. Make one a process; after a fork call `forked`."""

    def __init__(
        self, url: str, *, owner_url: str = "", pool_size: int = 8, clock: Clock | None = None, durable: bool = True
    ) -> None:
        self.url = url.replace("postgresql://", "postgresql+psycopg://", 1)
        self.owner_url = owner_url or self.url
        self.is_sqlite = self.url.startswith("sqlite")
        self.engine = sqlite_engine(self.url, durable) if self.is_sqlite else postgres_engine(self.url, pool_size)
        self.clock = clock or (Clock() if self.is_sqlite else DatabaseClock())
        self.listed: str | None = None  # the signing key that is known to be in the list
        self.listing: Connection | None = None  # what put one there last; its transaction may yet be undone
        self.full_at: float | None = None  # by this machine's count of time: since when a write finds no room
        self.damage = ""  # SQLite's own words, once it has found its file damaged
        self.in_use: IO[str] | None = None  # held while a process serves from a SQLite file: `structure.schema`
        self._watchdog = Watchdog()
        self._begun = self.engine.execution_options(**{BEGUN: True})
        self._kept = threading.local()
        self._ticket = Ticket(self.engine.url.database, self.let_go) if self.is_sqlite else contextlib.nullcontext()

    @contextlib.contextmanager
    def read(self, *, keep: bool = False) -> Iterator[Connection]:
        """A connection for reading, outside any transaction. On PostgreSQL every statement stands alone and would be
        kept at once: write through `write` only. With `keep` it is kept for what this thread does next: see `let_go`.
        """
        with self._lent(readonly=True, keep=keep) as connection:
            if self.is_sqlite:
                yield connection
                return
            connection.driver.autocommit = True
            try:
                yield connection
            finally:
                with contextlib.suppress(connection.dialect.dbapi.Error):  # broken: the pool finds that out
                    connection.driver.autocommit = False

    @contextlib.contextmanager
    def _lent(self, *, readonly: bool = False, keep: bool = False) -> Iterator[Connection]:
        """A connection of the pool, for the length of the block."""
        pooled: PoolProxiedConnection | None = self._kept.__dict__.pop("pooled", None)
        try:
            connection = Connection(self._begun, pooled or taken_from(self.engine), readonly=readonly)
        except DBAPIError as error:
            self._note_damage(error)
            raise
        try:
            if self.is_sqlite:
                yield connection
            else:
                with self._watchdog.over(connection.driver):
                    yield connection
        except DBAPIError as error:
            self._note_damage(error)
            raise
        finally:
            pooled = connection.pooled
            if keep and pooled.is_valid:
                self._kept.pooled = pooled
            else:
                pooled.close()

    def _note_damage(self, error: DBAPIError) -> None:
        self.damage = words(error) if is_damaged(error) else self.damage

    def let_go(self) -> None:
        """Give back the connection that this thread kept, if nothing has used it since."""
        pooled: PoolProxiedConnection | None = self._kept.__dict__.pop("pooled", None)
        if pooled is not None:
            pooled.close()

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection whose reads all see the same moment. Keep it short: on SQLite no writer can commit meanwhile."""
        at_once = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        with self.engine.connect() as core:
            reading = Connection.of(core.execution_options(**({BEGUN: True} if self.is_sqlite else at_once)))
            if self.is_sqlite:
                reading.exec_driver_sql("BEGIN")
                yield reading
            else:
                with self._watchdog.over(reading.driver):
                    yield reading

    @contextlib.contextmanager
    def long_snapshot(self) -> Iterator[Connection]:
        """On PostgreSQL the same for as long as it takes, by a connection of its own without the limits of requests, in
        the role of the service. Nobody waits for it."""
        engine = postgres_engine(self.url, 1, UNLIMITED)
        try:
            with engine.connect() as connection:
                at_once = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
                yield Connection.of(connection.execution_options(**at_once))
        finally:
            engine.dispose()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """On SQLite, keep all who would write waiting. Raises NestedWrite if this thread is writing."""
        with self._once_a_thread(), self._ticket:
            yield

    @contextlib.contextmanager
    def _once_a_thread(self) -> Iterator[None]:
        """Raise NestedWrite if this thread is inside such a block already."""
        if self._kept.__dict__.get("writing"):
            raise NestedWrite("This thread is writing already. Pass its transaction on instead of beginning another.")
        self._kept.writing = True
        try:
            yield
        finally:
            self._kept.writing = False

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: committed when the block ends well, undone when it does not, as the pool takes it back.

        On SQLite writers queue for a ticket, so that none starves (T-22), and begin IMMEDIATE (T-21).
        Raises OutcomeUnknown if PostgreSQL committed without the standby it must wait for (T-30), and NestedWrite if
        this thread is writing already.
        """
        try:
            with self._once_a_thread(), self._ticket, self._lent() as connection:
                with driver_errors(connection):
                    if self.is_sqlite:
                        connection.driver.execute("BEGIN IMMEDIATE")
                yield connection
                with driver_errors(connection):
                    self._commit(connection)
        except DBAPIError as error:
            self.full_at = time.monotonic() if is_full(error) else self.full_at
            raise
        self.full_at = None
        for act in connection.afterwards:
            act()

    def afterwards(self, tx: Connection, act: Callable[[], None]) -> None:
        """Have something done as soon as a transaction lasts, and not where it is undone; it must not raise."""
        tx.afterwards.append(act)

    @contextlib.contextmanager
    def together(self, connection: Connection) -> Iterator[None]:
        """Send the statements of the block without waiting for each answer: on PostgreSQL one round trip for all.

        For statements whose results nobody reads; an error comes at the end of the block.
        """
        if self.is_sqlite:
            yield
            return
        with driver_errors(connection), connection.driver.pipeline():
            yield

    def wipe(self) -> None:
        """Leave nothing of what was deleted beside the SQLite file: its pages are overwritten, the write-ahead log is
        emptied as far as no reader needs it. PostgreSQL does so when it vacuums."""
        if self.is_sqlite:
            with self.read() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def find_damage(self) -> str:
        """Read the whole SQLite file for damage. Returns SQLite's first words about it, "" if it is sound.

        A hundred megabytes take about a second. PostgreSQL checks its pages itself.
        """
        if self.is_sqlite:
            try:
                with self.read() as connection:
                    found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
                    self.damage = "" if found == "ok" else f"{found}".strip().splitlines()[-1]
            except DBAPIError as error:
                if not is_damaged(error):
                    raise
        return self.damage

    def pool_status(self) -> PoolStatus:
        """How the connections of this process are used just now."""
        pool: Any = self.engine.pool
        most = pool.size() + max(0, pool._max_overflow)
        return PoolStatus(most, pool.checkedout(), pool.checkedin(), max(0, pool.overflow()))

    def take_waits(self) -> int:
        """How often somebody had to wait for a connection since this was asked last."""
        pool: Any = self.engine.pool
        return int(pool.take_waits())

    def _commit(self, connection: Connection) -> None:
        """Commit, and do not take a cancelled wait for the standby, which is a mere notice, for a success."""
        driver = connection.driver
        if self.is_sqlite:
            return driver.commit()  # type: ignore[no-any-return]
        notices: list[str] = []

        def heard(diagnostic: Any) -> None:
            notices.append(diagnostic.message_primary or "")

        driver.add_notice_handler(heard)
        try:
            driver.commit()
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
            return sqlite_engine(self.url, True)
        return sa.create_engine(self.owner_url, hide_parameters=True, connect_args={"application_name": MIGRATION})

    def forked(self) -> None:
        """In a child process: forget the connections of the parent without closing them."""
        self.engine.dispose(close=False)
        self._kept = threading.local()
        if isinstance(self._ticket, Ticket):
            self._ticket.lock = threading.Lock()  # a thread of the parent may have held it

    def close(self) -> None:
        """Close every connection, the ticket and the mark that the file is in use; end the watchdog."""
        self.engine.dispose()
        self._watchdog.close()
        if isinstance(self._ticket, Ticket):
            self._ticket.close()
        if self.in_use is not None:
            self.in_use.close()
            self.in_use = None


def upsert(database: Database, table: sa.Table) -> Any:
    """An INSERT that knows ON CONFLICT, in the database's own dialect."""
    return insert(table, is_sqlite=database.is_sqlite)
