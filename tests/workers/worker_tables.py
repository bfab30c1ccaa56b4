"""Tables whose workers the test runs: it moves the clock, and a carrier keeps or loses the letters that leave."""

from collections.abc import Callable
from pathlib import Path

import pytest

from service.container import Services
from tests.databases import BOTH
from tests.manual_clock import ManualClock
from tests.tables import Tables

# Fixtures


@pytest.fixture
def manual_clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=BOTH)
def tables(request: pytest.FixtureRequest, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """Tables on each database."""
    url = request.getfixturevalue(f"migrated_{request.param}")
    return Tables(open_services(url, clock=manual_clock), manual_clock)


@pytest.fixture
def sqlite_tables(migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """Tables on SQLite, for what does not depend on the database."""
    return Tables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)


ROOT = Path(__file__).parents[2]
