"""Events are only ever added: triggers on both engines, grants on PostgreSQL (S-33, I-16)."""

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from service.store.database import APP_ROLE
from tests.service.store.house import check, snapshot

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


def refused_all(house, engine):
    game = house.begins()
    house.moves(game, "ann", "hide 1")
    before = snapshot(house.room)
    assert len(before["events"]) > 5
    for name, statement in {**CHANGES, **REPLACING[engine.dialect.name]}.items():
        assert attempt(engine, statement), f"{name} was not refused"
        assert snapshot(house.room) == before, name
    check(house.room, game)


def test_s33_i16_the_service_cannot_change_an_event(house):
    refused_all(house, house.room.database.engine)


def test_s33_i16_not_even_the_owner_of_the_tables_changes_an_event_by_accident(house):
    engine = house.room.database.owner_engine()
    try:
        refused_all(house, engine)
    finally:
        engine.dispose()


@pytest.mark.postgres
class TestPostgresRole:
    """What the role of the service may do."""

    @pytest.fixture
    def room(self, migrated_postgres, rooms):
        return rooms(migrated_postgres)

    def test_s33_the_service_works_as_its_role_reading_and_writing(self, room):
        for how in (room.database.read, room.database.write):
            with how() as connection:
                assert connection.exec_driver_sql("SELECT current_user").scalar() == APP_ROLE
                assert connection.exec_driver_sql("SELECT current_user").scalar() == APP_ROLE

    def test_s33_it_still_works_as_its_role_after_errors_and_rollbacks(self, house):
        for _ in range(12):
            assert attempt(house.room.database.engine, "SELECT 1 / 0")
        with house.room.database.write() as tx:
            assert tx.exec_driver_sql("SELECT current_user").scalar() == APP_ROLE
        house.wanders(house.begins(), seed=5)

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
    def test_s33_the_role_changes_no_table(self, house, statement):
        house.begins()
        before = snapshot(house.room)
        assert attempt(house.room.database.engine, statement)
        assert snapshot(house.room) == before

    def test_s33_the_role_may_read_and_insert_events_and_nothing_else(self, room):
        grants = "information_schema.role_table_grants WHERE table_name = 'events' AND grantee = :role"
        with room.database.read() as connection:
            query = sa.text(f"SELECT privilege_type FROM {grants}")
            found = {row[0] for row in connection.execute(query, {"role": APP_ROLE})}
        assert found == {"SELECT", "INSERT"}
