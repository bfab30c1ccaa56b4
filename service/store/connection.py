"""A connection of the pool while a unit of work has it: the hot path runs on the driver itself (decision 0005).

SQLAlchemy's own Connection, which takes as long to make as a statement to run, is made where something asks for it.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError as DBAPIError
from sqlalchemy.pool import PoolProxiedConnection

if TYPE_CHECKING:
    _Core = sa.Connection  # what it does not do itself it leaves to one of these
else:
    _Core = object
BEGUN: Final = "begun"
"""Option of SQLAlchemy's connections: transactions are begun on the driver, where there are any."""


class Connection(_Core):
    """A connection of the pool. `driver` is the driver's own: of `sqlite3`, or of psycopg."""

    __slots__ = ("_core", "afterwards", "dialect", "driver", "engine", "pooled", "readonly")

    def __init__(self, engine: Engine, pooled: PoolProxiedConnection, *, readonly: bool) -> None:
        self.engine = engine
        self.dialect: Any = engine.dialect
        self.driver: Any = pooled.driver_connection
        self.readonly = readonly
        self.afterwards: list[Callable[[], None]] = []
        self.pooled = pooled
        self._core: sa.Connection | None = None

    @classmethod
    def of(cls, core: sa.Connection, *, readonly: bool = True) -> "Connection":
        """One of SQLAlchemy's, which whoever made it ends."""
        made = cls(core.engine, core.connection, readonly=readonly)
        made._core = core
        return made

    @property
    def core(self) -> sa.Connection:
        """The same connection as SQLAlchemy's."""
        if self._core is None:
            self._core = sa.Connection(self.engine, connection=self.pooled)
        return self._core

    def __getattr__(self, name: str) -> Any:
        """Whatever else SQLAlchemy's connections do."""
        return getattr(self.core, name)

    def invalidate(self, exception: BaseException | None = None) -> None:
        """It broke, or nobody knows in what state it is: nobody else may get it."""
        if self._core is None:
            self.pooled.invalidate(exception)
        elif not self._core.invalidated:
            self._core.invalidate(exception)


def core_of(connection: sa.Connection) -> sa.Connection:
    """SQLAlchemy's connection, whosever this is: what looks into a database by it takes no other."""
    return connection.core if isinstance(connection, Connection) else connection


@contextlib.contextmanager
def driver_errors(connection: Connection) -> Iterator[None]:
    """Raise what a driver raises as everything that runs on a connection does."""
    try:
        yield
    except connection.dialect.dbapi.Error as error:
        raise wrapped(connection, error) from error


def wrapped(connection: Connection, error: Exception) -> Exception:
    """A driver's error as SQLAlchemy's, without statement or values; a connection that broke leaves the pool."""
    dialect = connection.dialect
    if not isinstance(error, dialect.dbapi.Error):
        return error
    broken = dialect.is_disconnect(error, connection.driver, None)
    if broken:
        connection.invalidate()
    return _told(dialect, error, broken=broken)


def taken_from(engine: Engine) -> PoolProxiedConnection:
    """A connection of the pool. Raises DBAPIError where there is none to be had."""
    dialect: Any = engine.dialect
    try:
        return engine.raw_connection()
    except dialect.dbapi.Error as error:
        raise _told(dialect, error, broken=False) from error


def _told(dialect: Any, error: Exception, *, broken: bool) -> Exception:
    kind, bare = dialect.dbapi.Error, {"hide_parameters": True, "connection_invalidated": broken, "dialect": dialect}
    found: Exception = sa.exc.DBAPIError.instance(None, None, error, kind, **bare)
    return found
