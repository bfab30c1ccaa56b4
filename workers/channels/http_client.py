"""A message to an address that a stranger gave us, and as little of the answer as will do (T-67).

The name is looked up once, every address found must be public, and the connection goes to an address that was
checked, under the name's certificate. No proxy, no redirect, no second request over a connection.
"""

import http.client
import io
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from service.kernel.foreign_dates import read_date
from service.notify.endpoints import Endpoint, ip, is_public

SECONDS: Final = 5.0
"""For all of it: looking up, connecting, TLS, sending, and the answer."""
MOST_READ: Final = 65_536
"""Bytes of an answer, its headers included."""
MOST_ADDRESSES: Final = 4
"""Addresses of one name that are tried."""
NO_ADDRESS: Final = "its host has no public address"
"""Said as well of a name that leads inside, so that nobody learns which names there are."""


class NotAnswered(Exception):
    """No answer came. The message says why in words for the owner of the address; it names no address."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is looked at of an answer."""

    status: int
    retry_after: int | None  # seconds


Resolver = Callable[[str, int, float], Sequence[str]]
"""The IP addresses of a name and port, within so many seconds; none where there are none."""
Dialler = Callable[[str, int, float], socket.socket]
"""A connection to an IP address and port, within so many seconds."""


def look_up(host: str, port: int, seconds: float) -> Sequence[str]:
    """The addresses of a host. The system's resolver knows no time limit: it is left behind when the time is over."""
    found: list[str] = []

    def ask() -> None:
        try:
            answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return
        found.extend(dict.fromkeys(str(answer[4][0]) for answer in answers))

    asking = threading.Thread(target=ask, name="resolver", daemon=True)
    asking.start()
    asking.join(seconds)
    if asking.is_alive():
        raise TimeoutError
    return found


def dial(address: str, port: int, seconds: float) -> socket.socket:
    """A connection to an IP address: no name is looked up here."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.settimeout(seconds)
        made.connect((address, port))
    except BaseException:
        made.close()
        raise
    return made


@cache
def trust() -> ssl.SSLContext:
    """TLS from 1.2 on, under the certificates this system trusts."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def post(
    endpoint: Endpoint,
    headers: Mapping[str, str],
    body: bytes,
    *,
    seconds: float = SECONDS,
    resolver: Resolver = look_up,
    dialler: Dialler = dial,
    context: ssl.SSLContext | None = None,
) -> Answer:
    """Send a body there once; the status that is answered. Raises NotAnswered."""
    deadline = _Deadline(seconds)
    try:
        with _connect(endpoint, deadline, resolver, dialler, context or trust()) as connected:
            return _ask(endpoint, headers, body, connected, deadline)
    except TimeoutError as error:
        raise NotAnswered(f"no answer within {seconds:g} seconds") from error
    except ssl.SSLCertVerificationError as error:
        raise NotAnswered(f"its certificate is not accepted: {error.verify_message}") from error
    except ssl.SSLError as error:
        raise NotAnswered("TLS could not be agreed upon") from error
    except ConnectionRefusedError as error:
        raise NotAnswered("the connection was refused") from error
    except ConnectionError as error:
        raise NotAnswered("the connection was closed without an answer") from error
    except OSError as error:
        raise NotAnswered("it cannot be reached") from error
    except http.client.HTTPException as error:
        raise NotAnswered("what came back is no HTTP") from error


class _Deadline:
    """A time by which all must be done."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds that are left. Raises TimeoutError where none are."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class _BoundedSocket:
    """A socket as http.client wants one, with no more time than is left."""

    def __init__(self, connected: socket.socket, deadline: _Deadline) -> None:
        self.connected = connected
        self.deadline = deadline

    def sendall(self, data: bytes) -> None:
        self.connected.settimeout(self.deadline.left())
        self.connected.sendall(data)

    def makefile(self, *_: Any) -> io.BufferedReader:
        return io.BufferedReader(_BoundedSocketReader(self.connected, self.deadline))

    def close(self) -> None:
        """It is closed by whoever opened it."""


class _BoundedSocketReader(io.RawIOBase):
    """What comes from a socket, no longer than there is time, and no more than a few bytes."""

    def __init__(self, connected: socket.socket, deadline: _Deadline) -> None:
        self.connected = connected
        self.deadline = deadline
        self.bytes_left = MOST_READ

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        some = memoryview(buffer)[: self.bytes_left]
        if not some:
            raise http.client.HTTPException("too long")
        self.connected.settimeout(self.deadline.left())
        count = self.connected.recv_into(some)
        self.bytes_left -= count
        return count


def _connect(
    endpoint: Endpoint, deadline: _Deadline, resolver: Resolver, dialler: Dialler, context: ssl.SSLContext
) -> socket.socket:
    """A connection to one of the addresses, all of which were checked, and TLS over it."""
    literal = ip(endpoint.host)
    found = [str(literal)] if literal else resolver(endpoint.host, endpoint.port, deadline.left())
    if not found or not (endpoint.trusted or all(map(is_public, found))):
        raise NotAnswered(NO_ADDRESS)
    made = _dial_any(found[:MOST_ADDRESSES], endpoint.port, deadline, dialler)
    if not endpoint.tls:
        return made
    try:
        made.settimeout(deadline.left())
        return context.wrap_socket(made, server_hostname=endpoint.host)
    except BaseException:
        made.close()
        raise


def _dial_any(addresses: Sequence[str], port: int, deadline: _Deadline, dialler: Dialler) -> socket.socket:
    """The first of them that can be connected to; none may use up the time of those after it."""
    for after, address in zip(range(len(addresses) - 1, -1, -1), addresses, strict=True):
        try:
            return dialler(address, port, deadline.left() / (after + 1))
        except OSError:
            if not after:
                raise
    raise AssertionError("there is at least one address")


def _ask(
    endpoint: Endpoint, headers: Mapping[str, str], body: bytes, connected: socket.socket, deadline: _Deadline
) -> Answer:
    connection = http.client.HTTPConnection(endpoint.host, endpoint.port)
    connection.sock = _BoundedSocket(connected, deadline)
    sent = {**headers, "Host": endpoint.authority, "Connection": "close"}
    connection.request("POST", endpoint.target, body, sent)
    response = connection.getresponse()
    answer = Answer(response.status, _seconds(response.headers.get("Retry-After", "")))
    _read_to_the_end(response)
    return answer


def _read_to_the_end(response: http.client.HTTPResponse) -> None:
    """Read what is left of an answer and drop it: some receivers take a connection closed early for a failure."""
    try:
        while response.read(8192):
            pass
    except (OSError, ValueError, http.client.HTTPException):
        return


def _seconds(retry_after: str) -> int | None:
    """Return the seconds of a Retry-After header, which has a number or a date (RFC 9110, 10.2.3); else None."""
    if re.fullmatch(r"[0-9]{1,9}", retry_after.strip(), re.ASCII):
        return int(retry_after)
    when = read_date(retry_after)
    return None if when is None else max(0, int(when.timestamp() - time.time()))
