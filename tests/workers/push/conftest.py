"""Fixtures: tables whose people have devices."""

from collections.abc import Callable

import pytest

from service.container import Services
from tests.databases import BOTH
from tests.manual_clock import ManualClock
from tests.workers.push.push_tables import PushService, PushTables


@pytest.fixture(params=BOTH)
def tables(
    request: pytest.FixtureRequest, open_services: Callable[..., Services], manual_clock: ManualClock
) -> PushTables:
    """On each database."""
    url = request.getfixturevalue(f"migrated_{request.param}")
    return PushTables(open_services(url, clock=manual_clock), manual_clock)


@pytest.fixture
def sqlite_tables(
    migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock
) -> PushTables:
    """On SQLite, for what does not depend on the database."""
    return PushTables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)


@pytest.fixture
def service(sqlite_tables: PushTables) -> PushService:
    """A push service for those."""
    return PushService(sqlite_tables)
