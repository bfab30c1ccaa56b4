"""Half a request holds no thread, and others are answered meanwhile (S-37)."""

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import MagicMock, Mock

import pytest
from gunicorn.config import Config

from config import gunicorn as production
from config.slow_requests import BufferingWorker, end_waits
from tests.acceptance.processes import Program, environment, until
from tests.acceptance.test_http import read
from tests.ports import free_port
from workers.processes import embedded

CREDIT = 1.5
BUSY = 30
"""Seconds that a machine with much else to do may be late."""
SOON = 5.0
"""Seconds: an idle machine needs a hundredth of one, and threads that wait for 500 requests need minutes."""
THREADS = 2
MANY = 500
PROGRAM = f"""
from config import slow_requests
from config.http_errors import answer_problems

worker_class, threads, control_socket_disable = "config.slow_requests.BufferingWorker", {THREADS}, True
slow_requests.CREDIT = {CREDIT}

def post_worker_init(worker):
    answer_problems(worker)
    worker.largest_body = 10_000
"""
APP = """
def app(environ, start):
    said = environ["REQUEST_METHOD"] == "POST" and environ["wsgi.input"].read()
    heard = b"%d bytes" % len(said or b"")
    start("200 OK", [("Content-Length", str(len(heard)))])
    return [heard]
"""
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
EXPECTS = b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 5\r\n\r\n"
UNFINISHED = {
    "nothing": b"",
    "half a line": b"POST / HT",
    "half a head": b"POST / HTTP/1.1\r\nHost: x\r\nX-Half",
    "no body": HEAD % 100,
    "half a body": HEAD % 100 + b"{",
    "half a body that nobody reads": b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
    "half a chunk": CHUNKED + b"64\r\n{",
    "half the size of a chunk": CHUNKED + b"6",
    "no last chunk": CHUNKED + b"1\r\n{\r\n",
    "half the trailers": CHUNKED + b"0\r\nX-Half: 1\r\n",
    "an expectation": EXPECTS,
    "a second request": WHOLE.replace(b"close", b"keep-alive") + HEAD % 100,
}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Return the port of gunicorn with few threads and little patience."""
    folder, port = tmp_path_factory.mktemp("slow"), free_port()
    (folder / "conf.py").write_text(PROGRAM)
    (folder / "stub.py").write_text(APP)
    words = [str(Path(sys.executable).with_name("gunicorn")), "-c", str(folder / "conf.py"), "-b", f"127.0.0.1:{port}"]
    with Program([*words, "--chdir", str(folder), "stub:app"], environment(), folder / "log"):
        until(lambda: _is_there(port), "the server")
        yield port


def _is_there(port: int) -> bool:
    try:
        return answer_to(port, WHOLE)[0] == 200
    except OSError:
        return False


def answer_to(port: int, request: bytes, patience: float = 20) -> tuple[int, bytes]:
    """Raises TimeoutError where nothing comes for so many seconds."""
    with begin(port, request) as connection:
        connection.settimeout(patience)
        return ended(connection)


def begin(port: int, request: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), 20)
    connection.sendall(request)
    return connection


def ended(connection: socket.socket) -> tuple[int, bytes]:
    """Status and body, once the server has closed the connection; status 0 where it said nothing."""
    heard = b"".join(iter(lambda: connection.recv(65536), b""))
    if not heard:
        return 0, b""
    status, _, body = read(heard)
    return status, body


def test_s37_requests_that_do_not_arrive_keep_nobody_waiting(port: int) -> None:
    for what, sent in UNFINISHED.items():
        with ExitStack() as stack:
            for _ in range(MANY // len(UNFINISHED)):
                stack.enter_context(begin(port, sent))
            assert answer_to(port, WHOLE, SOON) == (200, b"0 bytes"), what


def test_s37_others_are_answered_beside_500_half_bodies(port: int) -> None:
    with ExitStack() as stack:
        for _ in range(MANY):
            stack.enter_context(begin(port, UNFINISHED["half a body"]))
        assert answer_to(port, WHOLE, SOON) == (200, b"0 bytes")


def test_s37_clients_that_do_not_close_their_side_keep_nobody_waiting(port: int) -> None:
    with ExitStack() as stack:
        for answered in [stack.enter_context(begin(port, WHOLE)) for _ in range(20)]:
            assert ended(answered) == (200, b"0 bytes")
        assert answer_to(port, WHOLE, SOON) == (200, b"0 bytes")


def test_rfc9110_15_5_9_a_request_that_stops_is_told_so(port: int) -> None:
    for what in ("half a head", "half a body", "half a chunk"):
        began = time.monotonic()
        status, body = answer_to(port, UNFINISHED[what])
        assert (status, json.loads(body)["code"]) == (408, "request-timeout"), what
        assert CREDIT <= time.monotonic() - began < CREDIT + BUSY, what


def test_s37_bytes_that_trickle_do_not_restore_enough_credit(port: int) -> None:
    began = time.monotonic()
    with begin(port, UNFINISHED["half a body"]) as connection:
        connection.settimeout(0.2)
        for _ in range(90):
            connection.sendall(b".")
            try:
                heard = connection.recv(65536)
                break
            except TimeoutError:
                continue
    assert heard.startswith(b"HTTP/1.1 408 ")
    assert time.monotonic() - began < CREDIT + BUSY


def test_a_body_that_comes_slowly_but_comes_is_taken(port: int) -> None:
    began = time.monotonic()
    with begin(port, HEAD % 5000) as connection:
        for _ in range(5):
            time.sleep(CREDIT / 4)
            connection.sendall(b"x" * 1000)
        assert ended(connection) == (200, b"5000 bytes")
    assert time.monotonic() - began > CREDIT


def test_requests_are_read_as_they_are_framed(port: int) -> None:
    """RFC 9112, 6 and 7.1: each request is sent in one piece, and then byte by byte."""
    kept = WHOLE.replace(b"close", b"keep-alive")
    requests = {
        HEAD % 5 + b"12345": b"5 bytes",
        CHUNKED + b"5\r\n12345\r\n0\r\n\r\n": b"5 bytes",
        CHUNKED + b"3;x=1\r\n123\r\n2\r\n45\r\n0\r\nX-Trailer: 1\r\n\r\n": b"5 bytes",
        HEAD.replace(b"Length", b"LENGTH") % 5 + b"12345": b"5 bytes",
        kept + HEAD % 5 + b"12345": b"5 bytes",
        HEAD % 0: b"0 bytes",
        HEAD % 20_000 + b"1": (
            b"0 bytes",
            b"1 bytes",
        ),  # too large: handed over at once and refused
    }
    for request, answers in requests.items():
        assert answer_to(port, request)[1].endswith(answers), request
        with begin(port, b"") as connection:
            for byte in request:
                connection.sendall(bytes([byte]))
            assert ended(connection)[1].endswith(answers), request


def test_rfc9110_10_1_1_a_client_that_waits_for_100_continue_is_asked_once_for_its_body(port: int) -> None:
    with begin(port, EXPECTS) as connection:
        assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"12345")
        assert ended(connection) == (200, b"5 bytes")


def test_s37_every_server_of_ours_is_such_a_server() -> None:
    assert production.worker_class == "config.slow_requests.BufferingWorker"
    assert production.worker_class in embedded.Server.load_config.__code__.co_consts
    for hook in (production.post_worker_init, embedded.begin_to_serve):
        assert "take_bodies" in hook.__code__.co_names


def test_g05_a_worker_that_ends_waits_for_nobody_without_a_whole_request_and_not_as_long_as_its_master() -> None:
    """G-05: browsers open connections ahead, and each held the worker until its master could send SIGKILL."""
    worker = BufferingWorker.__new__(BufferingWorker)
    silent, half = Mock(received=b"", until=1e9), Mock(received=b"POST", until=1e9)
    worker.unfinished = {silent: None, half: None}
    worker._cap_keepalive(5.0)
    assert [silent.until, half.until] == [5.0, 5.0]
    worker.cfg, worker.wsgi = Config(), MagicMock()
    worker.cfg.set("graceful_timeout", 5)
    end_waits(worker)
    assert worker.cfg.graceful_timeout == 3
