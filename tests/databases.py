"""Databases for tests: migrated once in a session, and copied for each test that asks for one.

`migrated_sqlite` and `migrated_postgres` are the addresses of a copy of a test's own, `url` is one after the other, and
`open_services` makes the services on any of them. Every test may use them: `tests/conftest.py` knows them.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from config.settings import Settings
from domain.rulesets import RULESETS
from service.container import Services, assemble
from service.store.database import Database
from service.store.structure import migrate
from tests.domain.table.pennies import PENNIES
from tests.servers import PostgresServer

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "test.sqlite"
    database = Database(f"sqlite:///{path}", durable=False)
    migrate.upgrade(database)
    database.close()
    return path


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> str:
    url = postgres_server.create()
    database = Database(url)
    migrate.upgrade(database)
    database.close()
    return url


@pytest.fixture
def migrated_sqlite(sqlite_template: Path, tmp_path: Path) -> str:
    shutil.copy(sqlite_template, tmp_path / "test.sqlite")
    return f"sqlite:///{tmp_path}/test.sqlite"


@pytest.fixture
def migrated_postgres(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    url = postgres_server.create(postgres_template)
    yield url
    postgres_server.drop(url)


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest) -> str:
    """A migrated database on each engine."""
    found: str = request.getfixturevalue(f"migrated_{request.param}")
    return found


@pytest.fixture
def open_services(
    monkeypatch: pytest.MonkeyPatch, settings_with: Callable[..., Settings]
) -> Iterator[Callable[..., Services]]:
    """Make Wardrooms on a database; all are closed after the test."""
    monkeypatch.setitem(RULESETS, PENNIES.kind, PENNIES)  # type: ignore[arg-type]
    made: list[Services] = []

    def make(database_url: str, *, clock: Any = None, durable: bool = False, **variables: str) -> Services:
        services = assemble(settings_with(DATABASE_URL=database_url, **variables), clock=clock, durable=durable)
        made.append(services)
        return services

    yield make
    for services in made:
        services.database.close()
