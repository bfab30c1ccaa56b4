"""What time it is in the simulation: one time of record for all processes, which its conductor moves."""

import mmap
from typing import Final

import psycopg
from sqlalchemy import Connection

from bench.ground import plain
from service.kernel.clock import Clock, DatabaseClock

SERVER_CLOCK: Final = """
CREATE SCHEMA simulated;
CREATE TABLE simulated.moment (at timestamptz NOT NULL);
INSERT INTO simulated.moment VALUES (now());
CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT at FROM simulated.moment';
GRANT USAGE ON SCHEMA simulated TO PUBLIC;
GRANT SELECT ON simulated.moment TO PUBLIC;
"""
SET_SERVER: Final = "UPDATE simulated.moment SET at = 'epoch'::timestamptz + %s * interval '1 microsecond'"


class Moment:
    """The time of record, and what the machine has counted, in microseconds: shared with whoever is forked from here.

    They differ where the clock is set, and nowhere else (T-41).
    """

    def __init__(self, at: int) -> None:
        self._shared = memoryview(mmap.mmap(-1, 16)).cast("q")
        self._shared[0] = self._shared[1] = at

    @property
    def record(self) -> int:
        return self._shared[0]

    @property
    def counted(self) -> int:
        return self._shared[1]

    def pass_to(self, at: int) -> None:
        """Time goes by."""
        self._shared[1] += at - self._shared[0]
        self._shared[0] = at

    def set_to(self, at: int) -> None:
        """Somebody sets the clock."""
        self._shared[0] = at


class OfTheProcess(Clock):
    """With SQLite the process's clock is the one of record; by `wrong` microseconds it is wrong, in a calibration."""

    def __init__(self, moment: Moment, wrong: int = 0) -> None:
        self.moment = moment
        self.wrong = wrong

    def now(self, connection: Connection | None = None) -> int:
        return self.moment.record + self.wrong

    def counted(self) -> int:
        return self.moment.counted


class OfTheServer(DatabaseClock):
    """PostgreSQL's clock is the one of record; this process's own is wrong by `wrong` microseconds (F-42)."""

    def __init__(self, moment: Moment, wrong: int) -> None:
        self.moment = moment
        self.wrong = wrong

    def now(self, connection: Connection | None = None) -> int:
        return self.moment.record + self.wrong if connection is None else super().now(connection)

    def counted(self) -> int:
        return self.moment.counted


def fake_server_clock(url: str) -> None:
    """Let everybody who asks this database for the time be told the simulation's."""
    with psycopg.connect(plain(url), autocommit=True) as connection:
        connection.execute(SERVER_CLOCK)
        name = connection.info.dbname
        connection.execute(f'ALTER DATABASE "{name}" SET search_path = simulated, pg_catalog, public')
