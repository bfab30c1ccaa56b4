"""Fixtures of the API tests: a service on each database, migrated once a session and copied for every test."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.settings import Settings
from service.store import migrate
from service.store.database import Database
from tests.servers import PostgresServer
from tests.service.api.table import Api, served


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    path = tmp_path_factory.mktemp("template") / "template.sqlite"
    _migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: PostgresServer) -> Iterator[str]:
    """A migrated PostgreSQL database to copy."""
    url = postgres_server.create()
    _migrate(url)
    yield url
    postgres_server.drop(url)


def _migrate(url: str) -> None:
    database = Database(url, durable=False)
    migrate.upgrade(database)
    database.close()


@pytest.fixture
def sqlite_copy(migrated_file: Path, tmp_path: Path) -> str:
    """The URL of a SQLite database of this test's own."""
    shutil.copy(migrated_file, tmp_path / "api.sqlite")
    return f"sqlite:///{tmp_path}/api.sqlite"


@pytest.fixture
def postgres_copy(migrated_postgres: str, postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a PostgreSQL database of this test's own."""
    url = postgres_server.create(template=migrated_postgres)
    yield url
    postgres_server.drop(url)


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
