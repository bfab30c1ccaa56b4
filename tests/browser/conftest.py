"""A Chromium for each process of the tests, a server for each test, and windows at it."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from service.container import Services
from tests.browser.house import House
from tests.ports import free_port
from tests.workers.worker_tables import ManualClock, WorkerTables

MISSING = "no Chromium here: `python3 dev.py test` finds or installs it, and CHROMIUM names another"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in a browser are not for `dev.py check`."""
    for item in items:
        if "/tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, started once a process."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert program, MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def house(chromium: Browser, migrated_sqlite: str, open_services: Callable[..., Services]) -> Iterator[House]:
    """A service whose clock the test moves, on a port of its own, and whoever looks at it."""
    manual_clock = ManualClock()
    base = f"http://127.0.0.1:{free_port()}"
    services = open_services(migrated_sqlite, clock=manual_clock, BASE_URL=base)
    with House(chromium, WorkerTables(services, manual_clock), base).open() as found:
        yield found
