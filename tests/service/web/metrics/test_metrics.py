"""What /metrics tells, to whom, and what it costs: bounded series, one reader at a time, sums over all processes."""

import re
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from config.given import BadSetting
from config.release import release
from config.settings import load
from service.container import Services
from service.kernel.measures import LABELS, Measures
from service.store.errors import DatabaseError
from service.store.running import measurements
from service.telemetry.reporter import Reporter
from service.web.metrics import exposition
from service.web.metrics.exposition import Exposition, expose
from service.web.metrics.names import COUNTERS, GAUGES, HELP, HISTOGRAMS
from tests.apps import app_of

TOKEN = "a-token-for-the-monitor"


@pytest.fixture
def services(migrated_sqlite, open_services) -> Services:
    return open_services(migrated_sqlite)


@pytest.fixture
def fresh(monkeypatch) -> None:
    """Each reading is made anew."""
    monkeypatch.setattr(Exposition, "kept", lambda *_: 0.0)


@pytest.fixture
def client(services, fresh) -> FlaskClient:
    return app_of(services).test_client()


def series(text: str | bytes) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """The samples of a reading."""
    read = text if isinstance(text, str) else text.decode()
    families = list(text_string_to_metric_families(read))
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def reading(client: FlaskClient) -> dict:
    """What is read once this process has reported, as every process does by itself every few seconds."""
    client.application.extensions["wardroom"].reporter.report()
    return series(client.get("/metrics").text)


def value(found: dict, name: str, **labels: str) -> float:
    return found[name, tuple(sorted(labels.items()))]


# What is told


def test_requests_are_counted_and_timed_by_operation(client):
    client.get("/healthz")
    client.get("/healthz")
    client.post("/api/v1/tokens", json={})
    found = reading(client)
    assert value(found, "wardroom_requests_total", operation="health.healthz", method="GET", status="2xx") == 2
    assert value(found, "wardroom_requests_total", operation="players.Tokens", method="POST", status="4xx") == 1
    assert value(found, "wardroom_request_seconds_count", operation="health.healthz", method="GET") == 2
    assert value(found, "wardroom_request_seconds_bucket", operation="health.healthz", method="GET", le="+Inf") == 2
    assert value(found, "wardroom_request_seconds_sum", operation="health.healthz", method="GET") < 2


def attack(client: FlaskClient, word: str) -> None:
    """Whatever strangers can fill, filled with a word."""
    for path in (f"/{word}", f"/g/{word}", f"/api/v1/games/{word}%22%7D%0A", f"/assets/{word}", f"/{word}?wait={word}"):
        client.get(path, headers={"User-Agent": word, "X-Request-Id": word * 4000, "Authorization": f"Bearer {word}"})
        client.open(path, method=f"BREW{word.upper()}")


@pytest.mark.slow
def test_hostile_paths_methods_and_queries_make_no_new_series(client):
    attack(client, "wp-login.php")
    reading(client)
    before = reading(client).keys()
    for word in ("é\u202e", "x" * 200, "GET", '"},le="1'):
        attack(client, word)
    after = reading(client).keys()
    assert after - before == set()
    operations = {dict(labels)["operation"] for name, labels in after if name == "wardroom_requests_total"}
    assert operations <= {*client.application.view_functions, "none"}


def test_a_request_that_waits_for_news_is_another_operation(client, services):
    client.get("/api/v1/games?wait=5")
    found = {dict(labels).get("operation") for name, labels in reading(client)}
    assert "games.Games?wait" in found


def test_every_process_tells_what_all_have_counted(client, services):
    worker = Reporter(services.database, Measures())
    worker.role = "worker"
    for late in (0.5, 100):
        worker.measures.observe("wardroom_delivery_lateness_seconds", late, "mail")
    worker.report()
    found = reading(client)
    assert value(found, "wardroom_delivery_lateness_seconds_bucket", channel="mail", le="1.0") == 1
    assert value(found, "wardroom_delivery_lateness_seconds_bucket", channel="mail", le="300.0") == 2
    assert value(found, "wardroom_delivery_lateness_seconds_sum", channel="mail") == 100.5
    assert value(found, "wardroom_processes", process="worker") == 1


def test_a_process_that_says_nothing_for_a_minute_is_missed(client, services):
    worker = Reporter(services.database, Measures())
    worker.role = "mail"
    worker.report()
    with services.database.write() as tx:
        tx.exec_driver_sql("UPDATE processes SET at = at - 61000000")
    found = reading(client)
    assert value(found, "wardroom_processes", process="mail") == 0
    assert ("wardroom_process_start_time_seconds", (("process", "mail"),)) not in found


def test_what_it_runs_on_is_told(client):
    (build,) = [dict(labels) for name, labels in reading(client) if name == "wardroom_build_info"]
    assert build["database"] == "sqlite"
    assert (build["release"], build["commit"]) == (release().version, release().commit)
    assert re.fullmatch(r"\d{4}", build["schema"])
    assert re.fullmatch(r"3\.\d+\.\d+", build["python"])


def test_a_database_that_is_away_is_told_and_not_a_fault(client, services):
    services.database.close()
    engine = services.database.owner_engine()
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE games RENAME TO away")
    engine.dispose()
    answer = client.get("/metrics")
    found = series(answer.text)
    assert answer.status_code == 200
    assert value(found, "wardroom_database_up") == 0
    assert value(found, "wardroom_ready", check="database") == 0
    assert value(found, "wardroom_disk_free_bytes") > 0


def test_every_metric_has_words_and_names_what_it_is_told_apart_by():
    assert set(HELP) == set(LABELS)
    assert not GAUGES.keys() & (COUNTERS.keys() | HISTOGRAMS.keys())
    for metric in (*GAUGES.values(), *COUNTERS.values(), *HISTOGRAMS.values()):
        assert metric.help[0].isupper() or metric.help[0] == "1"


