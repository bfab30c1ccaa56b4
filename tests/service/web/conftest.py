"""Fixtures of pages: the tables of the workers' tests, where mail goes into a mailbox."""

from collections.abc import Callable

import pytest

from service.container import Services
from tests.workers.worker_tables import ManualClock, WorkerTables


@pytest.fixture
def tables(migrated_sqlite: str, open_services: Callable[..., Services]) -> WorkerTables:
    """A service on SQLite with a clock of its own."""
    manual_clock = ManualClock()
    return WorkerTables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)
