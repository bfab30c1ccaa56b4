"""A wakeup: tells the workers, after a commit, that there is mail; and the news process what may be new, and for whom.

Hints only: the outbox and the game are the truth. Sent off the request path by one thread with short timeouts, so a
Redis that hangs holds up no move (T-06).
"""

import contextlib
import queue
import threading
import time
from collections.abc import Mapping
from typing import Final

from config.readers import MEMORY

KEY: Final = "wardroom:bell"  # both sides of a rolling upgrade must know it
NEWS: Final = "wardroom:news"  # as they must this
TIMEOUT: Final = 0.5
PAUSE_AFTER_FAILURE: Final = 5.0


class Wakeup:
    """Wakes the workers through Redis, or through an event of this process where there is no Redis."""

    def __init__(self, redis_url: str) -> None:
        self.redis_url = redis_url
        self.woken = threading.Event()
        self._pending: queue.Queue[None] = queue.Queue(maxsize=1)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._work_is_due = False
        self._hints: dict[str, int] = {}

    def wake(self) -> None:
        """Wake whoever delivers. Returns at once, never raises; calls while one is under way are one."""
        if self.redis_url == MEMORY:
            self.woken.set()
            return
        self._work_is_due = True
        self._ring()

    def tell(self, hints: Mapping[str, int]) -> None:
        """Tell whoever listens at Redis of games and the versions they are at, of people and 0. Returns at once, never
        raises."""
        with self._lock:
            self._hints |= hints
        self._ring()

    def _ring(self) -> None:
        with contextlib.suppress(queue.Full):
            self._pending.put_nowait(None)
        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # also after a fork
                self._thread = threading.Thread(target=self._send, name="wakeup", daemon=True)
                self._thread.start()

    def _send(self) -> None:
        import redis

        client = redis.Redis.from_url(
            self.redis_url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry_on_timeout=False
        )
        while True:
            self._pending.get()
            with self._lock:
                due, self._work_is_due = self._work_is_due, False
                hints, self._hints = self._hints, {}
            pipeline = client.pipeline(transaction=False)
            if due:
                pipeline.lpush(KEY, b"1")
                pipeline.ltrim(KEY, 0, 0)
            for id, version in hints.items():
                pipeline.publish(NEWS, f"{id} {version}")
            try:
                pipeline.execute()
            except redis.RedisError:
                time.sleep(PAUSE_AFTER_FAILURE)
