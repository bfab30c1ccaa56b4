"""SQLite as the embedded default: journal, durability, locks, and the ticket of the writers (T-20 to T-22, Q-1)."""

import gc
import sqlite3
import threading
import time

import pytest

from service.store.database import Database
from service.store.engines import sqlite_journal
from service.store.ticket import Ticket


@pytest.mark.parametrize(
    "version, journal",
    [
        ((3, 7, 0), "DELETE"),
        ((3, 40, 1), "DELETE"),
        ((3, 51, 2), "DELETE"),
        ((3, 51, 3), "WAL"),
        ((3, 52, 0), "WAL"),
        ((4, 0, 0), "WAL"),
    ],
)
def test_q1_wal_is_used_only_from_the_version_that_does_not_corrupt_it(monkeypatch, version, journal):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    assert sqlite_journal() == journal


@pytest.mark.parametrize("durable, synchronous", [(True, 2), (False, 0)])
def test_q1_every_connection_has_the_journal_and_is_durable(tmp_path, durable, synchronous):
    store = Database(f"sqlite:///{tmp_path}/x.sqlite", durable=durable)
    try:
        for how in (store.write, store.read, store.write):
            with how() as connection:
                pragma = {
                    name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                    for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "recursive_triggers")
                }
            assert pragma == {
                "journal_mode": sqlite_journal().lower(),
                "synchronous": synchronous,
                "foreign_keys": 1,
                "busy_timeout": 5000,
                "recursive_triggers": 1,
            }
            with how() as connection:
                assert connection.exec_driver_sql("PRAGMA mmap_size").scalar() in (0, None), "T-20: mmap amplifies"
    finally:
        store.close()


def test_t21_a_writer_begins_immediately_and_a_reader_begins_nothing(sqlite_room):
    path = sqlite_room.database.engine.url.database
    other = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        with sqlite_room.database.write(), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        with sqlite_room.database.read() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM events").scalar()
            other.execute("BEGIN IMMEDIATE")
            other.execute("INSERT INTO heartbeats VALUES ('x', 1)")
            other.execute("COMMIT")
    finally:
        other.close()


def test_what_is_written_is_kept_and_what_fails_is_undone(services):
    with services.database.write() as tx:
        tx.exec_driver_sql("INSERT INTO heartbeats VALUES ('kept', 1)")

    def fail():
        with services.database.write() as tx:
            tx.exec_driver_sql("INSERT INTO heartbeats VALUES ('undone', 1)")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with services.database.read() as connection:
        assert [row[0] for row in connection.exec_driver_sql("SELECT name FROM heartbeats")] == ["kept"]


def test_t22_writers_of_one_process_queue_for_the_ticket(sqlite_room):
    inside, most, counts = [], [], []

    def work(which):
        for _ in range(5):
            with sqlite_room.database.write() as tx:
                inside.append(which)
                most.append(len(inside))
                tx.exec_driver_sql("INSERT INTO heartbeats VALUES (?, 1)", (f"{which} {len(counts)}",))
                counts.append(which)
                inside.remove(which)

    threads = [threading.Thread(target=work, args=(which,)) for which in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert max(most) == 1
    assert len(counts) == 30


def test_t22_the_ticket_is_returned_also_after_an_error(sqlite_room):
    def fail():
        with sqlite_room.database.write() as tx:
            tx.exec_driver_sql("INSERT INTO nothing VALUES (1)")

    for _ in range(3):
        with pytest.raises(Exception, match="nothing"):
            fail()
    done = threading.Event()

    def write():
        with sqlite_room.database.write():
            done.set()

    thread = threading.Thread(target=write)
    thread.start()
    thread.join(60)
    assert done.is_set()


@pytest.mark.slow
def test_t22_two_databases_on_one_file_share_the_queue(migrated_sqlite, open_services):
    one, other = open_services(migrated_sqlite), open_services(migrated_sqlite)
    order = []

    def second():
        with other.database.write():
            order.append("second")

    thread = threading.Thread(target=second)
    with one.database.write():
        thread.start()
        time.sleep(0.15)
        order.append("first")
    thread.join(60)
    assert order == ["first", "second"]


@pytest.mark.filterwarnings("error")
@pytest.mark.slow
def test_closing_leaves_no_file_open_and_it_can_be_opened_again(tmp_path):
    store = Database(f"sqlite:///{tmp_path}/x.sqlite")
    for _ in range(2):
        with store.write() as tx:
            tx.exec_driver_sql("CREATE TABLE IF NOT EXISTS t (x)")
        store.close()
        store.close()
    ticket = store._ticket
    assert isinstance(ticket, Ticket)
    assert ticket.file is None
    del store, ticket
    gc.collect()


def test_a_statement_is_compiled_once_for_each_engine(services):
    from service.store.event_store.stream_rows import read_events

    with services.database.read() as connection:
        for _ in range(3):
            assert read_events(connection, game="none", after=0, upto=9).fetchall() == []
        first = read_events._for(connection)
        assert read_events._for(connection) is first
