"""What a database raises, under names that the rooms above use instead of its driver's."""

from typing import Final

from sqlalchemy.exc import DataError as DataError
from sqlalchemy.exc import DBAPIError as DriverError
from sqlalchemy.exc import IntegrityError as IntegrityError
from sqlalchemy.exc import InterfaceError, InternalError, PendingRollbackError
from sqlalchemy.exc import OperationalError as OperationalError
from sqlalchemy.exc import SQLAlchemyError as DatabaseError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from config.logging import scrub

__all__ = [
    "DataError", "DatabaseError", "DriverError", "IntegrityError", "OperationalError", "PoolTimeout", "is_full",
    "is_busy", "is_damaged", "is_forbidden", "is_garbled", "is_unavailable", "is_unmigrated", "sqlstate", "words",
]  # fmt: skip
NOT_NOW: Final = (OperationalError, PoolTimeout, InternalError, InterfaceError, PendingRollbackError)
"""What the database raises where it is away or in trouble. InternalError: PostgreSQL ended an idle transaction (25P03)
or has become a standby (25006). PendingRollbackError: a connection broke in a transaction that goes on all the same."""
ABOUT_CONNECTIONS: Final = frozenset({"08", "28", "3D", "42", "53", "57", "58", "XX"})
"""Classes of PostgreSQL's errors whose first line names roles, databases and tables, and no value."""
STALE_PLAN: Final = "0A000"
"""A statement was prepared before a migration: "cached plan must not change result type". It is made anew next time."""


def is_unavailable(error: BaseException) -> bool:
    """Whether what was asked may work if it is asked again: the database is away or in trouble, not the statement.

    SQLite says of a file it cannot read DatabaseError, and no more.
    """
    if isinstance(error, NOT_NOW) or sqlstate(error) == STALE_PLAN:
        return True
    return isinstance(error, DriverError) and type(error).__name__ == "DatabaseError" and not is_garbled(error)


def is_full(error: BaseException) -> bool:
    """Whether a write found no room: PostgreSQL's disk is full (53100), or SQLite's."""
    if sqlstate(error) is not None:
        return sqlstate(error) == "53100"
    return isinstance(error, DriverError) and "disk is full" in str(error.orig)


def is_unmigrated(error: BaseException) -> bool:
    """Whether a table or column is missing: the database is of another version than the code."""
    return sqlstate(error) in {"42P01", "42703"} or _text_has(error, "no such table", "no such column")


def is_forbidden(error: BaseException) -> bool:
    """Whether the database, or its file, may not be used so by whoever asks."""
    if (state := sqlstate(error)) is not None:
        return state == "42501" or state.startswith("28")
    return _text_has(error, "readonly database", "unable to open database file", "authentication failed")


def is_damaged(error: BaseException) -> bool:
    """Return whether SQLite found its file damaged, truncated, or not a database."""
    return _text_has(error, "malformed", "file is not a database", "database corruption", "unsupported file format")


def words(error: BaseException) -> str:
    """Return the first line of what the driver says, without secrets; "" if it may quote values of a row."""
    if not isinstance(error, DriverError) or isinstance(error, IntegrityError | DataError):
        return ""
    state = sqlstate(error)
    if state is not None and state[:2] not in ABOUT_CONNECTIONS:
        return ""
    return scrub(next(iter(str(error.orig).strip().splitlines()), "").strip())


def is_busy(error: BaseException) -> bool:
    """Whether somebody else holds what is needed, and will let it go."""
    return sqlstate(error) in {"40001", "40P01", "55P03", "53300"} or _text_has(error, "database is locked")


def _text_has(error: BaseException, *parts: str) -> bool:
    """Whether an error without a code has one of these parts in its text."""
    return isinstance(error, DriverError) and any(part in str(error.orig) for part in parts)


def sqlstate(error: BaseException) -> str | None:
    """PostgreSQL's code of an error; None for one that has none."""
    return getattr(error.orig, "sqlstate", None) if isinstance(error, DriverError) else None


def is_garbled(error: BaseException) -> bool:
    """Whether SQLite read a text that is no UTF-8: that is not the database's trouble but the row's."""
    return isinstance(error, DriverError) and "decode to UTF-8" in str(error.orig)
