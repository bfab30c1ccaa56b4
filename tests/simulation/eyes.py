"""What the conductor sees: plain SQL over a connection of its own, beside the service."""

import sqlite3
from typing import Any, Final, NamedTuple, Protocol

import psycopg

from bench.ground import plain
from service.kernel.clock import SECOND
from tests.simulation.moment import SET_SERVER, Moment

AHEAD: Final = 300 * SECOND
"""How far ahead a look goes: nobody sleeps longer than that between two sweeps."""
CLOCK: Final = (
    "SELECT min({max}(acts_at, coalesce(lease_until, 0))) FROM decisions"
    " LEFT JOIN deadline_leases USING (game_id, seat, since, acts_at) WHERE acts_at <= {p}",
    "SELECT min(remind_at) FROM decisions WHERE remind_at <= {p}",
    "SELECT min(paused_until) FROM games WHERE paused_until <= {p} AND status = 'running'",
)
MAIL: Final = "SELECT min({max}(not_before, lease_until)) FROM deliveries WHERE channel = 'mail' AND state = 'queued' AND not_before <= {p}"
BEGUN: Final = "SELECT game_id, seat, since, due_at, acts_at FROM decisions WHERE began_at >= {p}"


class Driver(Protocol):
    """sqlite3's and psycopg's connection."""

    def execute(self, statement: Any, values: Any = ..., /) -> Any: ...
    def close(self) -> None: ...


class Due(NamedTuple):
    """When there is something to do for a sweep next, and when for a delivery; AHEAD from now where not before."""

    clock: int
    mail: int


class Eyes:
    """A look at the due tables."""

    def __init__(self, url: str) -> None:
        self.is_sqlite = url.startswith("sqlite")
        self.driver: Driver
        if self.is_sqlite:
            self.driver = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None, timeout=30)
        else:
            self.driver = psycopg.connect(plain(url), autocommit=True)
        words = {"max": "max", "p": "?"} if self.is_sqlite else {"max": "greatest", "p": "%s"}
        self.clock = [one.format(**words) for one in CLOCK]
        self.mail, self.begun = MAIL.format(**words), BEGUN.format(**words)

    def tell_time(self, moment: Moment) -> None:
        """Let PostgreSQL know what time it is."""
        if not self.is_sqlite:
            self.driver.execute(SET_SERVER, (moment.record,))

    def begun_since(self, at: int) -> list[tuple[str, int, int, int | None, int | None]]:
        """Decisions that began then or later, and are still open: game, seat, since, due, acts."""
        return list(self.driver.execute(self.begun, (at,)).fetchall())

    def due(self, now: int) -> Due:
        """What is due next."""
        found = [self.driver.execute(one, (now + AHEAD,)).fetchone()[0] for one in (*self.clock, self.mail)]
        *clock, mail = (now + AHEAD if at is None else at for at in found)
        return Due(min(clock), mail)

    def close(self) -> None:
        """Close the connection."""
        self.driver.close()
