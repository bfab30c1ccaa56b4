"""The edge of HTTP: what cannot be read is refused as a problem, by a real server (S-37, RFC 9112, RFC 9457)."""

import json
import socket
from collections.abc import Iterator

import pytest

from config import gunicorn as production
from config.http_errors import SENTENCES, write_problem
from tests.acceptance.processes import Program, answers, environment, until
from tests.ports import free_port


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a running service."""
    folder, port = tmp_path_factory.mktemp("serve"), free_port()
    environ = environment(DATA_DIR=str(folder / "data"), RATE_LIMITS="off")
    with Program(["service.cli", "serve", "--port", str(port)], environ, folder / "log", cwd=folder):
        until(lambda: answers(port), "the page")
        yield port


def sends(port: int, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """What a server answers to these very bytes: status, headers, body."""
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return read(b"".join(iter(lambda: connection.recv(65536), b"")))


def read(answer: bytes) -> tuple[int, dict[str, str], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split()[1]), headers, body


@pytest.mark.parametrize(
    "request_, status, code",
    [
        (b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "request-uri-too-long"),
        (b"nonsense\r\n\r\n", 400, "bad-request"),
        (b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", 400, "bad-request"),
        (b"GET / HTTP/1.1\r\nHost: x\r\n<script>: x\r\n\r\n", 400, "bad-request"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 9000 + b"\r\n\r\n", 431, "request-header-fields-too-large"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: sh\r\n\r\n", 501, "not-implemented"),
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400, "no-host"),
        (b"GET /api/v1/rulesets HTTP/1.1\r\nHost:\r\n\r\n", 400, "no-host"),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400, "bad-request"),
        (b"GET /healthz HTTP/1.1\r\nHost: x, y\r\n\r\n", 400, "no-host"),
    ],
    ids=lambda value: value[:16].decode("ascii", "replace") if isinstance(value, bytes) else None,
)
def test_s37_what_is_no_http_is_refused_as_a_problem(port: int, request_: bytes, status: int, code: str) -> None:
    found, headers, body = sends(port, request_)
    problem = json.loads(body)
    assert (found, problem["status"], problem["code"]) == (status, status, code), body
    assert headers["content-type"] == "application/problem+json"
    assert int(headers["content-length"]) == len(body)
    assert problem["type"] == f"urn:wardroom:problem:{code}"
    assert problem["title"]
    assert problem["detail"].endswith(".")
    assert b"script" not in body


@pytest.mark.parametrize("request_", [b"GET /healthz HTTP/1.0\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"])
def test_a_request_of_either_protocol_is_served(port: int, request_: bytes) -> None:
    assert sends(port, request_.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))[0] == 200


@pytest.mark.parametrize("status", [*SENTENCES, 418])
def test_s37_whatever_the_server_refuses_has_a_sentence_and_quotes_nothing(status: int) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        write_problem(ours, status, "Because", "Invalid '<secret>'")
        ours.shutdown(socket.SHUT_WR)
        found, headers, body = read(theirs.recv(65536))
    problem = json.loads(body)
    assert found == problem["status"] == status
    assert int(headers["content-length"]) == len(body)
    assert "secret" not in body.decode()


def test_s37_the_workers_of_production_answer_the_same() -> None:
    assert "answer_problems" in production.post_worker_init.__code__.co_names
