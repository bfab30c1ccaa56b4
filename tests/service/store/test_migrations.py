"""The schema: up from nothing, down to nothing, up again, equal to the models, with its triggers; half-way faults."""

import contextlib

import pytest
import sqlalchemy as sa
from sqlalchemy import event as engine_event
from sqlmodel import SQLModel

from service.notify import subscriptions
from service.store.database import Database
from service.store.outgoing.outbox import outbox
from service.store.outgoing.webhooks import messages
from service.store.structure import guards, migrate
from tests.service.store.service_tables import ServiceTables

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
    tables = ServiceTables(open_services(url))
    game = tables.begin()
    before = tables.export(game)
    migrate.upgrade(tables.services.database)
    assert tables.export(game) == before


class Stop(Exception):
    """The power is gone."""


TABLES = ["alembic_version", "players", "events", "heartbeats"]


@pytest.mark.slow
@pytest.mark.parametrize("at", [*(f"CREATE TABLE {name}" for name in TABLES), "TRIGGER", "INSERT"])
def test_f40_a_migration_that_stops_at_any_statement_can_be_begun_again(database, at, monkeypatch):
    made, stopped = database.owner_engine, []

    def failing():
        engine = made()

        @engine_event.listens_for(engine, "before_cursor_execute")
        def _(connection, cursor, statement, *_):
            if at in statement:
                stopped.append(statement)
                raise Stop

        return engine

    monkeypatch.setattr(database, "owner_engine", failing)
    with contextlib.suppress(Stop):
        migrate.upgrade(database)
    monkeypatch.undo()
    assert stopped, "it comes by there"
    migrate.upgrade(database)
    with owner(database) as engine:
        assert migrate.differences(engine) == []
    assert triggers(database) == TRIGGERS[database.engine.dialect.name]


# The outbox in two tables (0009)

OUTBOX = """
    INSERT INTO outbox (id, recipient, game_id, kind, decision, seat, version, state, not_before, lease, lease_until,
        attempts, created_at, done_at, message_id, reason, secret)
    VALUES (:id, :recipient, :game_id, :kind, :decision, :seat, :version, :state, :not_before, :lease, :lease_until,
        :attempts, :created_at, :done_at, :message_id, :reason, :secret)
"""
HOOKED = """
    INSERT INTO hook_deliveries (hook_id, player_id, game_id, kind, decision, seat, version, state, not_before,
        attempts, created_at, done_at, reason, body, log)
    VALUES (:hook_id, :player_id, :game_id, :kind, :decision, :seat, :version, :state, :not_before, :attempts,
        :created_at, :done_at, :reason, :body, :log)
"""


def mailed(number, **row):
    about = {
        "recipient": "p_ann",
        "game_id": "g",
        "kind": "your-turn",
        "decision": str(number),
        "seat": 0,
        "version": 7,
    }
    became = {"state": "sent", "not_before": 5, "lease": None, "lease_until": 0, "attempts": 1, "created_at": number}
    return {"id": number, **about, **became, "done_at": 9, "message_id": "<m>", "reason": None, "secret": None} | row


def hooked(decision, **row):
    about = {"hook_id": "w_1", "player_id": "p_ann", "game_id": "g", "kind": "your-turn", "decision": str(decision)}
    became = {"seat": 0, "version": 7, "state": "sent", "not_before": 5, "attempts": 2, "created_at": 3, "done_at": 9}
    return {**about, **became, "reason": None, "body": "{}", "log": "[1]"} | row


MAILED = [
    mailed(3),
    mailed(4, state="superseded", reason="told in the answer to mail 12", done_at=None),
    mailed(8, state="superseded", reason="told in the answer to mail of mine", message_id=None),
    mailed(9, recipient="guest@people.example", kind="invitation", decision="open", seat=None),
    mailed(11, game_id="", kind="code", seat=None, version=0, state="queued", done_at=None, secret=b"sealed"),
    mailed(12, kind="reminder", decision="3.1", version=9, created_at=44, state="queued", lease="x", lease_until=99),
    mailed(20, kind="talk"),  # the last one, which is forgotten
]
HOOKS = [
    hooked(3),
    hooked(3, hook_id="w_2", state="failed", reason="it answered 500"),
    hooked("3.1", kind="reminder", version=5, created_at=40, state="superseded", body=None),
    hooked("3.1", kind="reminder", version=9, created_at=44, state="queued", done_at=None, body=None),
    hooked("c_1", kind="ping", game_id="", seat=None, version=0),
    hooked("gone", kind="game-over", player_id="p_bob", hook_id="w_3"),
]


