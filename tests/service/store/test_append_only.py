"""Events are only ever added: triggers on both engines, grants on PostgreSQL (S-33, I-16)."""

import re
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

import service
from service.store.database import APP_ROLE
from tests.service.store.service_tables import check, snapshot

pytestmark = pytest.mark.slow

CHANGES = {
    "update": "UPDATE events SET hash = 'x' WHERE version = 2",
    "update of everything": "UPDATE events SET version = version + 100",
    "update that changes nothing": "UPDATE events SET hash = hash",
    "delete of the last": "DELETE FROM events WHERE version = (SELECT max(version) FROM events)",
    "delete of all": "DELETE FROM events",
}
REPLACING = {
    "sqlite": {
        "replace": "REPLACE INTO events SELECT game_id, version, type, 'x', hash FROM events",
        "insert or replace": "INSERT OR REPLACE INTO events SELECT game_id, version, type, 'x', hash FROM events",
        "update or replace": "UPDATE OR REPLACE events SET version = 1 WHERE version = 2",
        "upsert": "INSERT INTO events SELECT game_id, version, type, 'x', hash FROM events WHERE true"
        " ON CONFLICT (game_id, version) DO UPDATE SET body = 'x'",
        "upsert or nothing": "INSERT INTO events SELECT game_id, version, type, 'x', hash FROM events WHERE true"
        " ON CONFLICT (game_id, version) DO NOTHING",
        "second of the same": "INSERT INTO events SELECT * FROM events",
    },
    "postgresql": {
        "upsert": "INSERT INTO events SELECT game_id, version, type, 'x', hash FROM events"
        " ON CONFLICT (game_id, version) DO UPDATE SET body = 'x'",
        "second of the same": "INSERT INTO events SELECT * FROM events",
        "truncate": "TRUNCATE events",
        "truncate of all": "TRUNCATE events, games CASCADE",
        "merge": "MERGE INTO events USING events AS e ON events.version = e.version WHEN MATCHED THEN DELETE",
    },
}


def attempt(engine, statement):
    """Run it, in a transaction of its own; whether it was refused."""
    try:
        with engine.begin() as connection:
            connection.exec_driver_sql(statement)
    except DBAPIError:
        return True
    return False


def refused_all(tables, engine):
    game = tables.begin()
    tables.move(game, "ann", "hide 1")
    before = snapshot(tables.services)
    assert len(before["events"]) > 5
    for name, statement in {**CHANGES, **REPLACING[engine.dialect.name]}.items():
        assert attempt(engine, statement), f"{name} was not refused"
        assert snapshot(tables.services) == before, name
    check(tables.services, game)


def test_s33_i16_the_service_cannot_change_an_event(tables):
    refused_all(tables, tables.services.database.engine)


def test_s33_i16_not_even_the_owner_of_the_tables_changes_an_event_by_accident(tables):
    engine = tables.services.database.owner_engine()
    try:
        refused_all(tables, engine)
    finally:
        engine.dispose()


@pytest.mark.postgres
class TestPostgresRole:
    """What the role of the service may do."""

    @pytest.fixture
    def services(self, migrated_postgres, open_services):
        return open_services(migrated_postgres)

    def test_s33_the_service_works_as_its_role_reading_and_writing(self, services):
        for how in (services.database.read, services.database.write):
            with how() as connection:
                assert connection.exec_driver_sql("SELECT current_user").scalar() == APP_ROLE
                assert connection.exec_driver_sql("SELECT current_user").scalar() == APP_ROLE

    def test_s33_it_still_works_as_its_role_after_errors_and_rollbacks(self, tables):
        for _ in range(12):
            assert attempt(tables.services.database.engine, "SELECT 1 / 0")
        with tables.services.database.write() as tx:
            assert tx.exec_driver_sql("SELECT current_user").scalar() == APP_ROLE
        tables.play_out(tables.begin(), seed=5)

    @pytest.mark.parametrize(
        "statement",
        [
            "DROP TABLE events",
            "DROP TRIGGER events_append_only ON events",
            "DROP FUNCTION wardroom_forbid_change() CASCADE",
            "ALTER TABLE events DISABLE TRIGGER ALL",
            "ALTER TABLE events ADD COLUMN more text",
            "SET session_replication_role = replica",
            "CREATE RULE quiet AS ON INSERT TO events DO INSTEAD NOTHING",
            "CREATE TABLE mine (id int)",
            "TRUNCATE leaves",
        ],
    )
    def test_s33_the_role_changes_no_table(self, tables, statement):
        tables.begin()
        before = snapshot(tables.services)
        assert attempt(tables.services.database.engine, statement)
        assert snapshot(tables.services) == before

    def test_s33_the_role_may_read_and_insert_events_and_nothing_else(self, services):
        grants = "information_schema.role_table_grants WHERE table_name = 'events' AND grantee = :role"
        with services.database.read() as connection:
            query = sa.text(f"SELECT privilege_type FROM {grants}")
            found = {row[0] for row in connection.execute(query, {"role": APP_ROLE})}
        assert found == {"SELECT", "INSERT"}


