"""The clock of record: the database's where it has one, else this process's. Times are microseconds since 1970 UTC."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol

SECOND: Final = 1_000_000
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
EPOCH_WITHOUT_ZONE: Final = EPOCH.replace(tzinfo=None)


class Asked(Protocol):
    """A connection to a database that can be asked the time."""

    def exec_driver_sql(self, statement: str, /) -> Any:
        """Run a statement as it is written."""


class Clock:
    """The clock of record. PostgreSQL answers for all its clients; with SQLite the process does."""

    sql: str | None = None
    """An SQL expression for the time on the database, in microseconds."""

    def now(self, connection: Asked | None = None) -> int:
        """Microseconds since 1970 UTC."""
        if self.sql is None or connection is None:
            return time.time_ns() // 1000
        return int(connection.exec_driver_sql(f"SELECT {self.sql}").scalar_one())

    def counted(self) -> int:
        """Microseconds this machine has counted since it started, asleep or not: nobody can set it (T-41)."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000


class DatabaseClock(Clock):
    """PostgreSQL's clock (Q-8)."""

    sql = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"


def text(at: int) -> str:
    """A time as RFC 3339 UTC with microseconds: 2026-11-20T18:19:41.123456Z."""
    return (EPOCH_WITHOUT_ZONE + timedelta(microseconds=at)).isoformat(timespec="microseconds") + "Z"


def from_text(at: str) -> int:
    """Microseconds since 1970 UTC of a time as `text` writes it."""
    return micros(datetime.fromisoformat(at) - EPOCH)


def moment(at: int) -> datetime:
    """A time as an aware datetime in UTC."""
    return EPOCH + timedelta(microseconds=at)


def micros(duration: timedelta) -> int:
    """A duration in microseconds."""
    return duration // timedelta(microseconds=1)
