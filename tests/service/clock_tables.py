"""Tables whose clocks are looked at: what each seat owes and until when, in the words of a test.

clock_tables = ClockTables(...)                  # WorkerTables; `clock_tables.advance(hours=1)` lets time pass
game = clock_tables.begin_timed(bank="P2D")      # Ann and Bob begin at noon of a Tuesday and owe an answer
clock_tables.due(game, "ann")                    # as the database has it
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from service.clocks import leave, leave_days
from service.container import Services
from service.deadlines.explanation.page import Page
from service.games import clock_votes
from service.kernel.clock import EPOCH, SECOND, micros, moment
from service.store.clocks.decisions import decisions
from tests.databases import BOTH
from tests.workers.worker_tables import NOON, ManualClock, WorkerTables

HOUR = 3600 * SECOND
DAY = 24 * HOUR
CLOCK = {"per_move": "P1D", "grace": "PT10M", "reminders": []}
START = int(NOON.timestamp()) * SECOND


def utc(written: str) -> int:
    """A moment written in UTC."""
    return micros(datetime.fromisoformat(written).replace(tzinfo=UTC) - EPOCH)


def shows(at: int) -> str:
    """A moment as it is read in UTC: Tue 04 Mar 12:00."""
    return f"{moment(at):%a %d %b %H:%M}"


class ClockTables(WorkerTables):
    """WorkerTables for policies, banks, leave and votes on the clock."""

    def begin_timed(self, *names: str, **clock: Any) -> str:
        """A game of these, Ann and Bob if nobody is named, whose notices have gone out."""
        game = self.begin(*(names or ("ann", "bob")), clock=CLOCK | clock, options={"rounds": "3"})
        self.mark_all_sent()
        return game

    def mark_all_sent(self) -> None:
        """Every notice has gone out."""
        self.execute("UPDATE deliveries SET state = 'sent', done_at = created_at WHERE state = 'queued'")

    def seat(self, game: str, name: str) -> int:
        seat = self.head(game).table.seat_of(self.ids[name])
        assert seat is not None
        return seat

    def seat_clock(self, game: str, name: str) -> dict[str, Any]:
        """The clock of somebody who owes an answer."""
        mine = (decisions.c.game_id == game, decisions.c.seat == self.seat(game, name))
        with self.services.database.read() as connection:
            return dict(connection.execute(sa.select(decisions).where(*mine)).mappings().one())

    def due(self, game: str, name: str) -> int:
        due: int = self.seat_clock(game, name)["due_at"]
        return due

    def bank(self, game: str, name: str) -> int | None:
        """Seconds in a bank; None while it is full and was never used."""
        return self.head(game).table.chairs[self.seat(game, name)].bank

    def bank_changes(self, game: str) -> list[tuple[int, int]]:
        """Every change of a bank that was recorded: seat, seconds left."""
        return [(one["data"]["seat"], one["data"]["left"]) for one in self.events(game, "table.bank-changed")]

    def events(self, game: str, kind: str = "") -> list[dict[str, Any]]:
        """The events of a game, or those of one kind."""
        with self.services.database.read() as connection:
            found = self.services.streams.seen(connection, game, None, after=0, upto=9999)
        return [event for event in found if event["type"] == kind or not kind]

    def agree(self, game: str, what: Any, **span: float) -> None:
        """Everybody agrees to a pause, to its end, or to more time."""
        first, *others = [name for name in self.ids if self.head(game).table.seat_of(self.ids[name]) is not None]
        with self.services.database.write() as tx:
            clock_votes.propose(self.services, tx, game, self.ids[first], what, micros(timedelta(**span)) // SECOND)
        for name in others:
            if self.head(game).table.proposal is not None:
                with self.services.database.write() as tx:
                    clock_votes.vote(self.services, tx, game, self.ids[name], True)

    def take_leave(self, name: str, first: str, last: str) -> bool:
        """Announce leave; all clocks follow."""
        with self.services.database.write() as tx:
            new = leave.announce(self.services, tx, self.ids[name], date.fromisoformat(first), date.fromisoformat(last))
        leave.follow_all(self.services, self.ids[name])
        return new

    def cancel_leave(self, name: str) -> None:
        with self.services.database.write() as tx:
            leave.take_back(self.services, tx, self.ids[name])
        leave.follow_all(self.services, self.ids[name])

    def leave_days(self, name: str) -> list[tuple[str, str]]:
        """The leave of somebody that is not over."""
        with self.services.database.read() as connection:
            found = leave_days.to_come(connection, self.ids[name], self.clock.at)
        return [(one.first_day, one.last_day) for one in found]

    def clock_page(self, game: str, name: str, away: tuple[date, date] | None = None) -> dict[str, Any]:
        """The clock of a game, explained to somebody."""
        with self.services.database.read() as connection:
            return Page(self.services, connection, game, self.ids[name]).document(away)


@pytest.fixture(params=BOTH)
def clock_tables(
    request: pytest.FixtureRequest, open_services: Callable[..., Services], manual_clock: ManualClock
) -> ClockTables:
    """Tables on each database."""
    url = request.getfixturevalue(f"migrated_{request.param}")
    return ClockTables(open_services(url, clock=manual_clock), manual_clock)


@pytest.fixture
def sqlite_clock_tables(
    migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock
) -> ClockTables:
    """Tables on SQLite, for what does not depend on the database."""
    return ClockTables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)
