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
from sqlmodel import SQLModel

from config.release import release
from domain.history.codec import history
from service import cli
from service.integrity import audit
from service.kernel.clock import moment
from service.store import releases
from service.store.database import Database
from service.store.outgoing.deliveries import deliveries
from service.store.structure import migrate, schema, schema_steps
from tests.acceptance.processes import ROOT, environment
from tests.service.store.first_release import restore_first
from tests.service.store.service_tables import snapshot
from tests.workers.worker_tables import ManualClock, WorkerTables
from workers.sweep import write_log

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


def test_every_migration_since_the_first_release_says_what_going_back_loses():
    for script in migrate.scripts().walk_revisions():
        if schema.is_before("0008", script.revision):
            assert isinstance(getattr(script.module, "LOSES", None), tuple), script.revision


def test_every_event_that_an_earlier_release_cannot_read_is_listed():
    """Written once from the code of 0.1.0; what is not in it must be in the list of a later release."""
    known = set((ROOT / "tests" / "archive" / "first" / "events-0.1.0.txt").read_text().split())
    listed = {kind for each in releases.RELEASES for kind, _ in each.events}
    for kind in ("tammany-hall", "city-hall"):
        for name, number in history(kind).schemas.items():
            stored = name if number == 1 else f"{name}/{number}"
            assert stored in known or name in listed, f"{stored}: name it in service/store/releases.py"


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
def test_a_database_that_is_older_is_left_for_wardroom_migrate(empty, wardroom):
    migrate.upgrade(empty, "0008")
    done = wardroom(empty, "clock")
    assert (done.exit_code, "as Wardroom 0.1.0 has it" in done.output) == (os.EX_CONFIG, True)
    assert migrate.current(empty.engine) == "0008"
    empty.engine.dispose()
    assert wardroom(empty, "migrate").exit_code == 0
    assert wardroom(empty, "clock").exit_code == 0


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
    waited = threading.Event()
    threads = [threading.Thread(target=migrate.upgrade, args=(empty, "head", waited.set)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert migrate.current(empty.engine) == schema.NEWEST
    assert waited.is_set()


@pytest.mark.slow
def test_a_migration_refuses_while_a_process_works_on_the_database(database, wardroom, monkeypatch):
    monkeypatch.setattr(schema_steps, "PATIENCE", 0)
    migrate.downgrade(database, "0022")
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
    assert other.is_sqlite or f"wardroom {releases.CURRENT.version} " in done.output
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
def test_indexes_on_tables_that_were_there_are_built_beside_their_writers(postgres_url):
    """Every migration after 0020: those before met tables that no host had filled yet."""
    database = Database(postgres_url)
    seen: list[tuple[str, str]] = []
    for revision in schema.KNOWN:
        seen += [(revision, statement) for statement in statements(database, revision)]
    made = {name.strip('"'): revision for revision, one in seen for name in re.findall(r"CREATE TABLE (\S+)", one)}
    late = []
    for revision, statement in seen:
        found = re.search(r"CREATE (?:UNIQUE )?INDEX (.*) ON (\S+)", statement)
        if found and schema.is_before("0020", revision) and schema.is_before(made[found[2].strip('"')], revision):
            late.append(revision)
            assert "CONCURRENTLY" in statement, f"{revision} locks {found[2]}: use index_of_old_table"
    assert "0022" in late
    assert migrate.differences(database.engine) == []
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


def test_the_steps_are_told_and_nothing_is_done(database, wardroom):
    done = wardroom(database, "migrate", "--back", "--dry-run")
    assert done.exit_code == 0, done.output
    assert "Stop every process of Wardroom first" in done.output
    told = re.findall(r"back over (\d{4})", done.output)
    assert told == [one for one in reversed(schema.KNOWN) if schema.is_before("0008", one)]
    assert migrate.current(database.engine) == schema.NEWEST
    assert "nothing to do" in wardroom(database, "migrate", "--dry-run").output


def fill_empty_tables(database):
    """A row in every table that has none, so that each migration meets some."""
    made = {sa.String: "x", sa.Text: "x", sa.LargeBinary: b"x", sa.Boolean: False}

    def fill(connection):
        for table in SQLModel.metadata.sorted_tables:
            if connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0:
                connection.execute(table.insert().values({
                    column.name: next((value for kind, value in made.items() if isinstance(column.type, kind)), 1)
                    for column in table.columns
                }))  # fmt: skip

    migrate.as_owner(database, fill)


@pytest.fixture
def lived_in(database_url, open_services):
    """A database of the first Wardroom that was upgraded and played on; what its audits say, and all its rows."""
    left = restore_first(database_url)
    database = Database(database_url, durable=False)
    migrate.upgrade(database)
    clock = ManualClock(moment(left.at))
    clock.advance(minutes=6)
    tables = WorkerTables(open_services(database_url, clock=clock, SECRET_KEY=left.secret_key), clock)
    tables.ids = dict(left.players)
    tables.play_out(left.games["begun"], 1, late=0, most=6)
    tables.deliver()
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    tables.deliver()
    tables.expire(game, tables.awaited(game)[0])
    tables.deliver()
    write_log(tables.services)
    fill_empty_tables(database)
    database.close()
    return tables


def faults(tables):
    """What audits find, be it in rows that are only there to be there."""
    with tables.services.database.read() as connection:
        found = [*audit.audit_house(connection, tables.services)]
        games = audit.game_ids(connection)
    for game in games:
        found += audit.audit_game(tables.services, game, mend=False, release=False, thorough=True).findings
    return {finding.line() for finding in found if finding.left}


def as_kept(rows):
    """Deliveries without their own numbers, and without how often one was interrupted: nothing rests on either."""
    names = [column.name for column in deliveries.columns]
    return sorted(({name: value for name, value in zip(names, row, strict=True) if name not in ("id", "interrupted")}
                   for row in rows), key=str)  # fmt: skip


FORGOTTEN = {
    "analyses", "avoided", "clock_jumps", "deadline_leases", "deadline_moves", "destinations", "device_grants",
    "devices", "measurements", "notes", "passkeys", "processes", "profiles", "proofs", "sign_ins", "spent_challenges",
    "suspensions", "thoughts", "unlogged",
}  # fmt: skip
"""Tables that come back empty: going back says so of each that holds anything that cannot be made again."""


@pytest.mark.slow
def test_going_back_says_what_it_loses_and_forward_again_everything_else_holds(lived_in, wardroom):
    strange = faults(lived_in)
    before = snapshot(lived_in.services)
    lived_in.services.database.engine.dispose()
    refused = wardroom(lived_in.services.database, "migrate", "--back")
    assert (refused.exit_code, "Nothing was changed." in refused.output) == (os.EX_DATAERR, True), refused.output
    lost = re.findall(r"^lost: [0-9]+ (\w+)", refused.output, re.MULTILINE)
    said = "programs suspended hidden counters devices choices people notes analyses passkeys deadlines jumps requests"
    assert lost == ["webhooks", *said.split(), "games"]
    done = wardroom(lived_in.services.database, "migrate", "--to", "0.1.0", "--accept-loss")
    assert done.exit_code == 0, done.output
    assert "Install Wardroom 0.1.0 now" in done.output
    assert wardroom(lived_in.services.database, "clock").exit_code == os.EX_CONFIG
    again = wardroom(lived_in.services.database, "migrate")
    assert again.exit_code == 0, again.output
    after = snapshot(lived_in.services)
    assert {name for name, rows in before.items() if rows and not after[name]} == FORGOTTEN
    changed = {name for name in before if before[name] != after[name]} - FORGOTTEN
    assert changed == {"schema_releases", "deliveries", "messages", "webhooks"}
    assert as_kept(before["deliveries"]) == as_kept(after["deliveries"])
    assert faults(lived_in) <= strange


@pytest.mark.parametrize("words", [["--to", "6.6.6"], ["--back", "--to", "0.1.0"], ["0001"], ["7777"]], ids=" ".join)
def test_what_cannot_be_meant_is_refused(database, wardroom, words):
    done = wardroom(database, "migrate", *words)
    assert done.exit_code in (2, os.EX_USAGE), done.output
    assert migrate.current(database.engine) == schema.NEWEST


def test_a_database_of_the_first_release_has_no_release_to_go_back_to(empty, wardroom):
    migrate.upgrade(empty, "0008")
    assert "that was the first release" in wardroom(empty, "migrate", "--back").output
