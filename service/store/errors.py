"""What a database raises, under names that the rooms above use instead of its driver's."""

from sqlalchemy.exc import DataError as DataError
from sqlalchemy.exc import DBAPIError as DriverError
from sqlalchemy.exc import IntegrityError as IntegrityError
from sqlalchemy.exc import OperationalError as OperationalError
from sqlalchemy.exc import SQLAlchemyError as DatabaseError
from sqlalchemy.exc import TimeoutError as PoolTimeout

__all__ = [
    "DataError", "DatabaseError", "DriverError", "IntegrityError", "OperationalError", "PoolTimeout", "is_garbled",
    "sqlstate",
]  # fmt: skip


def sqlstate(error: BaseException) -> str | None:
    """PostgreSQL's code of an error; None for one that has none."""
    return getattr(error.orig, "sqlstate", None) if isinstance(error, DriverError) else None


def is_garbled(error: BaseException) -> bool:
    """Whether SQLite read a text that is no UTF-8: that is not the database's trouble but the row's."""
    return isinstance(error, DriverError) and "decode to UTF-8" in str(error.orig)
