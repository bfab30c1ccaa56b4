"""A migrated database on each engine, and a post office on it."""

import pytest

from tests.workers.letters.album import no_pictures
from tests.workers.office import hands, office, small_office
from tests.workers.post import post

__all__ = ["hands", "office", "post", "small_office"]


@pytest.fixture(autouse=True)
def undrawn():
    """Boards in letters are digests of what would be drawn: drawing is half of what a letter costs."""
    with no_pictures():
        yield
