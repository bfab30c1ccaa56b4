"""Leases that are renewed while their holder lives: a thread beside whoever sends.

So a lease may be short. What its holder had in hand when it died comes to another soon, and a server that takes its
time costs nobody the lease (Q-11, G-05).
"""

import threading
from typing import Final, Self

import structlog

from service.container import Services
from service.kernel.clock import SECOND
from service.store.deliveries import Delivery
from service.store.errors import DatabaseError
from workers.channels.channel import Channel

log = structlog.get_logger("wardroom.channels")
RENEWALS: Final = 4
"""In the time of a lease: one that fails, as the database is away for a moment, does not lose it."""


class Keeper:
    """Renews the leases of the deliveries under way on a channel. Its thread lives only while there are any."""

    def __init__(self, services: Services, channel: Channel) -> None:
        self.services = services
        self.channel = channel
        self.held: dict[int, Delivery] = {}
        self.ended = threading.Event()
        self.thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()

    def hold(self, delivery: Delivery) -> None:
        """Renew the lease of this delivery from now on."""
        self.held[delivery.id] = delivery
        if self.thread is None:
            self.thread = threading.Thread(target=self._run, name=f"{self.channel.name}-leases", daemon=True)
            self.thread.start()

    def let_go(self, delivery: Delivery) -> None:
        """Renew it no more."""
        self.held.pop(delivery.id, None)

    def renew(self) -> None:
        """Renew all that is held."""
        for delivery in tuple(self.held.values()):
            with self.services.database.write() as tx:
                now = self.services.database.clock.now(tx)
                if not self.channel.renew(tx, delivery, now, now + self.channel.lease_seconds * SECOND):
                    self.let_go(delivery)

    def _run(self) -> None:
        while not self.ended.wait(self.channel.lease_seconds / RENEWALS):
            try:
                self.renew()
            except DatabaseError as error:
                log.warning("leases not renewed", channel=self.channel.name, error=type(error).__name__)
