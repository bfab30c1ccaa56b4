"""Tables whose clocks are looked at: what each seat owes and until when, in the words of a test.

clock_tables = Tables(...)                  # Tables; `clock_tables.advance(hours=1)` lets time pass
game = clock_tables.begin_timed(bank="P2D")      # Ann and Bob begin at noon of a Tuesday and owe an answer
clock_tables.due(game, "ann")                    # as the database has it
"""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from service.container import Services
from service.kernel.clock import EPOCH, SECOND, micros, moment
from tests.databases import BOTH
from tests.manual_clock import NOON, ManualClock
from tests.tables import Tables

HOUR = 3600 * SECOND
DAY = 24 * HOUR
START = int(NOON.timestamp()) * SECOND


def utc(written: str) -> int:
    """A moment written in UTC."""
    return micros(datetime.fromisoformat(written).replace(tzinfo=UTC) - EPOCH)


def shows(at: int) -> str:
    """A moment as it is read in UTC: Tue 04 Mar 12:00."""
    return f"{moment(at):%a %d %b %H:%M}"


@pytest.fixture(params=BOTH)
def clock_tables(
    request: pytest.FixtureRequest, open_services: Callable[..., Services], manual_clock: ManualClock
) -> Tables:
    """Tables on each database."""
    url = request.getfixturevalue(f"migrated_{request.param}")
    return Tables(open_services(url, clock=manual_clock), manual_clock)


@pytest.fixture
def sqlite_clock_tables(
    migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock
) -> Tables:
    """Tables on SQLite, for what does not depend on the database."""
    return Tables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)
