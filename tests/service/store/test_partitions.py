"""The operator's script that splits the tables that are read by game: the service goes on as before (decision 0105)."""

from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from bench.ground import run_bare
from service.integrity.audit import audit_game
from service.store.across import figures
from service.store.database import APP_ROLE
from service.store.structure import guards, migrate, roles
from tests.service.store.later_release import TOYS, become_later
from tests.tables import Tables

__all__ = ["become_later"]

SCRIPT = (Path(__file__).parents[3] / "deploy/postgresql/partition.sql").read_text()
SPLIT = ("events", "leaves", "checkpoints")


@pytest.mark.slow
def test_games_go_on_in_partitions_as_they_were(migrated_postgres, open_services):
    tables = Tables(open_services(migrated_postgres))
    database = tables.services.database
    game = tables.begin()
    before, granted = tables.export(game), privileges(database)
    database.engine.dispose()
    for parts in (4, 8):  # the second time nothing is left to do
        run_bare(migrated_postgres, f"SET wardroom.parts = '{parts}'; {SCRIPT}")
    with database.read() as connection:
        kinds = sa.text("SELECT relname, relkind::text FROM pg_class WHERE relname = ANY (:names)")
        assert dict(connection.execute(kinds, {"names": list(SPLIT)}).all()) == dict.fromkeys(SPLIT, "p")
        count = sa.text("SELECT count(*) FROM pg_tables WHERE schemaname = 'wardroom_parts'")
        assert connection.execute(count).scalar() == 4 * len(SPLIT)
        assert [*map(list, guards.faulty(connection))] == [[], []]
    assert privileges(database) == granted
    assert tables.export(game) == before
    assert migrate.differences(database.engine) == []
    tables.play_out(game, 1)
    assert audit_game(tables.services, game, mend=False).findings == []
    for change in ("UPDATE events SET type = 'x'", *(f"TRUNCATE wardroom_parts.{table}_003" for table in SPLIT)):
        with pytest.raises(psycopg.Error, match="append-only"):
            run_bare(migrated_postgres, change)


@pytest.mark.slow
def test_a_migration_makes_its_indexes_on_partitions_too(migrated_postgres, open_services, become_later):
    database = open_services(migrated_postgres).database
    run_bare(migrated_postgres, SCRIPT)
    become_later()
    migrate.upgrade(database)
    assert migrate.current(database.engine) == TOYS
    assert "ix_events_toys" in {index["name"] for index in sa.inspect(database.engine).get_indexes("events")}


@pytest.mark.slow
def test_what_a_host_is_told_of_tables_and_rights_counts_partitions(migrated_postgres, open_services):
    tables = Tables(open_services(migrated_postgres))
    database = tables.services.database
    tables.begin()
    with database.read() as connection:
        owned = connection.execute(roles._OWNED).scalar()
    database.engine.dispose()
    run_bare(migrated_postgres, f"SET wardroom.parts = '2'; {SCRIPT}")
    with database.read() as connection:
        sizes = {name: size for name, _, size in figures.table_sizes(connection)}
        assert sizes["events"] >= 3 * 8192  # a page of rows, and of each of two indexes
        assert connection.execute(roles._OWNED).scalar() == owned
        assert list(roles.lacking(connection)) == []
    run_bare(migrated_postgres, f"REVOKE INSERT ON events FROM {APP_ROLE}")
    with database.read() as connection:
        assert list(roles.lacking(connection)) == [("INSERT", 'TABLE "events"')]


def privileges(database):
    """What roles may do to the tables that are split, and to columns of them."""
    asked = sa.text(
        "SELECT table_name, grantee, privilege_type, NULL FROM information_schema.role_table_grants"
        " WHERE table_name = ANY (:names) UNION SELECT table_name, grantee, privilege_type, column_name"
        " FROM information_schema.role_column_grants WHERE table_name = ANY (:names)"
    )
    with database.read() as connection:
        return set(connection.execute(asked, {"names": list(SPLIT)}).all())
