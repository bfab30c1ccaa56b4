"""A migrated database on each engine, and tables on it whose workers the test runs."""

import pytest

from tests.workers.letters.correspondence import no_pictures
from tests.workers.mail_tables import mail_tables
from tests.workers.worker_tables import manual_clock, sqlite_tables, tables

__all__ = ["manual_clock", "tables", "mail_tables", "sqlite_tables"]


@pytest.fixture(autouse=True)
def undrawn():
    """Boards in letters are digests of what would be drawn: drawing is half of what a letter costs."""
    with no_pictures():
        yield
