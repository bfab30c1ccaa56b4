"""Backups of a service that is played on, restored into an empty database of either kind: all of it, or nothing."""

import os
import sqlite3
import threading

import pytest
import sqlalchemy as sa

from service.backup import restore as restoring
from service.backup.read import look_through
from service.backup.restore import GAP, NotRestored, recover, restore
from service.backup.write import write
from service.clocks import outages
from service.integrity import audit
from service.kernel.clock import SECOND
from service.operator.journal import Operator
from service.privacy import erase, erasure_journal
from service.store.database import APP_ROLE
from service.store.running import heartbeats, operator_acts
from service.store.structure import migrate, sqlite_copy, table_rows
from service.store.structure.table_rows import CannotCopy
from tests.service.store.later_release import BASELINE, TOYS, become_later
from tests.service.store.service_tables import check, leaf_free, snapshot, sqlite_room
from tests.service.store.test_roles import cluster, made
from tests.tables import Tables

__all__ = ["become_later", "cluster", "made", "sqlite_room"]

SOMEBODY = Operator("anna", "The disk broke.")
RESET = {"heartbeats", "sign_ins"}
"""Tables in which a restore puts something right."""


@pytest.fixture
def tables(sqlite_room):
    return Tables(sqlite_room)


@pytest.fixture
def empty(tmp_path, open_services):
    """Another service with the same key, and no database yet."""
    return open_services(f"sqlite:///{tmp_path}/other.sqlite", DATA_DIR=str(tmp_path / "other"))


def back_up(services, path, **how):
    """A backup in a file, looked through."""
    with path.open("wb") as file:
        write(services, file, **{"with_key": False, "folder": path.parent, **how})
    return look_through(path)


def some_games(tables):
    """A game that runs, one that is over, and one that waits for players."""
    running, over = tables.begin(), tables.begin(options={"rounds": "1"})
    tables.play_out(running, 3, late=0, most=6)
    tables.play_out(over, 1, late=0)
    return running, over, tables.open()


def contents(backup):
    """What is in it, but for what a restore puts right."""
    return {name: told for name, told in backup.end.digests.tables.items() if name not in RESET}


def rows_of(services):
    return {name: rows for name, rows in snapshot(services).items() if name not in RESET}


# There and back


@pytest.mark.postgres
def test_s52_s53_a_house_moves_from_sqlite_to_postgresql_and_back_and_nothing_is_lost(
    tables, empty, tmp_path, postgres_url, open_services
):
    running, over, waiting = some_games(tables)
    first = back_up(tables.services, tmp_path / "a.tar.gz")
    grown = open_services(postgres_url, DATA_DIR=str(tmp_path / "grown"))
    done = restore(grown, first)
    assert ({game.id for game in done.games}, done.findings) == ({running, over, waiting}, [])
    second = back_up(grown, tmp_path / "b.tar.gz")
    assert restore(empty, second).findings == []
    third = back_up(empty, tmp_path / "c.tar.gz")
    assert contents(first) == contents(second) == contents(third)
    assert rows_of(tables.services) == rows_of(grown) == rows_of(empty)
    assert (first.manifest.database, second.manifest.database) == ("SQLite", "PostgreSQL")
    for services in (grown, empty):
        again = Tables(services)
        again.ids = tables.ids
        for game in (running, over, waiting):
            assert audit.audit_game(services, game, thorough=True).findings == []
            check(services, game)
        again.play_out(running, 5)
        assert again.head(running).table.status == "finished"
        assert again.begin()


@pytest.mark.slow
def test_numbers_that_rows_had_after_the_backup_are_given_to_no_other(tables, empty, tmp_path):
    """The address for bounces of a mail in the world has its number."""
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    tables.begin()
    with tables.services.database.read() as connection:
        later = table_rows.last_numbers(connection)
    restore(empty, backup)
    Tables(empty).begin()
    with empty.database.read() as connection:
        now = table_rows.last_numbers(connection)
    assert later["notices"] > 0
    assert now["notices"] > 100_000 + later["notices"] > backup.manifest.last_numbers["notices"]
    assert now.keys() == later.keys()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_an_older_backup_is_brought_to_the_present_schema(kind, tables, request, tmp_path, open_services, become_later):
    """Also into a database that was migrated to the present schema, and of one that nobody has migrated yet."""
    game = tables.begin()
    url = f"sqlite:///{tmp_path}/other.sqlite" if kind == "sqlite" else request.getfixturevalue("migrated_postgres")
    target = open_services(url, DATA_DIR=str(tmp_path / "other"))
    become_later()
    migrate.upgrade(target.database)
    target.database.engine.dispose()
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    assert backup.manifest.schema == BASELINE
    restore(target, backup)
    assert migrate.current(target.database.engine) == migrate.latest() == TOYS
    assert "ix_games_toys" in {index["name"] for index in sa.inspect(target.database.engine).get_indexes("games")}
    assert audit.audit_game(target, game, thorough=True).findings == []


