"""The process of news as it runs: it says why it cannot, streams over a socket, and ends when it is told to."""

import contextlib
import http.client
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.kernel.wakeup import Wakeup
from service.news.tickets import issue, ticket_key
from tests.acceptance.processes import Program, environment, until
from tests.ports import free_port

pytestmark = pytest.mark.slow
SECRET = "a master key of enough characters for all"
TICKETS = ticket_key(SECRET)
PATIENCE = 30


class Process(Program):
    """The process, behind one trusted proxy, and the Redis that it hears."""

    def __init__(self, folder: Path, redis_url: str) -> None:
        self.port, self.redis_url = free_port(), redis_url
        self.connections = contextlib.ExitStack()
        variables = environment(
            NEWS=f"127.0.0.1:{self.port}", REDIS_URL=redis_url, DATA_DIR=str(folder), SECRET_KEY=SECRET,
            TRUSTED_PROXIES="1",
        )  # fmt: skip
        super().__init__(["service.news.__main__"], variables, folder / "news.log")
        until(lambda: self.health() == 200, "health")

    def health(self) -> int:
        with contextlib.suppress(OSError):
            return self.ask("/news/health").status
        return 0

    def ask(self, path: str, address: str = "192.0.2.1") -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.connections.callback(connection.close)
        connection.request("GET", path, headers={"X-Forwarded-For": address})
        return self.connections.enter_context(connection.getresponse())

    def end(self) -> None:
        self.connections.close()
        super().end()

    def stream(self, *games: str, address: str = "192.0.2.1") -> http.client.HTTPResponse:
        answer = self.ask(f"/news/?ticket={issue(TICKETS, games)}", address)
        assert answer.status == 200
        assert [answer.readline(), answer.readline()] == [b"retry: 5000\n", b"\n"]
        return answer


@pytest.fixture
def process(tmp_path: Path, redis_url: str) -> Iterator[Process]:
    with Process(tmp_path, redis_url) as process:
        yield process


def test_a_hint_comes_through_the_socket_and_the_end_of_the_process_ends_the_stream(process):
    ann, bob = process.stream("g1"), process.stream("g2")
    Wakeup(process.redis_url).tell({"g1": 17})
    assert ann.readline() == b'data: {"game":"g1","version":17}\n'
    process.signal(signal.SIGTERM)
    assert (ann.read(), bob.read()) == (b"\n", b""), "whole, as a proxy wants it"
    assert process.wait() == 0
    assert "Traceback" not in process.output


def test_what_is_no_request_ends_and_costs_nobody_else_anything(process):
    ann = process.stream("g1")
    for junk in (b"\0" * 100, b"GET /news/ HTTP/1.1\r\n" + b"x: y\r\n" * 5000, b"POST /news/ HTTP/1.1\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", process.port), PATIENCE) as stranger:
            stranger.sendall(junk)
            with contextlib.suppress(ConnectionError):
                assert stranger.recv(100).startswith((b"HTTP/1.1 4", b""))
    Wakeup(process.redis_url).tell({"g1": 18})
    assert ann.readline() == b'data: {"game":"g1","version":18}\n'


@pytest.mark.parametrize(
    "variables, sentence",
    [({}, "WARDROOM_NEWS is off"), ({"NEWS": "127.0.0.1:1"}, "through Redis or PostgreSQL"),
     ({"NEWS": "8001"}, "must be off, or HOST:PORT")],
)  # fmt: skip
def test_it_says_what_it_needs(tmp_path, variables, sentence):
    words = environment(DATA_DIR=str(tmp_path), SECRET_KEY=SECRET, **variables)
    with Program(["service.news.__main__"], words, tmp_path / "news.log") as process:
        assert process.wait() == os.EX_CONFIG
        assert sentence in process.output
        assert "Traceback" not in process.output
