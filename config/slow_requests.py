"""A worker of gunicorn whose threads see only whole requests, so that half-sent ones keep nobody waiting.

gunicorn's threads wait for the rest of a request: as many half-sent bodies as there are threads stop a service. Its
main loop waits up to two seconds for each client that does not close its side. Here that loop receives requests and
closes connections, without waiting for any of them.

A connection has credit, in seconds, that bytes restore: the rule of Apache's `RequestReadTimeout body=10,MinRate=500`.
"""

import contextlib
import errno
import re
import selectors
import socket
import time
from functools import partial
from typing import Any, Final

from gunicorn import util
from gunicorn.http.parser import RequestParser
from gunicorn.workers.gthread import TConn, ThreadWorker

CREDIT: Final = 10.0
"""Seconds for which a request may make no progress."""
BYTES_A_SECOND: Final = 500
"""The slowest that a request may arrive in the long run."""
LINGER: Final = 2.0
"""Seconds until a client closes its side of an answered connection (RFC 9112, 9.6)."""
MOST_DRAINED: Final = 65_536
"""Bytes that a client may still send meanwhile."""
MOST_BUFFERED: Final = 64 * 1024 * 1024
"""Bytes of all unfinished requests of a process."""
SWEEP: Final = 0.25
"""Seconds between two looks for connections without credit."""
SPARE: Final = 2
"""Seconds that a worker keeps of its graceful timeout to end everything else."""
_LENGTH: Final = re.compile(rb"\r\ncontent-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
_CODED: Final = re.compile(rb"\r\ntransfer-encoding[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE)
_EXPECTS: Final = re.compile(rb"\r\nexpect[ \t]*:[ \t]*100-continue[ \t]*(?=\r\n)", re.IGNORECASE)
_SIZE: Final = re.compile(rb"[0-9a-fA-F]{1,12}")
_NOBODY_THERE: Final = (errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED)
_NO_FILES: Final = (errno.EMFILE, errno.ENFILE)


class Connection(TConn):  # type: ignore[misc]
    """A client, and what it sent of its next request. gunicorn's parser alone decides what that request says."""

    def __init__(self, worker: "BufferingWorker", sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(worker.cfg, sock, client, server)
        self.largest_head = worker.cfg.limit_request_fields * (worker.cfg.limit_request_field_size + 2) + 8_192
        self.largest_body: int = worker.largest_body
        self.parser = RequestParser(worker.cfg, (), client)  # it reads what it is given, never the socket
        self.data_ready = True
        self.drained = 0
        self.until = 0.0
        self.await_next(b"")

    def await_next(self, received: bytes) -> None:
        """Start over with the bytes that followed the last request."""
        self.received = bytearray(received)
        self.searched = 0
        self.body: int | None = None
        """Where the body begins, once the head is there."""
        self.end: int | None = None
        """Where the body ends, if the head says so; else it comes in chunks."""
        self.is_whole = False

    def receive(self, data: bytes) -> None:
        """Take more bytes, which restore credit."""
        now = time.monotonic()
        since = self.until if self.received else now + CREDIT
        self.until = min(now + CREDIT, since + len(data) / BYTES_A_SECOND)
        self.received += data

    def is_ready(self) -> bool:
        """Return whether a thread can answer: the request is whole, or so long that it will be refused."""
        if self.body is None and not self._read_head():
            return bool(len(self.received) > self.largest_head)
        self.is_whole = self._has_body()
        return self.is_whole or self._body_is_too_large()

    def _read_head(self) -> bool:
        at = self.received.find(b"\r\n\r\n", max(0, self.searched - 3))
        self.searched = len(self.received)
        if at < 0:
            return False
        head = bytes(self.received[: at + 2])
        self.body = self.searched = at + 4
        length, coded = _LENGTH.search(head), _CODED.search(head)
        if coded is None:
            self.end = self.body + (int(length[1]) if length else 0)
        elif not coded[1].lower().rstrip().endswith(b"chunked"):
            self.end = self.body  # gunicorn refuses it
        if not self._has_body() and not self._body_is_too_large():
            self._let_continue(head)
        return True

    def _has_body(self) -> bool:
        return self._has_chunks() if self.end is None else len(self.received) >= self.end

    def _body_is_too_large(self) -> bool:
        assert self.body is not None
        return (self.end or len(self.received)) - self.body > self.largest_body

    def _has_chunks(self) -> bool:
        """Return whether the body is complete (RFC 9112, 7.1): the last chunk and trailers, or a malformed one."""
        while (line := self.received.find(b"\r\n", self.searched)) >= 0:
            size = _SIZE.match(self.received, self.searched, line)
            if not size:
                return True
            if int(size[0], 16) == 0:
                return self.received.find(b"\r\n\r\n", line) >= 0
            following = line + 4 + int(size[0], 16)
            if following > len(self.received):
                return False
            self.searched = following
        return False

    def _let_continue(self, head: bytes) -> None:
        """Ask for the body if the client waits for that (RFC 9110, 10.1.1)."""
        if (expects := _EXPECTS.search(head)) is None or b" HTTP/1.1\r\n" not in head:
            return
        with contextlib.suppress(OSError):
            self.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        gone = expects.end() - expects.start()
        del self.received[expects.start() : expects.end()]
        self.body = self.searched = self.searched - gone
        if self.end is not None:
            self.end -= gone


class BufferingWorker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's worker of threads, which are given whole requests. Speaks HTTP/1.1 without TLS, as a proxy does."""

    largest_body = 262_144
    """Bytes of a body that is collected; the application refuses a larger one without reading it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.most_unfinished = max(1, self.worker_connections // 2)
        self.unfinished: dict[Connection, None] = {}
        """Connections without a whole request, the oldest first."""
        self.lingering: dict[Connection, None] = {}
        """Connections that were answered and whose clients may still send, the oldest first."""
        self.buffered = 0
        self.swept = 0.0

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection. Drop the oldest unfinished one if there is no room."""
        try:
            sock, client = listener.accept()
        except OSError as error:
            if error.errno in _NO_FILES:
                self._make_room()
            elif error.errno not in _NOBODY_THERE:
                raise
            return
        if len(self.unfinished) >= self.most_unfinished:
            self._make_room()
        self.nr_conns += 1
        connection = Connection(self, sock, client, listener.getsockname())
        connection.until = time.monotonic() + CREDIT
        self._await_request(connection)

    def _make_room(self) -> None:
        for connection in self.lingering or self.unfinished:
            self._close(connection)
            return

    def _await_request(self, connection: Connection) -> None:
        connection.sock.setblocking(False)
        self.unfinished[connection] = None
        self.buffered += len(connection.received)
        self.poller.register(connection.sock, selectors.EVENT_READ, partial(self._receive, connection))

    def _receive(self, connection: Connection, sock: socket.socket) -> None:
        if connection not in self.unfinished:
            return  # dropped by another event of the same round
        if (data := _received(sock)) is None:
            return
        if not data:
            self._close(connection)
            return
        before = len(connection.received)
        connection.receive(data)
        is_ready = connection.is_ready()
        self.buffered += len(connection.received) - before
        if is_ready:
            self._leave(connection)
            self._hand_over(connection)
        while self.buffered > MOST_BUFFERED and self.unfinished:
            self._close(next(iter(self.unfinished)))

    def _leave(self, connection: Connection) -> None:
        """Stop listening to a connection."""
        if connection in self.unfinished:
            del self.unfinished[connection]
            self.buffered -= len(connection.received)
        self.lingering.pop(connection, None)
        with contextlib.suppress(KeyError, ValueError, OSError):
            self.poller.unregister(connection.sock)

    def _hand_over(self, connection: Connection) -> None:
        connection.parser.unreader.unread(bytes(connection.received))
        connection.received.clear()
        self.enqueue_req(connection)

    def _keepalive_after(self, conn: Connection, keepalive: bool) -> bool:
        return conn.is_whole and bool(super()._keepalive_after(conn, keepalive))

    def finish_request(self, conn: Connection, fs: Any) -> None:
        """Await the next request of a connection, or close it without waiting for its client."""
        if fs.cancelled() or fs.exception() is not None or not fs.result():
            self._close_gently(conn)
            return
        conn.await_next(conn.parser.unreader.take_buffered())
        conn.until = time.monotonic() + self.cfg.keepalive
        if conn.received and conn.is_ready():
            self._hand_over(conn)
        else:
            self._await_request(conn)

    def _close_gently(self, connection: Connection) -> None:
        """Tell the client that nothing more comes, and close once it closes its side."""
        if len(self.lingering) >= self.most_unfinished:
            self._make_room()
        self.lingering[connection] = None
        try:
            connection.sock.setblocking(False)
            connection.sock.shutdown(socket.SHUT_WR)
            self.poller.register(connection.sock, selectors.EVENT_READ, partial(self._drain, connection))
        except (OSError, ValueError):
            self._close(connection)
        else:
            connection.until = time.monotonic() + LINGER

    def _drain(self, connection: Connection, sock: socket.socket) -> None:
        if connection not in self.lingering:
            return
        if (data := _received(sock)) is None:
            return
        connection.drained += len(data)
        if not data or connection.drained > MOST_DRAINED:
            self._close(connection)

    def _close(self, connection: Connection) -> None:
        self._leave(connection)
        self.nr_conns -= 1
        connection.close()

    def murder_pending(self) -> None:
        """Close connections whose time is over. One that sent part of a request is told so (RFC 9110, 15.5.9)."""
        now = time.monotonic()
        if now - self.swept < SWEEP:
            return
        self.swept = now
        for connection in [late for late in (*self.unfinished, *self.lingering) if late.until <= now]:
            if connection in self.lingering or not connection.received:
                self._close(connection)
                continue
            with contextlib.suppress(OSError):
                util.write_error(connection.sock, 408, "", "")
            self._leave(connection)
            self._close_gently(connection)

    def _cap_keepalive(self, deadline: float) -> None:
        """Let connections without a whole request, as browsers open them ahead, end with a worker that stops."""
        for connection in self.unfinished:
            connection.until = min(connection.until, deadline)


def _received(sock: socket.socket) -> bytes | None:
    """Return the bytes that have come; none at all if the client is gone. Returns None if there is nothing yet."""
    try:
        return sock.recv(65_536)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def end_waits(worker: Any) -> None:
    """Hook of gunicorn (`post_worker_init`): let a worker that is to end not wait for those who wait for news in it.

    It gives up a little before its master, which has the same patience and then sends SIGKILL (G-05).
    """
    worker.cfg.set("graceful_timeout", max(1, worker.cfg.graceful_timeout - SPARE))
    worker.wsgi.extensions["wardroom"].serve_while(lambda: worker.alive)


def take_bodies(worker: Any) -> None:
    """Hook of gunicorn (`post_worker_init`): collect bodies as large as the application takes."""
    worker.largest_body = worker.wsgi.config["MAX_CONTENT_LENGTH"]