@pytest.mark.slow
def test_a_later_backup_is_refused(tables, empty, tmp_path, monkeypatch):
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    monkeypatch.setattr(migrate, "is_known", lambda revision: False)
    with pytest.raises(
        NotRestored, match=r"which this release does not know: restore it with that release, or a later one\.$"
    ):
        restore(empty, backup)
    with pytest.raises(CannotCopy, match="back it up with the release that runs it"):
        back_up(tables.services, tmp_path / "b.tar.gz")


@pytest.mark.slow
def test_two_restores_at_once_are_one(tables, empty, tmp_path, monkeypatch):
    """The second finds a used database when its own is complete."""
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    tables.player("ann")
    later = back_up(tables.services, tmp_path / "b.tar.gz")
    verified = restoring._verified

    def meanwhile(*given):
        monkeypatch.setattr(restoring, "_verified", verified)
        restore(empty, later)
        return verified(*given)

    monkeypatch.setattr(restoring, "_verified", meanwhile)
    with pytest.raises(NotRestored, match="rows in players"):
        restore(empty, backup)
    assert len(rows_of(empty)["players"]) == 1


# While it is played on


@pytest.mark.slow
def test_s52_what_is_written_meanwhile_is_in_it_whole_or_not_at_all(tables, empty, tmp_path):
    """Somebody plays all the time, in another thread."""
    games = [tables.begin() for _ in range(3)]
    begun, done = threading.Event(), threading.Event()
    faults = []

    def plays():
        try:
            for step in range(400):
                for game in games:
                    tables.play_out(game, step, late=0, most=1)
                begun.set()
                if done.is_set():
                    break
                if tables.head(games[0]).table.status != "running":
                    games[:] = [tables.begin() for _ in range(3)]
        except Exception as error:
            faults.append(error)
        finally:
            begun.set()

    player = threading.Thread(target=plays)
    player.start()
    try:
        assert begun.wait(60)
        backup = back_up(tables.services, tmp_path / "a.tar.gz")
    finally:
        done.set()
        player.join(60)
    assert faults == []
    restored = restore(empty, backup)
    assert (restored.findings, len(restored.games) >= 3) == ([], True)
    for told in restored.games:
        check(empty, told.id)
        copied = leaf_free(Tables(empty).export(told.id))[: told.version]
        assert leaf_free(tables.export(told.id))[: told.version] == copied


def test_who_writes_without_end_waits_after_the_copy_began_anew_three_times(tables, tmp_path, monkeypatch):
    game = tables.begin()
    monkeypatch.setattr(sqlite_copy, "PAGES", 5)
    database, moves = tables.services.database, []

    def moved(done, pages):
        if not database._ticket.lock.locked():
            moves.append(tables.play_out(game, len(moves), late=0, most=1))

    sqlite_copy.copy(database, tmp_path / "copy", told=moved)
    assert len(moves) >= 3
    with sqlite3.connect(tmp_path / "copy") as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    copy.close()
    assert not database._ticket.lock.locked()
    tables.play_out(game, 9, late=0, most=1)


# What is refused


def test_a_database_that_was_used_is_left_as_it_is(tables, open_services, tmp_path):
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    tables.player("ann")
    before = snapshot(tables.services)
    with pytest.raises(NotRestored, match="rows in players") as refused:
        restore(tables.services, backup)
    assert refused.value.code == os.EX_CANTCREAT
    assert snapshot(tables.services) == before


@pytest.mark.slow
def test_a_service_that_runs_is_not_pulled_from_under(tables, empty, tmp_path):
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    migrate.upgrade(empty.database)
    with empty.database.write() as tx:
        heartbeats.beat(empty.database, tx, outages.SWEEP)
    with pytest.raises(NotRestored, match="stop all its processes"):
        restore(empty, backup)


