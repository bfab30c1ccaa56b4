"""The API changes with a row in its changelog, or not at all."""

import re
from pathlib import Path

import pytest

from tests.service.api.description.summary import FILE, digest, summarize

CHANGELOG = Path(__file__).parents[4] / "docs" / "api-changelog.md"


@pytest.mark.slow
def test_the_newest_row_of_the_changelog_is_about_this_description(document):
    """If not: `python -m tests.service.api.description.summary`, then a row on top that says what a client notices."""
    now = summarize(document)
    assert now == FILE.read_text()
    assert re.findall(r"^\| `([0-9a-f]{12})` \|", CHANGELOG.read_text(), re.MULTILINE)[:1] == [digest(now)]
