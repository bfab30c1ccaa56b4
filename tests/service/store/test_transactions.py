"""Units of work of one process."""

import threading

import pytest

from service.container import Services
from service.store.database import Database, NestedWrite
from tests.service.store.service_tables import services, tables
from tests.tables import Tables

__all__ = ["services", "tables"]


@pytest.mark.parametrize("outer", ["write", "alone"])
def test_a_thread_that_writes_cannot_begin_to_write_again(services: Services, outer: str) -> None:
    """It would wait for itself for ever."""
    database = services.database
    with getattr(database, outer)():
        for inner in (database.write, database.alone):
            with pytest.raises(NestedWrite, match="Pass its transaction on"), inner():
                raise AssertionError("not reached")
        with database.read() as connection:
            assert connection.exec_driver_sql("SELECT 1").scalar_one() == 1


def test_after_a_refused_and_after_an_undone_write_the_next_one_is_taken(tables: Tables) -> None:
    database = tables.services.database
    with pytest.raises(NestedWrite), database.write(), database.write():
        raise AssertionError("not reached")
    assert tables.head(tables.begin()).version > 0


def test_what_is_done_after_a_commit_may_write(services: Services) -> None:
    database, done = services.database, []

    def act() -> None:
        with database.write():
            done.append(threading.get_ident())

    with database.write() as tx:
        database.afterwards(tx, act)
        assert not done
    assert done == [threading.get_ident()]


def test_a_closed_database_leaves_no_thread_and_watches_again_if_it_is_used_again(migrated_postgres: str) -> None:
    database, threads = Database(migrated_postgres), []
    for _ in range(2):
        with database.read():
            threads += [one for one in threading.enumerate() if one is database._watchdog._thread]
        database.close()
        threads[-1].join(60)
    assert [thread.is_alive() for thread in threads] == [False, False]
    assert len(set(threads)) == 2
