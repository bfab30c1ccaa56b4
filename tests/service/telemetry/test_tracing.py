"""Traces by OpenTelemetry: one of a request and of all that comes of it, in whichever process; none where it is off."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from config.exposure import NO_TRACES, load_to_serve
from config.settings import BadSetting
from domain.engine.bots import Bot
from service.container import Services
from service.kernel import request_ids
from service.telemetry import tracing
from tests.acceptance.processes import ROOT
from tests.manual_clock import ManualClock
from tests.tables import Tables
from tests.thinking import think_all
from tests.workers.test_watched import begin, takes_turn, tell

pytest.importorskip("opentelemetry.sdk", reason="OpenTelemetry is an extra: wardroom[otel]")


@pytest.fixture
def spans() -> Iterator[Callable[[], list[Any]]]:
    """The spans that have ended so far."""
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept = InMemorySpanExporter()
    tracing.begin("web", "1", kept)
    request_ids._work.set(None)
    yield lambda: list(kept.get_finished_spans())
    tracing.end()


@pytest.fixture
def make(migrated_sqlite: str, open_services: Callable[..., Services]) -> Callable[..., Tables]:
    def tables(**settings: str) -> Tables:
        clock = ManualClock()
        return Tables(open_services(migrated_sqlite, clock=clock, **settings), clock)

    return tables


def of_trace(spans: list[Any], id: str) -> dict[str, list[Any]]:
    """The spans of a request's trace by name."""
    found: dict[str, list[Any]] = {}
    for span in spans:
        if span.context.trace_id == tracing.ids_of(id)[0]:
            found.setdefault(span.name, []).append(span)
    return found


@pytest.mark.slow
def test_a_move_and_all_that_comes_of_it_are_one_trace(make, spans):
    tables = make()
    game = begin(tables)
    takes_turn(tables, game, "ann")
    id = takes_turn(tables, game, "bob")
    think_all(tables.services)
    tell(tables)
    found = of_trace(spans(), id)
    assert set(found) == {"moves.Moves", "decide", "append", "thought", "delivery"}
    (first,) = found["moves.Moves"]
    assert (first.context.span_id, first.parent) == (tracing.ids_of(id)[1], None)
    assert first.attributes["http.response.status_code"] == 201
    assert {span.parent.span_id for span in (*found["decide"], *found["thought"], *found["delivery"])} == {
        first.context.span_id
    }
    assert {span.attributes["channel"] for span in found["delivery"]} == {"mail"}


@pytest.mark.slow
def test_no_span_holds_a_person_a_game_or_a_path(make, spans):
    tables = make()
    game = begin(tables)
    takes_turn(tables, game, "ann")
    tell(tables)
    told = " ".join(span.to_json() for span in spans())
    assert not [word for word in (game, "people.example", tables.ids["ann"], "/api/v1") if word in told]


@pytest.mark.slow
@pytest.mark.parametrize("proxies, linked", [("1", [0xB7AD6B7169203331]), ("0", [])])
def test_a_proxy_that_is_trusted_is_linked(make, spans, proxies, linked):
    tables = make(TRUSTED_PROXIES=proxies)
    game = begin(tables)
    id = takes_turn(tables, game, "ann", traceparent="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    (first,) = of_trace(spans(), id)["moves.Moves"]
    assert [link.context.span_id for link in first.links] == linked


def test_what_is_not_sampled_is_so_in_every_process(make, monkeypatch):
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
    monkeypatch.setenv("OTEL_TRACES_SAMPLER_ARG", "0.5")
    kept = InMemorySpanExporter()
    tracing.begin("web", "1", kept)
    ids = [f"request-{number}" for number in range(40)]
    for id in ids:
        with tracing.request("asks", id), tracing.span("inside"):
            pass
        with tracing.work("comes of it", id):
            pass
    tracing.end()
    counts = {id: sorted(of_trace(kept.get_finished_spans(), id)) for id in ids}
    assert {tuple(names) for names in counts.values()} == {(), ("asks", "comes of it", "inside")}


@pytest.mark.slow
def test_where_traces_are_off_a_span_is_nothing_and_nothing_is_loaded():
    """The client of Redis looks at the library by itself where it is installed; nothing of ours does."""
    assert tracing.span("decide") is tracing.NOTHING
    assert tracing.request("asks", "x") is tracing.work("thought", None) is tracing.NOTHING
    program = (
        "import sys\nfrom service.app import create_app\nimport workers.tasks\n"
        "ours = {'service.telemetry.trace_ids', 'opentelemetry.exporter'}\nsys.exit(bool(ours & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def test_without_the_library_the_setting_is_refused_with_a_sentence(tmp_path, monkeypatch):
    given = {"WARDROOM_TRACES": "on", "WARDROOM_SECRET_KEY": "k" * 32, "WARDROOM_DATA_DIR": str(tmp_path)}
    assert load_to_serve(given).traces
    monkeypatch.setattr("config.exposure.find_spec", lambda name: None)
    with pytest.raises(BadSetting) as refused:
        load_to_serve(given)
    assert str(refused.value) == NO_TRACES


@pytest.mark.slow
def test_spans_go_where_the_variables_of_opentelemetry_say(monkeypatch):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="the exporter is part of the extra otel")
    taken: list[tuple[str, str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append((self.path, self.headers["X-Club"], body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = HTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_address[1]}")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-club=ours")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
    tracing.begin("worker", "1")
    with tracing.span("delivery", channel="mail"):
        pass
    tracing.end()
    server.shutdown()
    server.server_close()
    ((path, club, body),) = taken
    assert (path, club) == ("/v1/traces", "ours")
    assert all(word in body for word in (b"wardroom-worker", b"delivery", b"channel"))


def test_a_bot_that_nobody_asked_begins_a_trace_of_its_own(make, spans):
    tables = make()
    tables.begin("ann", bots=[Bot(2)])
    think_all(tables.services)
    (thought,) = [span for span in spans() if span.name == "thought"]
    assert thought.parent is None