# Leaves, games, checkpoints, keys

SECOND = "type, body, hash FROM events WHERE version = 2"
KEPT = {
    "leaf sealed by another": "UPDATE leaves SET owner = 1",
    "leaf moved": "UPDATE leaves SET version = version + 100",
    "leaf of another game": "UPDATE leaves SET game_id = 'x'",
    "leaf renumbered": "UPDATE leaves SET number = number + 1",
    "leaf opened before it was sealed": "UPDATE leaves SET opened = 1",
    "leaf opened by itself": "UPDATE leaves SET opened = version",
    "leaf deleted": "DELETE FROM leaves",
    "game deleted": "DELETE FROM games",
    "checkpoint changed": "UPDATE checkpoints SET at = 5",
    "checkpoint deleted": "DELETE FROM checkpoints",
    "key changed": "UPDATE signing_keys SET since = since + 1",
    "key deleted": "DELETE FROM signing_keys",
    "leaf again": "INSERT INTO leaves SELECT * FROM leaves",
    "game again": "INSERT INTO games SELECT * FROM games",
    "event with a gap": f"INSERT INTO events SELECT game_id, version + 100, {SECOND}",
    "event before the first": f"INSERT INTO events SELECT game_id, 0, {SECOND}",
    "event of a game that begins late": f"INSERT INTO events SELECT 'x', 2, {SECOND}",
}
KEPT_ON = {
    "sqlite": {
        f"replace into {table}": f"REPLACE INTO {table} SELECT * FROM {table}"
        for table in ("leaves", "games", "checkpoints", "signing_keys")
    },
    "postgresql": {
        f"truncate {table}": f"TRUNCATE {table}" for table in ("leaves", "games", "checkpoints", "signing_keys")
    },
}  # fmt: skip


def refused_too(tables, engine):
    game = tables.begin()
    tables.move(game, "ann", "hide 1")
    before = snapshot(tables.services)
    for name, statement in {**KEPT, **KEPT_ON[engine.dialect.name]}.items():
        assert attempt(engine, statement), f"{name} was not refused"
        assert snapshot(tables.services) == before, name


def test_s33_the_service_keeps_leaves_games_checkpoints_and_keys(tables):
    refused_too(tables, tables.services.database.engine)


def test_s33_not_even_the_owner_of_the_tables_loses_them_by_accident(tables):
    engine = tables.services.database.owner_engine()
    try:
        refused_too(tables, engine)
    finally:
        engine.dispose()


def test_s30_a_leaf_may_be_sealed_again_and_opened_once_by_a_later_event(tables):
    game = tables.begin()
    tables.move(game, "ann", "hide 1")
    engine = tables.services.database.engine
    last = "version = (SELECT max(version) FROM leaves)"
    for statement in (
        "UPDATE leaves SET sealed = sealed",
        f"UPDATE leaves SET opened = version + 5 WHERE {last}",
        f"UPDATE leaves SET opened = opened WHERE {last}",
    ):
        assert not attempt(engine, statement), statement
    for again in ("NULL", "version + 6"):
        assert attempt(engine, f"UPDATE leaves SET opened = {again} WHERE {last}")


def test_no_statement_of_ours_changes_what_is_only_added_to():
    """Whatever is done to these tables is read or insert; leaves are opened and sealed again, in one module."""
    root = Path(service.__file__).parent.parent
    growing, found = "(events|checkpoints|signing_keys|leaves)", []
    changing = re.compile(
        rf"(update|delete)\([\s\w.]*{growing}\b|(UPDATE|DELETE FROM|TRUNCATE|REPLACE INTO)\s+{growing}\b(?! FROM)",
        re.IGNORECASE,
    )
    for folder in ("service", "workers", "domain"):
        for path in (root / folder).rglob("*.py"):
            if "migrations" not in path.parts:
                found += [path.name for match in changing.finditer(path.read_text())]
    assert set(found) == {"stream_rows.py", "streams.py", "repairs.py"}
