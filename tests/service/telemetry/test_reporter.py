"""What processes count is summed in the database; what each says of itself is kept until it says farewell."""

import threading

import pytest
import sqlalchemy as sa

from service.container import Services
from service.kernel.measures import BOUNDS, LABELS, SUM, Measures
from service.store.running import measurements
from service.store.running.measurements import Process
from service.telemetry import reporter

ASKED = ("wardroom_requests", ("moves.Moves", "POST", "2xx"), "")


@pytest.fixture
def services(url, open_services) -> Services:
    return open_services(url)


def sums(services: Services) -> dict:
    with services.database.read() as connection:
        return measurements.samples(connection)


def processes(services: Services) -> list[Process]:
    with services.database.read() as connection:
        return measurements.reports(connection)


def rename(services: Services, table: str, name: str) -> None:
    engine = services.database.owner_engine()
    with engine.begin() as connection:
        connection.execute(sa.text(f"ALTER TABLE {table} RENAME TO {name}"))
    engine.dispose()


def test_what_two_processes_count_adds_up_and_each_tells_it_once(services):
    others = reporter.Reporter(services.database, Measures())
    for mine in (services.reporter, others):
        mine.measures.count("wardroom_requests", "moves.Moves", "POST", "2xx", by=2)
        assert mine.report()
        assert mine.report()
    assert sums(services)[ASKED] == 4


def test_a_histogram_has_each_value_in_one_bucket_and_in_the_sum():
    measures = Measures()
    for seconds in (0.005, 0.0051, 11, -1):
        measures.observe("wardroom_request_seconds", seconds, "a", "GET")
    found = {part: value for (_, _, part), value in measures.take().items()}
    assert found == {"0.005": 2, "0.01": 1, "+Inf": 1, SUM: 11_010_100}
    assert measures.take() == {}


def test_every_histogram_has_labels_and_bounds_that_rise():
    assert set(BOUNDS) <= set(LABELS)
    assert all(list(bounds) == sorted(set(bounds)) for bounds in BOUNDS.values())


def test_what_cannot_be_written_is_written_later(services):
    services.measures.count("wardroom_requests", "moves.Moves", "POST", "2xx")
    rename(services, "measurements", "away")
    assert not services.reporter.report()
    services.measures.count("wardroom_requests", "moves.Moves", "POST", "2xx")
    rename(services, "away", "measurements")
    assert services.reporter.report()
    assert sums(services)[ASKED] == 2


def test_a_process_says_how_it_is_until_it_ends(services):
    services.reporter.start("web")
    services.reporter.report()
    (said,) = processes(services)
    assert said.role == "web"
    assert said.report.resident > 1_000_000
    assert said.report.open_files > 0
    assert said.report.connections >= services.settings.pool_size or services.settings.sqlite
    assert sums(services)["wardroom_process_cpu_seconds", ("web",), ""] > 0
    services.measures.count("wardroom_requests", "moves.Moves", "POST", "2xx")
    services.reporter.stop()
    assert processes(services) == []
    assert sums(services)[ASKED] == 1


def test_a_process_that_was_killed_is_remembered_for_a_day(services, monkeypatch):
    killed = reporter.Reporter(services.database, Measures())
    killed.role = "mail"
    killed.report()
    services.reporter.role, services.reporter._process = "web", "other"
    services.reporter.report()
    assert {process.role for process in processes(services)} == {"mail", "web"}
    monkeypatch.setattr(reporter, "FORGOTTEN", -1)
    services.reporter.report()
    assert processes(services) == []


def test_a_command_reports_nothing(services):
    assert services.reporter._thread is None
    services.reporter.stop()
    assert (processes(services), sums(services)) == ([], {})


def test_a_wait_for_a_connection_is_counted(migrated_sqlite, open_services):
    database = open_services(migrated_sqlite).database
    most = database.pool_status().most
    held = [database.engine.connect() for _ in range(most)]
    assert database.pool_status().in_use == most
    waiting = threading.Thread(target=lambda: database.engine.connect().close())
    waiting.start()
    while not database.engine.pool.waits:
        pass
    held.pop().close()
    waiting.join()
    for connection in held:
        connection.close()
    assert (database.take_waits(), database.take_waits()) == (1, 0)
