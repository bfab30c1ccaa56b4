"""The bell: tells the workers, after a commit, that there is mail. A hint only: the outbox is the truth.

Rung off the request path by one thread with short timeouts, so a Redis that hangs holds up no move (T-06).
"""

import contextlib
import queue
import threading
import time
from typing import Final

from config.readers import MEMORY

KEY: Final = "wardroom:bell"
TIMEOUT: Final = 0.5
PAUSE_AFTER_FAILURE: Final = 5.0


class Bell:
    """Rings through Redis, or through an event of this process where there is no Redis."""

    def __init__(self, redis_url: str) -> None:
        self.redis_url = redis_url
        self.rung = threading.Event()
        self._pending: queue.Queue[None] = queue.Queue(maxsize=1)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def ring(self) -> None:
        """Wake whoever delivers. Returns at once, never raises; rings while one is under way are one."""
        if self.redis_url == MEMORY:
            self.rung.set()
            return
        with contextlib.suppress(queue.Full):
            self._pending.put_nowait(None)
        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # also after a fork
                self._thread = threading.Thread(target=self._ringer, name="bell", daemon=True)
                self._thread.start()

    def _ringer(self) -> None:
        import redis

        client = redis.Redis.from_url(
            self.redis_url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, retry_on_timeout=False
        )
        while True:
            self._pending.get()
            try:
                client.lpush(KEY, b"1")
                client.ltrim(KEY, 0, 0)
            except redis.RedisError:
                time.sleep(PAUSE_AFTER_FAILURE)
