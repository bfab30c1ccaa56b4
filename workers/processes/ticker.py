"""A thread beside a worker's pool: passes wakeups on, and does the sweep itself when nobody else does (Q-2, F-20)."""

import contextlib
import time
from collections.abc import Callable
from typing import Final

import redis
from kombu.exceptions import OperationalError

from config.settings import Settings
from service.container import assemble
from service.kernel.clock import SECOND
from service.kernel.wakeup import KEY
from service.store.across import gauges
from service.store.games import thoughts
from service.store.incoming import inbox
from service.store.running.heartbeats import last_beat
from workers.bots.thinker import Thinker
from workers.loop import Loop
from workers.mail_in import imap
from workers.mail_in.inbox_worker import Postroom
from workers.mail_out.channel import deliver
from workers.mail_out.transport import transport
from workers.processes.messengers import Messengers
from workers.sweep import sweep
from workers.teacher.teacher import teacher

LISTEN: Final = 4
"""Seconds of one wait for a wakeup: below the socket timeout."""
SILENCE: Final = 30
"""Seconds without a beat after which this thread sweeps."""
EVERY: Final = 15
"""Seconds between its sweeps while nobody beats."""
LATE: Final = 8
"""Seconds after which this thread does mail that is due itself: Redis may be gone, or the pool, while beat is heard."""
LATE_BOTS: Final = 20
"""Seconds after which bots think here, in a process of low priority: the worker of bots may be gone."""


class Ticker:
    """One thread with a database connection and a mail transport of its own. `send` queues a task by name."""

    def __init__(self, settings: Settings, send: Callable[[str], object]) -> None:
        self.send = send
        self.services, self.way = assemble(settings), transport(settings)
        self.postroom = Postroom(self.services)
        self.messengers = Messengers(self.services)
        self.teacher = teacher(self.services)
        self.thinker = Thinker(self.services)
        self.bots = Loop("late-bots", self._think_if_late, LISTEN, at_end=self.thinker.close)
        self.poller = imap.poller(self.services, patience=2 * imap.EVERY)
        self.client = redis.Redis.from_url(
            settings.redis_url, socket_timeout=LISTEN + 2, socket_connect_timeout=1, retry_on_timeout=False
        )
        self.swept = 0.0
        self.loop = Loop("ticker", self._tick, 0, pause=LISTEN, at_end=self._close)

    def start(self) -> None:
        """Begin to listen."""
        self.services.begin("worker")
        self.poller.start()
        self.messengers.start()
        self.teacher.start()
        self.bots.start()
        self.loop.start()

    def stop(self) -> None:
        """End soon."""
        self.loop.stop()

    def _tick(self) -> None:
        if self._is_woken():
            self.messengers.wake()
            self.teacher.wake()
            with contextlib.suppress(redis.RedisError, OperationalError):  # then it is late, and done below
                self.send("mail.deliver")
                if self._is_a_bot_asked():
                    self.send("bots.think")
        if self._is_mail_late():
            self.postroom.work(seconds=LISTEN)
            deliver(self.services, self.way, seconds=LISTEN)
        if self._is_silent() and time.monotonic() - self.swept > EVERY:
            sweep(self.services, self.way, self.postroom.work)
            self.swept = time.monotonic()

    def _is_woken(self) -> bool:
        try:
            return self.client.brpop([KEY], timeout=LISTEN) is not None
        except redis.RedisError:
            time.sleep(LISTEN)  # as long as it would have listened
            return False

    def _is_a_bot_asked(self) -> bool:
        with self.services.database.read() as connection:
            return thoughts.is_due(connection, self.services.database.clock.now(connection))

    def _think_if_late(self) -> None:
        """Let bots think that nobody has thought for in time; in a thread of its own, as it takes long."""
        with self.services.database.read() as connection:
            now = self.services.database.clock.now(connection)
            oldest = thoughts.count(connection, now).oldest
        if oldest is not None and now - oldest > LATE_BOTS * SECOND:
            self.thinker.work(seconds=LISTEN)

    def _is_mail_late(self) -> bool:
        """Whether mail waits that the tasks should have done by now: beat may be heard, and they may not be."""
        with self.services.database.read() as connection:
            now = self.services.database.clock.now(connection)
            oldest = (gauges.due(connection, now)[1], inbox.oldest_waiting(connection, now))
            return any(since is not None and now - since > LATE * SECOND for since in oldest)

    def _is_silent(self) -> bool:
        with self.services.database.read() as connection:
            beaten = last_beat(connection, "beat")
            return beaten is None or self.services.database.clock.now(connection) - beaten > SILENCE * SECOND

    def _close(self) -> None:
        self.poller.stop()
        self.messengers.stop()
        self.teacher.stop()
        self.bots.stop()
        self.thinker.close()
        self.postroom.close()
        self.services.end()
        self.services.database.close()
        self.way.close()
