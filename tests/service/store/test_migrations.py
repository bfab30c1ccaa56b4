"""The schema: up from nothing, down to nothing, up again, equal to the models, with its triggers; half-way faults."""

import contextlib

import pytest
import sqlalchemy as sa
from sqlalchemy import event as engine_event
from sqlmodel import SQLModel

from service.store.database import Database
from service.store.structure import guards, migrate, schema
from tests.service.store.later_release import become_later
from tests.tables import Tables

__all__ = ["become_later"]

TRIGGERS = {dialect: set(texts) for dialect, texts in guards.TRIGGERS.items()}


@pytest.fixture
def database(database_url):
    made = Database(database_url, durable=False)
    yield made
    made.close()


@contextlib.contextmanager
def owner(database):
    engine = database.owner_engine()
    try:
        yield engine
    finally:
        engine.dispose()


def table_names(database):
    with owner(database) as engine:
        return set(sa.inspect(engine).get_table_names()) - {"sqlite_sequence"}


def triggers(database):
    queries = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'",
    }
    with owner(database) as engine, engine.connect() as connection:
        return {row[0] for row in connection.exec_driver_sql(queries[engine.dialect.name])}


@pytest.mark.slow
def test_an_empty_database_is_migrated_to_the_models_and_back_and_again(database):
    ours = {table.name for table in SQLModel.metadata.sorted_tables} | {"alembic_version"}
    with owner(database) as engine:
        assert migrate.current(engine) is None
        assert migrate.differences(engine) != []
    for _ in range(2):
        migrate.upgrade(database)
        assert table_names(database) == ours
        assert triggers(database) == TRIGGERS[database.engine.dialect.name]
        with owner(database) as engine:
            assert migrate.differences(engine) == [], "the models and the migrations say the same"
            assert migrate.current(engine) == migrate.latest() is not None
        migrate.downgrade(database, "base")
        assert table_names(database) <= {"alembic_version"}
        assert triggers(database) == set()
    if database.engine.dialect.name == "postgresql":
        with owner(database) as engine, engine.connect() as connection:
            left = connection.exec_driver_sql("SELECT count(*) FROM pg_proc WHERE proname LIKE 'wardroom%%'").scalar()
        assert left == 0


@pytest.mark.slow
def test_migrating_twice_is_migrating_once(database):
    migrate.upgrade(database)
    migrate.upgrade(database)
    with owner(database) as engine:
        assert migrate.differences(engine) == []


@pytest.mark.slow
def test_the_service_sees_how_far_the_schema_is(database):
    assert migrate.current(database.engine) is None
    migrate.upgrade(database)
    assert migrate.current(database.engine) == migrate.latest()


def test_a_migrated_database_keeps_its_games(url, open_services):
    tables = Tables(open_services(url))
    game = tables.begin()
    before = tables.export(game)
    migrate.upgrade(tables.services.database)
    assert tables.export(game) == before


class Stop(Exception):
    """The power is gone."""


TABLES = ["alembic_version", "players", "events", "heartbeats"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "at", [*(f"CREATE TABLE {name}" for name in TABLES), "TRIGGER", "INSERT", "ix_games_toys", "ix_events_toys"]
)
def test_f40_a_migration_that_stops_at_any_statement_can_be_begun_again(database, at, become_later, monkeypatch):
    """The last two are of a later migration, whose indexes PostgreSQL builds outside its transaction."""
    if at.endswith("toys"):
        become_later()
    made, stopped = database.owner_engine, []

    def failing():
        engine = made()

        @engine_event.listens_for(engine, "before_cursor_execute")
        def _(connection, cursor, statement, *_):
            if at in statement and not statement.startswith("DROP"):
                stopped.append(statement)
                raise Stop

        return engine

    monkeypatch.setattr(database, "owner_engine", failing)
    with contextlib.suppress(Stop):
        migrate.upgrade(database)
    monkeypatch.setattr(database, "owner_engine", made)
    assert stopped, "it comes by there"
    migrate.upgrade(database)
    with owner(database) as engine:
        assert migrate.current(engine) == schema.NEWEST
        assert at.endswith("toys") or migrate.differences(engine) == []
        indexes = {found["name"] for table in ("games", "events") for found in sa.inspect(engine).get_indexes(table)}
        assert ({"ix_games_toys", "ix_events_toys"} <= indexes) == at.endswith("toys")
    assert triggers(database) == TRIGGERS[database.engine.dialect.name]
