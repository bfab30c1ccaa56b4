"""Frees callers of a PostgreSQL that is frozen: open connections to it never fail by themselves (T-31)."""

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any, Final

LONGEST: Final = 12.0
"""Seconds one unit of work may hold its connection; statements end themselves at 5 on a server that lives."""
LOOK_EVERY: Final = 1.0


class Watchdog:
    """One thread that shuts the sockets of connections held for too long: their callers get an error, not silence."""

    def __init__(self, longest: float = LONGEST) -> None:
        self.longest = longest
        self._held: dict[int, tuple[float, Any]] = {}
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self._pid = 0

    @contextlib.contextmanager
    def over(self, driver_connection: Any) -> Iterator[None]:
        """Watch this psycopg connection for the length of the block."""
        self._awake()
        key = id(driver_connection)
        self._held[key] = (time.monotonic(), driver_connection)
        try:
            yield
        finally:
            self._held.pop(key, None)

    def _awake(self) -> None:
        if self._pid != os.getpid():  # the first time, and after a fork: threads are not inherited
            self._pid = os.getpid()
            self._held = {}
            self._closed = threading.Event()
            self._thread = threading.Thread(
                target=self._look, args=(self._closed,), name="database-watchdog", daemon=True
            )
            self._thread.start()

    def close(self) -> None:
        """End the thread; the next connection that is watched starts another."""
        self._closed.set()
        self._pid = 0

    def _look(self, closed: threading.Event) -> None:
        while not closed.wait(LOOK_EVERY):
            now = time.monotonic()
            for began, connection in list(self._held.values()):
                if now - began > self.longest:
                    _shut(connection)


def _shut(connection: Any) -> None:
    with contextlib.suppress(Exception), socket.socket(fileno=os.dup(connection.fileno())) as held:
        held.shutdown(socket.SHUT_RDWR)  # an error means that it ended by itself just now
