"""Fixtures of pages: the tables of the workers' tests, where mail goes into a mailbox."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from service.container import Services
from tests.manual_clock import ManualClock
from tests.tables import Tables

HERE: Final = Path(__file__).parent
QUICK: Final = frozenset({"test_shell.py", "test_orders.py", "test_addresses.py"})


@pytest.fixture
def tables(migrated_sqlite: str, open_services: Callable[..., Services]) -> Tables:
    """A service on SQLite with a clock of its own."""
    manual_clock = ManualClock()
    return Tables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What `dev.py check` looks at is what all pages share."""
    for item in items:
        if item.path.parent == HERE and item.path.name not in QUICK:
            item.add_marker(pytest.mark.slow)
