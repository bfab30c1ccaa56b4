"""Fixtures of the API tests: a service on each database, migrated once a session and copied for every test."""

from collections.abc import Callable, Iterator

import pytest

from config.settings import Settings
from tests.service.api.table import Api, served


@pytest.fixture
def sqlite_copy(migrated_sqlite: str) -> str:
    """The URL of a SQLite database of this test's own."""
    return migrated_sqlite


@pytest.fixture
def postgres_copy(migrated_postgres: str) -> str:
    """The URL of a PostgreSQL database of this test's own."""
    return migrated_postgres


@pytest.fixture
def sqlite_api(sqlite_copy: str, settings_with: Callable[..., Settings]) -> Iterator[Api]:
    """The API on SQLite, for what does not depend on the database."""
    with served(settings_with(DATABASE_URL=sqlite_copy)) as api:
        yield api


@pytest.fixture
def limited_api(sqlite_copy: str, settings_with: Callable[..., Settings]) -> Iterator[Api]:
    """The API with its limits on requests and codes."""
    with served(settings_with(DATABASE_URL=sqlite_copy, RATE_LIMITS="on")) as api:
        yield api


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def api(request: pytest.FixtureRequest, settings_with: Callable[..., Settings]) -> Iterator[Api]:
    """The API, once on SQLite and once on PostgreSQL."""
    with served(settings_with(DATABASE_URL=request.getfixturevalue(f"{request.param}_copy"))) as api:
        yield api
