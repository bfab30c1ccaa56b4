"""What `doctor` says of the news process and of the metrics."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from service.commands.health.monitoring_checks import examine
from tests.ports import free_port

METRICS = "# HELP x\nwardroom_games 1\nwardroom_database_up 1.0\n"


@pytest.fixture
def serve() -> Iterator[Callable[..., int]]:
    """Serve one answer to every request at a port, which is returned; with another status where the token is wrong."""
    servers: list[HTTPServer] = []

    def begin(text: str, status: int = 200, token: str = "") -> int:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                allowed = self.headers.get("Authorization", "") == (f"Bearer {token}" if token else "")
                self.send_response(status if allowed else 401)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_: object) -> None:
                """Nothing."""

        servers.append(HTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=servers[-1].serve_forever, args=(0.01,), daemon=True).start()
        return int(servers[-1].server_address[1])

    yield begin
    for server in servers:
        server.shutdown()
        server.server_close()


def found(settings, what: str) -> list[tuple[str, str]]:
    return [(finding.mark, finding.sentence) for finding in examine(settings) if finding.what == what]


def test_without_a_news_process_all_is_well(settings):
    assert found(settings, "news") == [("well", "No news process is set: open pages ask by themselves.")]


@pytest.mark.parametrize("text, status, mark, word", [
    ("3 streams\n", 200, "well", "tells 3 open pages"),
    ("Moves are not heard of.\n", 503, "broken", "Moves are not heard of. Start the news process"),
    ("<html>", 200, "broken", "another program"),
])  # fmt: skip
def test_the_news_process_is_asked_how_it_is(settings_with, serve, text, status, mark, word):
    news = f"127.0.0.1:{serve(text, status)}"
    ((marked, sentence),) = found(settings_with(NEWS=news, REDIS_URL="redis://127.0.0.1:1/0"), "news")
    assert marked == mark
    assert word in sentence


def test_a_news_process_that_is_gone_is_broken(settings_with):
    news = f"127.0.0.1:{free_port()}"
    ((mark, sentence),) = found(settings_with(NEWS=news, REDIS_URL="redis://127.0.0.1:1/0"), "news")
    assert mark == "broken"
    assert sentence.startswith(f"At {news}: It does not answer")


def test_news_that_nothing_feeds_are_noted(settings_with):
    ((mark, sentence),) = found(settings_with(NEWS="127.0.0.1:8001"), "news")
    assert (mark, "unset WARDROOM_NEWS" in sentence) == ("note", True)


def test_the_metrics_are_read_as_a_monitor_reads_them(settings_with, serve):
    port = serve(METRICS, token="a-token-for-the-monitor")
    given = {"HOST": "0.0.0.0", "PORT": f"{port}"}
    assert found(settings_with(**given, METRICS_TOKEN="a-token-for-the-monitor"), "metrics") == [
        ("well", f"A monitor reads 2 series at http://127.0.0.1:{port}/metrics, with the token.")
    ]
    ((mark, sentence),) = found(settings_with(**given, METRICS_TOKEN="another-token-was-set"), "metrics")
    assert (mark, "answers 401" in sentence) == ("note", True)


def test_metrics_are_looked_for_where_they_are_told(settings_with, serve):
    where = f"127.0.0.1:{serve(METRICS)}"
    assert found(settings_with(PORT=f"{free_port()}", METRICS_LISTEN=where), "metrics")[0][0] == "well"
    other = f"127.0.0.1:{serve('hello')}"
    assert found(settings_with(METRICS_LISTEN=other), "metrics")[0][0] == "note"


def test_a_service_that_is_not_started_yet_is_only_noted(settings_with):
    ((mark, sentence),) = found(settings_with(PORT=f"{free_port()}"), "metrics")
    assert (mark, "start the web process" in sentence) == ("note", True)


def test_a_listener_that_strangers_may_reach_is_noted(settings_with):
    first, *_ = found(settings_with(METRICS_LISTEN=f"0.0.0.0:{free_port()}"), "metrics")
    assert (first[0], "let no stranger through" in first[1]) == ("note", True)
