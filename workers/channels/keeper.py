"""Leases that are renewed while their holder lives: a thread beside whoever sends.

So a lease may be short. What its holder had in hand when it died comes to another soon, and a server that takes its
time costs nobody the lease (Q-11, G-05).
"""

import threading
from collections.abc import Hashable
from typing import Final, Generic, Protocol, Self, TypeVar

import structlog

from service.container import Services
from service.kernel.clock import SECOND
from service.store.database import Connection
from service.store.errors import DatabaseError

log = structlog.get_logger("wardroom.channels")
RENEWALS: Final = 4
"""In the time of a lease: one that fails, as the database is away for a moment, does not lose it."""


class Leased(Protocol):
    """What can be leased: a delivery, a thought."""

    @property
    def id(self) -> Hashable: ...


L = TypeVar("L", bound=Leased)
L_contra = TypeVar("L_contra", bound=Leased, contravariant=True)


class Lessor(Protocol[L_contra]):
    """Where leases come from: a channel, the worker of bots."""

    @property
    def name(self) -> str: ...

    @property
    def lease_seconds(self) -> int: ...

    def renew(self, tx: Connection, leased: L_contra, now: int, until: int) -> bool:
        """Hold a lease until then. False where it was lost."""


class Keeper(Generic[L]):
    """Renews the leases of what is under way. Its thread lives only while there is anything."""

    def __init__(self, services: Services, lessor: Lessor[L]) -> None:
        self.services = services
        self.lessor = lessor
        self.held: dict[Hashable, L] = {}
        self.ended = threading.Event()
        self.thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()

    def hold(self, leased: L) -> None:
        """Renew the lease of this from now on."""
        self.held[leased.id] = leased
        if self.thread is None:
            self.thread = threading.Thread(target=self._run, name=f"{self.lessor.name}-leases", daemon=True)
            self.thread.start()

    def let_go(self, leased: L) -> None:
        """Renew it no more."""
        self.held.pop(leased.id, None)

    def renew(self) -> None:
        """Renew all that is held."""
        for leased in tuple(self.held.values()):
            with self.services.database.write() as tx:
                now = self.services.database.clock.now(tx)
                if not self.lessor.renew(tx, leased, now, now + self.lessor.lease_seconds * SECOND):
                    self.let_go(leased)

    def _run(self) -> None:
        while not self.ended.wait(self.lessor.lease_seconds / RENEWALS):
            try:
                self.renew()
            except DatabaseError as error:
                log.warning("leases not renewed", channel=self.lessor.name, error=type(error).__name__)
