"""Half a request holds no thread for long, and others are answered meanwhile (S-37)."""

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from config import gunicorn as production
from tests.acceptance.processes import Program, environment, until
from tests.acceptance.test_http import read
from tests.ports import free_port
from workers.processes import embedded

CREDIT = 1.5
BUSY = 30
"""Seconds that a machine with much else to do may be late."""
THREADS = 4
PROGRAM = f"""
from config.slow_requests import limit_waiting

worker_class, threads, control_socket_disable = "gthread", {THREADS}, True

def post_worker_init(worker):
    limit_waiting(worker, {CREDIT})
"""
APP = """
def app(environ, start):
    try:
        heard = b"%d bytes" % len(environ["wsgi.input"].read())
    except OSError:
        start("408 Request Timeout", [("Content-Length", "4")])
        return [b"late"]
    start("200 OK", [("Content-Length", str(len(heard)))])
    return [heard]
"""
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
HALF_HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nX-Half"
HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
HALF_BODY = HEAD % 100 + b"half"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of gunicorn with few threads and little patience."""
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


def answer_to(port: int, request: bytes) -> tuple[int, bytes]:
    with begin(port, request) as connection:
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


def test_s37_half_bodies_on_every_thread_keep_nobody_waiting(port: int) -> None:
    with ExitStack() as stack:
        half = [stack.enter_context(begin(port, HALF_BODY)) for _ in range(THREADS)]
        began = time.monotonic()
        assert answer_to(port, WHOLE) == (200, b"0 bytes")
        assert time.monotonic() - began < CREDIT, "half of the threads are never held for so long"
        assert [ended(connection) for connection in half] == [(408, b"late")] * len(half)


def test_s37_a_head_that_stops_is_cut_off(port: int) -> None:
    began = time.monotonic()
    assert answer_to(port, HALF_HEAD) == (0, b"")
    assert CREDIT <= time.monotonic() - began < CREDIT + BUSY


def test_s37_bytes_that_trickle_do_not_hold_a_thread_either(port: int) -> None:
    began = time.monotonic()
    with begin(port, HALF_BODY) as connection:
        connection.settimeout(0.2)
        for _ in range(150):
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


def test_s37_every_server_of_ours_has_that_patience() -> None:
    for hook in (production.post_worker_init, embedded.begin_to_serve):
        assert "limit_waiting" in hook.__code__.co_names
