"""Schemas of other releases: what starts on which, one migration at a time, and the way back with all that it loses."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from sqlalchemy import event as engine_event
from sqlalchemy import make_url

from config.release import release
from service import cli
from service.store import releases
from service.store.database import Database
from service.store.structure import migrate, schema, schema_steps
from tests.acceptance.processes import ROOT, environment
from tests.service.store.later_release import BASELINE, TOYS, VERSION, become_later
from tests.service.store.service_tables import snapshot
from tests.tables import Tables

__all__ = ["become_later"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
LATER = "9999"


@pytest.fixture
def database(url):
    """A database at the schema of today."""
    made = Database(url, durable=False)
    yield made
    made.close()


@pytest.fixture
def empty(database_url):
    made = Database(database_url, durable=False)
    yield made
    made.close()


@pytest.fixture
def wardroom(monkeypatch, tmp_path):
    """The command line on a database."""

    def run(database: Database, *words: str) -> Any:
        address = database.url.replace("+psycopg", "")
        values = {"DATABASE_URL": address, "SECRET_KEY": "k" * 40, "DATA_DIR": str(tmp_path / "data")}
        for name, value in values.items():
            monkeypatch.setenv(f"WARDROOM_{name}", value)
        return CliRunner().invoke(cli.main, list(words), prog_name="wardroom")

    monkeypatch.setattr(schema_steps, "PATIENCE", 60)  # a session of the command before ends some time after it
    return run


def by_later_release(database, noted=True):
    """As if a later release had migrated it."""

    def change(connection):
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :at"), {"at": LATER})
        if noted:
            connection.execute(schema.kept.insert().values(revision=LATER, release="7.0.0", at=1))

    migrate.as_owner(database, change)


# -- releases, migrations and the change log


def test_files_of_migrations_are_named_by_their_revisions_in_one_chain():
    scripts = list(migrate.scripts().walk_revisions())
    assert [script.revision for script in reversed(scripts)] == list(schema.KNOWN)
    assert all(Path(script.path).name.startswith(f"{script.revision}_") for script in scripts)
    assert migrate.latest() == schema.NEWEST


def test_the_release_that_runs_is_the_last_of_the_list():
    assert release().version == releases.CURRENT.version
    assert releases.CURRENT.revision is None
    assert all(each.revision in schema.KNOWN for each in releases.RELEASES[:-1])


def test_the_change_log_names_every_migration_under_the_release_that_brings_it():
    sections = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]
    named = {re.split(r"[ ,\n]", section)[0]: set(re.findall(r"`(\d{4})`", section)) for section in sections}
    brought: dict[str, set[str]] = {each.version: set() for each in releases.RELEASES}
    for revision in schema.KNOWN:
        brought[schema.release_of(revision).version].add(revision)
    assert named == brought
    assert [re.split(r"[ ,\n]", section)[0] for section in sections] == [each.version for each in releases.RELEASES][
        ::-1
    ]


def test_every_migration_after_the_baseline_says_what_going_back_loses(become_later):
    become_later()
    scripts = {script.revision: script.module for script in migrate.scripts().walk_revisions()}
    assert list(scripts) == [TOYS, *reversed(schema.KNOWN[:-1])]
    for revision in schema.KNOWN[1:]:
        assert isinstance(getattr(scripts[revision], "LOSES", None), tuple), revision


# -- what starts


def test_a_release_that_is_older_than_its_database_says_which_one_is_needed(database, wardroom):
    by_later_release(database)
    for words in (["migrate"], ["migrate", "--dry-run"], ["clock"], ["mail", "list"]):
        done = wardroom(database, *words)
        assert done.exit_code == os.EX_CONFIG, done.output
        assert "install Wardroom 7.0.0, or a later one" in done.output
        assert f"`wardroom migrate --to {releases.CURRENT.version}`" in done.output
    told = wardroom(database, "doctor")
    assert "broken  schema: The database is at 9999" in told.output


def test_where_nobody_noted_the_release_the_refusal_says_so(database):
    by_later_release(database, noted=False)
    with pytest.raises(schema.WrongSchema, match="install the release that migrated it, or a later one"):
        schema.require(database)


@pytest.mark.slow
def test_a_database_that_is_older_is_left_for_wardroom_migrate(database, wardroom, become_later):
    become_later()
    done = wardroom(database, "clock")
    older = f"as Wardroom {releases.RELEASES[0].version} has it, and Wardroom {VERSION} works with {TOYS}"
    assert (done.exit_code, older in done.output) == (os.EX_CONFIG, True)
    assert migrate.current(database.engine) == BASELINE
    database.engine.dispose()
    assert wardroom(database, "migrate").exit_code == 0
    assert migrate.current(database.engine) == TOYS
    database.engine.dispose()
    assert wardroom(database, "clock").exit_code == 0


@pytest.mark.slow
def test_the_database_notes_which_release_brought_each_migration(database, become_later):
    first = releases.CURRENT.version
    become_later()
    migrate.upgrade(database)
    noted = sa.select(schema.kept.c.revision, schema.kept.c.release).order_by(schema.kept.c.revision)
    with database.read() as connection:
        assert connection.execute(noted).all() == [(BASELINE, first), (TOYS, VERSION)]
    migrate.downgrade(database, BASELINE)
    with database.read() as connection:
        assert connection.execute(noted).all() == [(BASELINE, first)]


@pytest.mark.slow
def test_games_are_played_on_after_an_upgrade_from_the_baseline(database, open_services, become_later):
    tables = Tables(open_services(database.url.replace("+psycopg", "")))
    game = tables.begin()
    before = tables.export(game), snapshot(tables.services)
    tables.services.database.engine.dispose()
    become_later()
    migrate.upgrade(database)
    after = tables.export(game), snapshot(tables.services)
    assert after[0] == before[0]
    assert {name for name in before[1] if before[1][name] != after[1][name]} == {"schema_releases"}
    tables.play_out(game, 1)
    assert tables.head(game).table.status == "finished"


def test_processes_wait_for_a_database_that_is_away():
    away = Database("postgresql://nobody@127.0.0.1:1/none")
    schema.require(away)


PROCESSES = {
    "mail": ["-P", "-m", "workers.mail_in.listener"],
    "web": ["-m", "gunicorn", "-c", "python:config.gunicorn", "service.wsgi:app"],
    "worker": ["-m", "celery", "--quiet", "-A", "workers.app", "worker", "--queues", "mail"],
    "beat": ["-m", "celery", "--quiet", "-A", "workers.app", "beat"],
    "serve": ["-P", "-m", "service.cli", "serve"],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "process", [pytest.param(name, marks=[] if name == "mail" else [pytest.mark.long]) for name in PROCESSES]
)
def test_no_process_starts_on_the_database_of_a_later_release(process, sqlite_url, tmp_path):
    database = Database(sqlite_url, durable=False)
    migrate.upgrade(database)
    by_later_release(database)
    database.close()
    redis = {} if process == "serve" else {"REDIS_URL": "redis://127.0.0.1:1/0"}
    values = environment(
        DATABASE_URL=sqlite_url,
        DATA_DIR=str(tmp_path),
        SECRET_KEY="k" * 40,
        PORT="1",
        MAIL_IN="smtp://127.0.0.1:1",
        **redis,
    )
    command = [sys.executable, *PROCESSES[process]]
    done = subprocess.run(command, env=values, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == os.EX_CONFIG, done.stderr
    assert "install Wardroom 7.0.0" in done.stderr
    assert "Traceback" not in done.stderr


# -- one migration at a time, and nobody beside


@pytest.mark.slow
def test_two_migrations_at_once_are_one_after_the_other(empty):
    waits, engine = threading.Event(), empty.owner_engine()
    second = threading.Thread(target=migrate.upgrade, args=(empty, "head", waits.set))
    with migrate.alone(empty, engine, lambda: None):
        second.start()
        assert waits.wait(60)
        assert migrate.current(empty.engine) is None
    second.join(60)
    engine.dispose()
    assert migrate.current(empty.engine) == schema.NEWEST


@pytest.mark.slow
def test_a_migration_refuses_while_a_process_works_on_the_database(database, wardroom, become_later, monkeypatch):
    monkeypatch.setattr(schema_steps, "PATIENCE", 0)
    become_later()
    other = Database(database.url.replace("+psycopg", ""), durable=False)
    if other.is_sqlite:
        schema.hold(other)
    else:
        with other.read() as connection:
            connection.exec_driver_sql("SELECT 1")
    database.engine.dispose()
    done = wardroom(database, "migrate")
    assert done.exit_code == os.EX_TEMPFAIL, done.output
    assert "Stop every process of Wardroom first" in done.output
    assert other.is_sqlite or f"wardroom {release().version} " in done.output
    other.close()
    done = wardroom(database, "migrate")
    assert (done.exit_code, migrate.current(database.engine)) == (0, schema.NEWEST), done.output


@pytest.mark.slow
def test_whoever_owns_the_tables_sees_processes_of_another_role(postgres_url):
    """The owner lacks the rights of the role the service logs in as, so PostgreSQL hides much of these sessions."""
    address = make_url(postgres_url).set(drivername="postgresql")
    here = address.database
    with psycopg.connect(address.render_as_string(hide_password=False), autocommit=True) as connection:
        for role in ("owner", "login"):
            connection.execute(f"CREATE ROLE {role}_{here} LOGIN")
    owner, login = (address.set(username=f"{role}_{here}") for role in ("owner", "login"))
    served = Database(login.render_as_string(hide_password=False))
    database = Database(postgres_url, owner_url=owner.set(drivername="postgresql+psycopg").render_as_string(False))
    try:
        assert migrate.as_owner(database, lambda connection: list(schema.sessions(connection))) == []
        with served.read() as connection:
            connection.exec_driver_sql("SELECT 1")
        (name,) = migrate.as_owner(database, lambda connection: list(schema.sessions(connection)))
        assert name.startswith(f"wardroom {releases.CURRENT.version} ")
    finally:
        served.close()
        database.close()
        with psycopg.connect(address.render_as_string(hide_password=False), autocommit=True) as connection:
            for role in ("owner", "login"):
                connection.execute(f"DROP ROLE {role}_{here}")


@pytest.mark.slow
def test_a_process_does_not_start_while_its_file_is_migrated(sqlite_url):
    database = Database(sqlite_url, durable=False)
    migrate.upgrade(database)
    held = schema.hold_alone(database)
    assert held is not None
    with pytest.raises(schema.InUse, match="is being migrated"):
        schema.require(database)
    held.close()
    schema.require(database)
    database.close()


@pytest.mark.slow
def test_indexes_on_tables_that_were_there_are_built_beside_their_writers(postgres_url, become_later):
    become_later()
    database = Database(postgres_url)
    seen: list[tuple[str, str]] = []
    for revision in schema.KNOWN:
        seen += [(revision, statement) for statement in statements(database, revision)]
    made = {name.strip('"'): revision for revision, one in seen for name in re.findall(r"CREATE TABLE (\S+)", one)}
    late = []
    for revision, statement in seen:
        found = re.search(r"CREATE (?:UNIQUE )?INDEX (.*) ON (\S+)", statement)
        if found and schema.is_before(made[found[2].strip('"')], revision):
            late.append(revision)
            assert "CONCURRENTLY" in statement, f"{revision} locks {found[2]}: use index_of_old_table"
    assert TOYS in late
    database.close()


def statements(database, revision):
    """What a migration runs."""
    made, seen = database.owner_engine, []

    def listening():
        engine = made()
        engine_event.listen(engine, "before_cursor_execute", lambda *words: seen.append(words[2]))
        return engine

    database.owner_engine = listening
    try:
        migrate.upgrade(database, revision)
    finally:
        database.owner_engine = made
    return seen


# -- back


@pytest.fixture
def later_database(database, become_later):
    """A database that a later release has migrated, which is the one that runs."""
    become_later()
    migrate.upgrade(database)
    database.engine.dispose()
    return database


def test_the_steps_are_told_and_nothing_is_done(later_database, wardroom):
    done = wardroom(later_database, "migrate", "--back", "--dry-run")
    assert done.exit_code == 0, done.output
    assert "Stop every process of Wardroom first" in done.output
    assert re.findall(r"back over (\d{4}): (\w+)", done.output) == [(TOYS, "Toys")]
    assert migrate.current(later_database.engine) == TOYS
    assert "nothing to do" in wardroom(later_database, "migrate", "--dry-run").output


def test_a_migration_that_does_not_say_what_is_lost_is_not_gone_back(later_database, wardroom):
    path = migrate.FOLDER / "versions" / f"{TOYS}_toys.py"
    path.write_text(path.read_text(encoding="utf-8").replace("LOSES =", "NOTHING ="), encoding="utf-8")
    done = wardroom(later_database, "migrate", "--back", "--accept-loss")
    assert done.exit_code == os.EX_SOFTWARE, done.output
    assert f"Migration {TOYS} does not say what going back loses" in done.output
    assert migrate.current(later_database.engine) == TOYS


@pytest.mark.slow
def test_going_back_says_what_it_loses_and_forward_again_everything_else_holds(later_database, open_services, wardroom):
    earlier = releases.RELEASES[0].version
    tables = Tables(open_services(later_database.url.replace("+psycopg", "")))
    game = tables.begin()
    tables.play_out(game, 1, late=0, most=9)
    migrate.as_owner(later_database, lambda tx: tx.execute(sa.text("INSERT INTO toys (id) VALUES ('bear')")))
    before = snapshot(tables.services)
    tables.services.database.engine.dispose()
    refused = wardroom(later_database, "migrate", "--back")
    assert (refused.exit_code, "Nothing was changed." in refused.output) == (os.EX_DATAERR, True), refused.output
    lost = re.findall(r"^lost: (.*)", refused.output, re.MULTILINE)
    assert lost[0] == "1 toys"
    assert lost[1].startswith(f"1 games that Wardroom {earlier} cannot read ({game})")
    assert len(lost) == 2
    done = wardroom(later_database, "migrate", "--to", earlier, "--accept-loss")
    assert done.exit_code == 0, done.output
    assert f"Install Wardroom {earlier} now" in done.output
    assert wardroom(later_database, "clock").exit_code == os.EX_CONFIG
    again = wardroom(later_database, "migrate")
    assert again.exit_code == 0, again.output
    after = snapshot(tables.services)
    assert {name for name in before if before[name] != after[name]} == {"schema_releases"}
    with later_database.read() as connection:
        assert connection.execute(sa.text("SELECT count(*) FROM toys")).scalar() == 0


@pytest.mark.parametrize("words", [["--to", "6.6.6"], ["--back", "--to", VERSION], [BASELINE], ["7777"]], ids=" ".join)
def test_what_cannot_be_meant_is_refused(later_database, wardroom, words):
    done = wardroom(later_database, "migrate", *words)
    assert done.exit_code in (2, os.EX_USAGE), done.output
    assert words != [BASELINE] or "and 0001 is older: a revision is a way forward only." in done.output
    assert migrate.current(later_database.engine) == TOYS


@pytest.mark.slow
def test_a_database_of_the_first_release_has_no_release_to_go_back_to(database, wardroom):
    assert "that was the first release" in wardroom(database, "migrate", "--back").output
