"""The clock and the mail of the embedded mode: a thread that sweeps, and those that it wakes."""

import fcntl
import itertools
from functools import partial
from typing import IO

from service.container import Services
from service.kernel import private_files
from service.store.games import analyses, thoughts
from service.store.incoming import inbox
from service.store.outgoing import deliveries, destinations, webhooks
from workers.bots.thinker import Thinker
from workers.feeds.channel import tell_feeds
from workers.loop import Loop
from workers.mail_in.inbox_worker import Postroom
from workers.mail_out.channel import deliver
from workers.mail_out.transport import Transport
from workers.processes.messengers import Messengers
from workers.sweep import housekeep, sweep_clocks, write_log
from workers.teacher.teacher import teacher

HOUSEKEEPING_EVERY = 60
"""Sweeps between two rounds of housekeeping."""
MAIL_IN = 5
"""Seconds of one sweep for mail that came in: deadlines wait for it. The sweep after it goes on at once."""


class Scheduler:
    """The clock and the mail of the embedded mode: a thread that sweeps when it is woken, and every few seconds.

    Mail goes out in a thread of its own, woken by the other: a mail server that hangs holds up no deadline. Bots think
    in a process of low priority, and a third thread waits for it.
    """

    def __init__(self, services: Services, way: Transport) -> None:
        self.services = services
        self.way = way
        self.postroom = Postroom(services)
        self.messengers = Messengers(services)
        self.teacher = teacher(services)
        self.rounds = itertools.count()
        self.loop = Loop(
            "scheduler",
            self._sweep,
            services.settings.sweep_seconds,
            woken=services.wakeup.woken,
            patience=10,
        )
        self.thinker = Thinker(services)
        self.bots = Loop("bots", self.thinker.work, services.settings.sweep_seconds, at_end=self.thinker.close)
        self.mail = Loop(
            "mail", partial(deliver, services, way), services.settings.sweep_seconds, patience=10, at_end=way.close
        )

    def start(self) -> None:
        """Begin to sweep."""
        self.loop.start()
        self.mail.start()
        self.messengers.start()
        self.teacher.start()
        self.bots.start()

    def stop(self) -> None:
        """Finish the sweep under way, then end."""
        self.bots.stop()
        self.thinker.close()
        self.messengers.stop()
        self.teacher.stop()
        self.loop.stop()
        self.mail.stop()

    def _sweep(self) -> None:
        self.messengers.wake()
        self.teacher.wake()
        self.mail.wake()
        self.bots.wake()
        self.postroom.work(seconds=MAIL_IN)
        sweep_clocks(self.services)
        self.mail.wake()  # for what became due
        tell_feeds(self.services)
        if next(self.rounds) % HOUSEKEEPING_EVERY == 0:  # after what people wait for, also at the start
            housekeep(self.services)
        write_log(self.services)


def void_leases(services: Services) -> IO[str] | None:
    """End the leases that dead processes left on the SQLite file, where it is certain that they are dead (G-05).

    A lock beside the file is held as long as what is answered lives, and let go by the system however it dies. None
    where another process holds it, as while gunicorn replaces one, and with PostgreSQL: then leases run out by
    themselves.
    """
    if not services.database.is_sqlite:
        return None
    beside = f"{services.database.engine.url.database}.serving"
    file = open(beside, "w", opener=private_files.opener)  # noqa: SIM115 - held to the end
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        deliveries.void_leases(tx)
        destinations.void_leases(tx, now)
        webhooks.void_leases(tx, now)
        inbox.void_leases(tx)
        analyses.void_leases(tx)
        thoughts.void_leases(tx)
    return file
