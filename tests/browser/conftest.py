"""A server for each test, and windows at it."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from service.container import Services
from tests.browser.house import House
from tests.manual_clock import ManualClock
from tests.ports import free_port
from tests.tables import Tables


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in a browser are not for `dev.py check`."""
    for item in items:
        if "/tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def house(chromium: Browser, migrated_sqlite: str, open_services: Callable[..., Services]) -> Iterator[House]:
    """A service whose clock the test moves, on a port of its own, and whoever looks at it."""
    manual_clock = ManualClock()
    base = f"http://127.0.0.1:{free_port()}"
    services = open_services(migrated_sqlite, clock=manual_clock, BASE_URL=base)
    with House(chromium, Tables(services, manual_clock), base).open() as found:
        yield found
