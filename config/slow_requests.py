"""Requests that do not arrive: a head or body that makes no progress lets go of its thread, and others are served.

gunicorn waits for the rest of a request without end: as many connections as there are threads, each with half a body,
would hold them all. Here each connection has credit, in seconds of waiting, which bytes restore, the rule of Apache's
`RequestReadTimeout header=…,MinRate=500 body=…,MinRate=500`. Once half of the threads wait, there is little credit for
more of them. The time between two requests costs none.
"""

import socket
import time
from threading import Lock
from typing import Any, Final

from gunicorn.http.errors import NoMoreData
from gunicorn.http.unreader import SocketUnreader

CREDIT: Final = 10.0
"""Seconds for which a request may make no progress."""
LITTLE: Final = 0.5
"""Seconds, where half of the threads wait already."""
BYTES_A_SECOND: Final = 500
"""The slowest that a request may arrive in the long run."""
_receive: Final = SocketUnreader.chunk


class Patience:
    """How long the threads of one process wait for requests to go on."""

    def __init__(self, threads: int, credit: float) -> None:
        self.room = max(1, threads // 2)
        self.credit = credit
        self.waiting = 0
        self.lock = Lock()

    def receive(self, unreader: Any, size_hint: int | None = None) -> bytes:
        """The next bytes of a connection. Raises gunicorn's NoMoreData where its credit is used up."""
        connection: socket.socket = unreader.sock
        if connection.gettimeout() is not None:  # gunicorn has a limit of its own here
            return bytes(_receive(unreader, size_hint))
        left: float = getattr(unreader, "credit", self.credit)
        began = time.monotonic()
        connection.settimeout(max(self._begin(left), 0.001))
        try:
            received = bytes(_receive(unreader, size_hint))
        except TimeoutError:
            # Nothing is read any more, else gunicorn would wait for the rest again before it closes the connection.
            connection.shutdown(socket.SHUT_RD)
            raise NoMoreData from None
        finally:
            self._end()
            connection.settimeout(None)
        earned = len(received) / BYTES_A_SECOND
        unreader.credit = min(self.credit, left - (time.monotonic() - began) + earned)
        return received

    def _begin(self, left: float) -> float:
        """Seconds that one more thread may wait."""
        with self.lock:
            self.waiting += 1
            return left if self.waiting <= self.room else min(left, LITTLE)

    def _end(self) -> None:
        with self.lock:
            self.waiting -= 1


def end_waits(worker: Any) -> None:
    """Hook of gunicorn (`post_worker_init`): let a worker that is to end not wait for those who wait for news in it."""
    worker.wsgi.extensions["wardroom"].serve_while(lambda: worker.alive)


def limit_waiting(worker: Any, credit: float = CREDIT) -> None:
    """Hook of gunicorn (`post_worker_init`): let a worker, of threads or not, not wait for ever for a request to go on.

    To what reads the request it is as if the client had gone: a head gets no answer, a body may still get one.
    """
    patience = Patience(worker.cfg.threads, credit)
    SocketUnreader.chunk = lambda unreader, size_hint=None: patience.receive(unreader, size_hint)
