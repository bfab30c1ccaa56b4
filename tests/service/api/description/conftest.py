"""The document, made once, of the two games alone: the tests' own game is in no description that is delivered."""

import json
from typing import Any

import pytest

from tests.service.api.description import exchanges


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(exchanges.describe())
    return made