def test_a_database_of_something_else_is_not_touched(tables, empty, tmp_path):
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    with empty.database.write() as tx:
        tx.exec_driver_sql("CREATE TABLE orders (id INTEGER)")
    with pytest.raises(NotRestored, match="tables of something else, such as orders"):
        restore(empty, backup)


@pytest.mark.slow
def test_s32_under_another_key_nothing_is_restored_and_the_right_one_is_named(tables, open_services, tmp_path):
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    other = open_services(f"sqlite:///{tmp_path}/other.sqlite", SECRET_KEY="x" * 32)
    right = tables.services.sealer.current.hex()
    with pytest.raises(NotRestored, match=f"sealed under the key {right}, and the service has "):
        restore(other, backup)
    assert not (tmp_path / "other.sqlite").exists()


@pytest.mark.slow
def test_a_backup_after_a_change_of_keys_needs_the_one_before_too(tables, open_services, tmp_path):
    tables.begin()
    url = tables.services.settings.database_url
    turned = open_services(url, SECRET_KEY="n" * 32, SECRET_KEYS_OLD="k" * 32)
    backup = back_up(turned, tmp_path / "a.tar.gz")
    assert len(backup.end.digests.seals) == 2
    fresh = f"sqlite:///{tmp_path}/other.sqlite"
    with pytest.raises(NotRestored, match="an earlier one into WARDROOM_SECRET_KEYS_OLD"):
        restore(open_services(fresh, SECRET_KEY="n" * 32), backup)
    done = restore(open_services(fresh, SECRET_KEY="n" * 32, SECRET_KEYS_OLD="k" * 32), backup)
    assert done.findings == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_where_anything_fails_the_database_is_as_empty_as_before(
    kind, tables, request, tmp_path, open_services, monkeypatch
):
    tables.begin()
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    url = f"sqlite:///{tmp_path}/other.sqlite" if kind == "sqlite" else request.getfixturevalue("migrated_postgres")
    target = open_services(url, DATA_DIR=str(tmp_path / "other"))
    if kind == "postgres":
        before = snapshot(target)
    monkeypatch.setattr(restoring, "_verified", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        restore(target, backup)
    if kind == "postgres":
        assert snapshot(target) == before
        assert migrate.current(target.database.engine) == migrate.latest()
    monkeypatch.undo()
    assert not [path for path in tmp_path.iterdir() if ".restored" in path.name]
    assert restore(target, backup).findings == []


@pytest.mark.slow
def test_a_game_that_was_damaged_before_is_stopped_and_the_others_go_on(tables, empty, tmp_path):
    damaged, sound = tables.begin(), tables.begin()
    with sqlite3.connect(tmp_path / "test.sqlite") as connection:
        connection.execute("DROP TRIGGER events_no_update")
        connection.execute(
            "UPDATE events SET body = replace(body, 'T', 'X') WHERE game_id = ? AND version = 2", [damaged]
        )
    connection.close()
    done = restore(empty, back_up(tables.services, tmp_path / "a.tar.gz"))
    assert {game.id: game.stopped is None for game in done.games} == {damaged: False, sound: True}
    with empty.database.read() as connection:
        assert list(audit.guards.findings(connection)) == []


# What is put right


@pytest.mark.slow
def test_s50_who_was_erased_since_the_backup_is_erased_again(tables, empty, tmp_path):
    game = tables.begin()
    early = back_up(tables.services, tmp_path / "a.tar.gz")
    erase.erase(tables.services, tables.ids["bob"])
    late = back_up(tables.services, tmp_path / "b.tar.gz")
    empty.settings.data_dir.mkdir()
    erasure_journal.merge(empty.settings.data_dir, late.files["files/erased"])
    done = restore(empty, early)
    assert done.erased == 1
    with empty.database.read() as connection:
        assert erase.is_nobody(connection, tables.ids["bob"])
        assert not erase.is_nobody(connection, tables.ids["ann"])
    assert Tables(empty).head(game).table.status == "running"


@pytest.mark.slow
@pytest.mark.postgres
def test_s50_a_restore_that_dies_after_its_commit_brings_nobody_back_who_was_erased(
    tables, tmp_path, migrated_postgres, open_services, monkeypatch
):
    """S-50: whoever reads the database at once finds no name; the sweep does the rest."""
    tables.begin()
    early = back_up(tables.services, tmp_path / "a.tar.gz")
    into = open_services(migrated_postgres, DATA_DIR=str(tmp_path / "other"))
    into.settings.data_dir.mkdir()
    erasure_journal.add(into.settings.data_dir, tables.ids["bob"], 0)
    monkeypatch.setattr(erase, "erase", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        restore(into, early)
    with into.database.write() as tx:
        assert erase.is_nobody(tx, tables.ids["bob"])
        assert not erase.is_nobody(tx, tables.ids["ann"])
        tx.execute(sa.text("UPDATE erasures SET look_at = 0"))
    assert erase.go_on(into) == 1
    assert "seat-vacated" in str(rows_of(into)["events"]), "the second look gives the seat up"


@pytest.mark.slow
def test_clocks_get_back_the_time_since_the_backup_although_nobody_had_looked_at_them_before(tables, empty, tmp_path):
    tables.begin()
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    restore(empty, backup)
    with empty.database.read() as connection:
        signs = heartbeats.last_beats(connection)
    assert 0 <= signs["restored"] - signs[outages.SWEEP] < 600 * SECOND


@pytest.mark.slow
def test_sessions_stay_unless_they_are_to_end(tables, empty, tmp_path, open_services):
    tables.player("ann")
    backup = back_up(tables.services, tmp_path / "a.tar.gz")
    assert restore(empty, backup).signed_out == 0
    other = open_services(f"sqlite:///{tmp_path}/third.sqlite")
    assert restore(other, backup, sign_out=True).signed_out == 1
    assert rows_of(other)["tokens"] == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_what_came_back_by_other_means_is_put_right_too(kind, request, open_services):
    url = request.getfixturevalue(f"migrated_{kind}")
    services = open_services(url)
    Tables(services).begin()
    with services.database.read() as connection:
        before = table_rows.last_numbers(connection)
    assert recover(services, operator=SOMEBODY, sign_out=True).erased == 0
    with services.database.read() as connection:
        after = table_rows.last_numbers(connection)
        assert {"restored", outages.SWEEP} <= heartbeats.last_beats(connection).keys()
    assert {name: number // GAP for name, number in after.items()} == dict.fromkeys(before, 1)
    assert rows_of(services)["tokens"] == []
    with services.database.write() as tx:
        heartbeats.beat(services.database, tx, outages.SWEEP)
    with pytest.raises(NotRestored, match="stop all its processes"):
        recover(services, operator=SOMEBODY)


@pytest.mark.slow
def test_one_game_that_does_not_hold_is_stopped_and_the_others_are_put_right(tables):
    broken, whole = tables.begin(), tables.begin()
    with tables.services.database.write() as tx:
        tx.execute(sa.text("UPDATE games SET version = version - 1 WHERE id = :game"), {"game": broken})
    done = recover(tables.services, operator=SOMEBODY)
    assert [game.id for game in done.games if game.stopped is not None] == [broken]
    with tables.services.database.read() as connection:
        assert [act.game_id for act in operator_acts.every(connection)] == [whole]


# In the role of the service


@pytest.mark.postgres
def test_s33_a_login_that_cannot_change_events_is_restored_into_by_the_owner_and_backs_up_by_itself(
    made, tables, open_services, tmp_path
):
    game = tables.begin()
    services = open_services(made.login, DATABASE_OWNER_URL=made.owner, DATA_DIR=str(tmp_path / "made"))
    assert restore(services, back_up(tables.services, tmp_path / "a.tar.gz")).findings == []
    Tables(services).play_out(game, 1, late=0, most=1)
    with services.database.long_snapshot() as connection:
        assert connection.exec_driver_sql("SELECT current_user").scalar_one() == APP_ROLE
        with pytest.raises(sa.exc.DBAPIError, match="read-only"):
            connection.exec_driver_sql("DELETE FROM heartbeats")
    alone = open_services(made.login)
    assert back_up(alone, tmp_path / "b.tar.gz").end.digests.tables["events"].rows > 0
    with pytest.raises(NotRestored, match="is used"):
        restore(alone, look_through(tmp_path / "a.tar.gz"))
