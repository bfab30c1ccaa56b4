"""A thread beside a worker's pool: passes wakeups on, and does the sweep itself when nobody else does (Q-2, F-20)."""

import threading
import time
from collections.abc import Callable
from typing import Final

import redis
import structlog

from config.settings import Settings
from service.container import assemble
from service.kernel.clock import SECOND
from service.kernel.wakeup import KEY
from workers.mail_in import imap
from workers.mail_in.inbox_worker import Postroom
from workers.mail_out.transport import transport
from workers.sweep import last_beat, sweep
from workers.webhooks.deliver import Messenger

log = structlog.get_logger("wardroom.ticker")
LISTEN: Final = 4
"""Seconds of one wait for a wakeup: below the socket timeout."""
SILENCE: Final = 30
"""Seconds without a beat after which this thread sweeps."""
EVERY: Final = 15
"""Seconds between its sweeps while nobody beats."""


class Ticker:
    """One thread with a database connection and a mail transport of its own. `send` queues a task by name."""

    def __init__(self, settings: Settings, send: Callable[[str], object]) -> None:
        self.settings = settings
        self.send = send
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, name="ticker", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self.thread.start()

    def stop(self) -> None:
        """End soon."""
        self.stopped.set()

    def _run(self) -> None:
        services, way = assemble(self.settings), transport(self.settings)
        postroom = Postroom(services)
        client = redis.Redis.from_url(
            self.settings.redis_url, socket_timeout=LISTEN + 2, socket_connect_timeout=1, retry_on_timeout=False
        )
        poller = imap.Poller(services, patience=2 * imap.EVERY)
        poller.start()
        messenger = Messenger(services)
        messenger.start()
        swept = 0.0
        while not self.stopped.is_set():
            try:
                if self._is_woken(client):
                    messenger.wake()
                    self.send("mail.deliver")
                with services.database.read() as connection:
                    beaten = last_beat(connection, "beat")
                    silent = beaten is None or services.database.clock.now(connection) - beaten > SILENCE * SECOND
                if silent and time.monotonic() - swept > EVERY:
                    sweep(services, way, postroom)
                    swept = time.monotonic()
            except Exception as error:  # the thread must outlive whatever is away just now
                log.warning("tick failed", error=type(error).__name__)
                self.stopped.wait(LISTEN)
        poller.stop()
        messenger.stop()
        postroom.close()
        services.database.close()
        way.close()

    def _is_woken(self, client: "redis.Redis") -> bool:
        try:
            return client.brpop([KEY], timeout=LISTEN) is not None
        except redis.RedisError:
            self.stopped.wait(LISTEN)
            return False