# To whom


def with_token(open_services: Callable, url: str) -> FlaskClient:
    return app_of(open_services(url, METRICS_TOKEN=TOKEN)).test_client()


@pytest.mark.parametrize("headers, address", [
    ({"X-Forwarded-For": "203.0.113.7"}, "127.0.0.1"),
    ({"Via": "1.1 proxy"}, "127.0.0.1"),
    ({"Host": "games.example"}, "127.0.0.1"),
    ({}, "203.0.113.7"),
])  # fmt: skip
def test_strangers_and_proxies_are_told_what_to_show(client, headers, address):
    refused = client.get("/metrics", headers=headers, environ_overrides={"REMOTE_ADDR": address})
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"] == "Bearer"
    assert "WARDROOM_METRICS_TOKEN" in refused.json["detail"]
    assert "wardroom_games" not in refused.text


@pytest.mark.parametrize("shown, status", [
    (f"Bearer {TOKEN}", 200), (f"bearer  {TOKEN}", 200), (f"Bearer {TOKEN}x", 401), (f"Bearer {TOKEN[:-1]}", 401),
    ("Bearer ", 401), ("Bearer é", 401), (f"Basic {TOKEN}", 401), (TOKEN, 401), ("", 401),
])  # fmt: skip
def test_a_token_is_asked_of_everybody(open_services, migrated_sqlite, shown, status):
    client = with_token(open_services, migrated_sqlite)
    asked = {"Authorization": shown} if shown else {}
    assert client.get("/metrics", headers=asked).status_code == status
    asked |= {"X-Forwarded-For": "203.0.113.7", "Host": "games.example"}
    assert client.get("/metrics", headers=asked).status_code == status


@pytest.fixture
def listened(open_services, migrated_sqlite) -> Iterator[tuple[Flask, dict]]:
    """An application that also listens for monitors, and what a request there has."""
    app = app_of(open_services(migrated_sqlite, METRICS_LISTEN="10.0.0.5:9200"))
    there = {"gunicorn.socket": SimpleNamespace(getsockname=lambda: ("10.0.0.5", 9200)), "REMOTE_ADDR": "10.0.0.9"}
    return app, there


def test_the_listener_for_metrics_tells_whoever_reaches_it(listened):
    app, there = listened
    assert app.test_client().get("/metrics", environ_overrides=there).status_code == 200
    here = there | {"gunicorn.socket": SimpleNamespace(getsockname=lambda: ("10.0.0.5", 8000))}
    elsewhere = app.test_client().get("/metrics", environ_overrides=here, headers={"Host": "10.0.0.5:9200"})
    assert elsewhere.status_code == 401


def test_the_listener_for_metrics_has_nothing_else(listened):
    app, there = listened
    for path, status in (("/healthz", 200), ("/", 404), ("/api/v1/games", 404), ("/static/page.css", 404)):
        assert app.test_client().get(path, environ_overrides=there).status_code == status


# What it costs


def test_what_was_made_is_kept_fifty_times_as_long_as_it_took(services, monkeypatch):
    now, made = [0.0], []

    def slow(*_: object) -> bytes:
        made.append(1)
        now[0] += 2.0
        return b"%d" % len(made)

    monkeypatch.setattr(exposition, "expose", slow)
    monkeypatch.setattr(exposition, "time", SimpleNamespace(monotonic=lambda: now[0]))
    read = Exposition(services)
    assert read.text() == b"1"
    now[0] = 101.9
    assert read.text() == b"1"
    now[0] = 102.1
    assert read.text() == b"2"


def test_one_reader_at_a_time_makes_it_and_others_get_what_was_before(services, monkeypatch):
    begun, may_end, made = threading.Event(), threading.Event(), []

    def blocked(*_: object) -> bytes:
        made.append(1)
        if len(made) == 2:
            begun.set()
            may_end.wait(30)
        return b"%d" % len(made)

    monkeypatch.setattr(exposition, "expose", blocked)
    monkeypatch.setattr(Exposition, "kept", lambda *_: 0.0)
    read = Exposition(services)
    assert read.text() == b"1"
    thread = threading.Thread(target=read.text)
    thread.start()
    assert begun.wait(30)
    assert read.text() == b"1"
    may_end.set()
    thread.join()
    assert len(made) == 2


def test_counts_of_all_rows_are_kept_apart_and_a_database_that_takes_too_long_for_them_is_not_away(
    services, monkeypatch
):
    monkeypatch.setattr(exposition, "counted", lambda _: (_ for _ in ()).throw(DatabaseError("statement timeout")))
    found = series(Exposition(services).text())
    assert value(found, "wardroom_database_up") == 1
    assert not [name for name, _ in found if name in ("wardroom_inbound", "wardroom_outbox")]


def test_to_read_changes_nothing(services):
    services.measures.count("wardroom_requests", "moves.Moves", "POST", "2xx")
    expose(services)
    with services.database.read() as connection:
        assert measurements.samples(connection) == {}, "a sum that one process told and another did not would shrink"


def test_the_listener_is_no_other_address_of_the_same_port(tmp_path):
    """A request is known by the port it came to, so with one port for both everybody would be told."""
    given = {"WARDROOM_DATA_DIR": str(tmp_path), "WARDROOM_PORT": "8000", "WARDROOM_METRICS_LISTEN": "127.0.0.2:8000"}
    with pytest.raises(BadSetting, match="WARDROOM_METRICS_LISTEN must name another port than WARDROOM_PORT"):
        load(given)
    assert load({**given, "WARDROOM_METRICS_LISTEN": "127.0.0.1:9200"}).metrics_listen == ("127.0.0.1", 9200)
