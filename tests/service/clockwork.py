"""A house whose clocks are looked at: what each seat owes and until when, in the words of a test.

hall = Hall(...)                      # an Office; time is `hall.hands`
game = hall.sets(bank="P2D")          # Ann and Bob begin at noon of a Tuesday and owe an answer
hall.due(game, "ann")                 # as the database has it
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
from service.store.decisions import decisions
from tests.databases import BOTH
from tests.workers.office import NOON, Hands, Office

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


class Hall(Office):
    """An office that looks at clocks."""

    def sets(self, *names: str, **clock: Any) -> str:
        """A game of these, Ann and Bob if nobody is named, whose notices have gone out."""
        game = self.begins(*(names or ("ann", "bob")), clock=CLOCK | clock, options={"rounds": "3"})
        self.delivers_all()
        return game

    def delivers_all(self) -> None:
        """Every notice has gone out."""
        self.executes("UPDATE deliveries SET state = 'sent', done_at = created_at WHERE state = 'queued'")

    def seat(self, game: str, name: str) -> int:
        seat = self.head(game).table.seat_of(self.ids[name])
        assert seat is not None
        return seat

    def clock(self, game: str, name: str) -> dict[str, Any]:
        """The clock of somebody who owes an answer."""
        mine = (decisions.c.game_id == game, decisions.c.seat == self.seat(game, name))
        with self.services.database.read() as connection:
            return dict(connection.execute(sa.select(decisions).where(*mine)).mappings().one())

    def due(self, game: str, name: str) -> int:
        due: int = self.clock(game, name)["due_at"]
        return due

    def bank(self, game: str, name: str) -> int | None:
        """Seconds in a bank; None while it is full and was never used."""
        return self.head(game).table.chairs[self.seat(game, name)].bank

    def banks(self, game: str) -> list[tuple[int, int]]:
        """Every change of a bank that was recorded: seat, seconds left."""
        return [(one["data"]["seat"], one["data"]["left"]) for one in self.facts(game, "table.bank-changed")]

    def facts(self, game: str, kind: str = "") -> list[dict[str, Any]]:
        """The events of a game, or those of one kind."""
        with self.services.database.read() as connection:
            found = self.services.streams.seen(connection, game, None, after=0, upto=9999)
        return [event for event in found if event["type"] == kind or not kind]

    def agrees(self, game: str, what: Any, **span: float) -> None:
        """Everybody agrees to a pause, to its end, or to more time."""
        first, *others = [name for name in self.ids if self.head(game).table.seat_of(self.ids[name]) is not None]
        with self.services.database.write() as tx:
            clock_votes.propose(self.services, tx, game, self.ids[first], what, micros(timedelta(**span)) // SECOND)
        for name in others:
            if self.head(game).table.proposal is not None:
                with self.services.database.write() as tx:
                    clock_votes.vote(self.services, tx, game, self.ids[name], True)

    def takes_leave(self, name: str, first: str, last: str) -> bool:
        """Announce leave; all clocks follow."""
        with self.services.database.write() as tx:
            new = leave.announce(self.services, tx, self.ids[name], date.fromisoformat(first), date.fromisoformat(last))
        leave.follow_all(self.services, self.ids[name])
        return new

    def takes_back(self, name: str) -> None:
        with self.services.database.write() as tx:
            leave.take_back(self.services, tx, self.ids[name])
        leave.follow_all(self.services, self.ids[name])

    def leaves(self, name: str) -> list[tuple[str, str]]:
        """The leave of somebody that is not over."""
        with self.services.database.read() as connection:
            found = leave_days.to_come(connection, self.ids[name], self.hands.at)
        return [(one.first_day, one.last_day) for one in found]

    def page(self, game: str, name: str, away: tuple[date, date] | None = None) -> dict[str, Any]:
        """The clock of a game, explained to somebody."""
        with self.services.database.read() as connection:
            return Page(self.services, connection, game, self.ids[name]).document(away)


@pytest.fixture(params=BOTH)
def hall(request: pytest.FixtureRequest, open_services: Callable[..., Services], hands: Hands) -> Hall:
    """A hall on each database."""
    url = request.getfixturevalue(f"migrated_{request.param}")
    return Hall(open_services(url, clock=hands), hands)


@pytest.fixture
def small_hall(migrated_sqlite: str, open_services: Callable[..., Services], hands: Hands) -> Hall:
    """A hall on SQLite, for what does not depend on the database."""
    return Hall(open_services(migrated_sqlite, clock=hands), hands)