@pytest.fixture
def old(database):
    """A database with an outbox of before, the last row of which was deleted."""
    migrate.upgrade(database, "0008")
    with owner(database) as engine, engine.begin() as connection:
        connection.execute(sa.text(OUTBOX if engine.dialect.name == "sqlite" else unnumbered(connection)), MAILED)
        connection.execute(sa.text("DELETE FROM outbox WHERE id = 20"))
        connection.execute(sa.text(HOOKED), HOOKS)
    return database


def unnumbered(connection):
    """PostgreSQL counts numbers only where it gave them."""
    connection.execute(sa.text("SELECT setval('outbox_id_seq', 20)"))
    return OUTBOX


def rows_of(database, table):
    with owner(database) as engine, engine.connect() as connection:
        return [dict(row) for row in connection.execute(sa.text(f"SELECT * FROM {table} ORDER BY id")).mappings()]


def without(rows, *names):
    return [{name: value for name, value in row.items() if name not in names} for row in rows]


@pytest.mark.slow
def test_every_row_of_the_outbox_comes_through_its_two_tables_and_back(old):
    before = rows_of(old, "outbox"), rows_of(old, "hook_deliveries")
    assert without(before[0]) == MAILED[:-1]
    for _ in range(2):
        migrate.upgrade(old)
        migrate.downgrade(old, "0008")
        assert rows_of(old, "outbox") == before[0]
        assert without(rows_of(old, "hook_deliveries"), "id") == without(before[1], "id")


@pytest.mark.slow
def test_notices_keep_their_numbers_and_messages_what_their_ids_are_made_of(old):
    before = [message_id(row) for row in HOOKS]
    migrate.upgrade(old)
    database = Database(old.url.replace("+psycopg", ""), durable=False)
    with database.read() as connection:
        mails = connection.execute(sa.select(outbox).order_by(outbox.c.id)).mappings().all()
        told = [dict(row) for row in connection.execute(sa.select(messages).order_by(messages.c.id)).mappings()]
    database.close()
    assert without(mails, "told_in") == MAILED[:-1]
    assert [row["told_in"] for row in mails] == [None, 12, None, None, None, None]
    assert [message_id(row) for row in told] == before
    notices = rows_of(old, "notices")
    assert [row["id"] for row in notices] == [3, 4, 8, 9, 11, 12, 21, 22], "20 was given once already"
    assert [(row["kind"], row["recipient"]) for row in notices[-2:]] == [("ping", "p_ann"), ("game-over", "p_bob")]
    assert len(rows_of(old, "deliveries")) == len(MAILED) - 1 + len(HOOKS)


def message_id(row):
    return subscriptions.message_id(row["hook_id"], row["game_id"], row["kind"], row["decision"], row["created_at"])


# Profiles that nobody confirmed (0010)

PLAYER = """
    INSERT INTO players (id, name, email, email_key, timezone, language, mail, secret_free, new_subjects, calendar,
        wakes_at, digest, receipts, quiet_turns, created_at, verified_at)
    VALUES (:id, 'Idiot', :email, :email, 'UTC', 'fr', true, false, false, false, 480, 'off', true, false, 1, :at)
"""


@pytest.mark.slow
def test_s22_a_profile_that_nobody_confirmed_is_forgotten_with_its_mails(old):
    migrate.upgrade(old, "0009")
    people = (("ann", 5), ("bob", None), ("cyd", None))
    with owner(old) as engine, engine.begin() as connection:
        for name, at in people:
            row = {"id": f"p_{name}", "email": f"{name}@people.example", "at": at}
            connection.execute(sa.text(PLAYER), row)
        token = "INSERT INTO tokens (digest, id, player_id, label, created_at) VALUES (:key, 't', 'p_cyd', '', 1)"
        connection.execute(sa.text(token), {"key": b"x"})
    assert any(row["recipient"] == "p_bob" for row in rows_of(old, "notices"))
    migrate.upgrade(old)
    assert [row["id"] for row in rows_of(old, "players")] == ["p_ann", "p_cyd"]
    for table in ("notices", "deliveries"):
        recipients = {row["recipient"] for row in rows_of(old, table)}
        assert "p_bob" not in recipients
        assert "p_ann" in recipients
