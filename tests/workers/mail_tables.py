"""The fixture of tables that are played at by mail."""

from collections.abc import Callable

import pytest

from service.container import Services
from tests.manual_clock import ManualClock
from tests.tables import SETTINGS, Tables


@pytest.fixture
def mail_tables(migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """On SQLite, for what does not depend on the database."""
    return Tables(open_services(migrated_sqlite, clock=manual_clock, **SETTINGS), manual_clock)
