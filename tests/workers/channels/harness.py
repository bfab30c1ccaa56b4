"""A channel under test: deliveries that are due on it, a destination that answers as told, and senders that may die."""

import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from typing import Any, ClassVar, Final, NamedTuple

import pytest
import sqlalchemy as sa

from domain.engine.bots import Bot
from service.kernel.fault_points import faults
from service.store.connection import Connection
from service.store.database import Database
from service.store.outgoing.deliveries import deliveries
from tests.acceptance.processes import until
from tests.manual_clock import Died
from workers.channels import lease_loop
from workers.channels.channel import Channel

CLOCK: Final = {"per_move": "P60D", "grace": "PT10M", "strikes": 2}
STATE: Final = ("deliveries", "destinations", "webhooks", "devices")
"""The tables in which senders note what came of a delivery."""


class Reply(Enum):
    """What a destination does with a delivery."""

    TAKEN = auto()
    PUT_OFF = auto()
    REFUSED = auto()
    AWAY = auto()  # it cannot be reached
    BROKEN = auto()  # it goes away with the delivery in hand


class Try(NamedTuple):
    """One attempt, as the destination saw it."""

    game: str  # "" if it did not come to that
    id: str  # by which a recipient recognises a copy
    content: bytes
    reply: Reply


class Harness(ABC):
    """One channel, whose destination is played by the test."""

    name: ClassVar[str]
    leases: ClassVar[tuple[str, ...]] = ("deliveries",)  # the tables in which a sender holds one
    not_made: ClassVar[str] = "it could not be made"
    probes_at_once: ClassVar[int] = 2  # tries before the first pause: a connection may break
    probe_pauses: ClassVar[tuple[int, ...]] = (2, 5, 10, 10, 10)
    slow_probe: ClassVar[int] = 10  # the pause if it has been away for more than an hour
    lost_probe: ClassVar[int] = 10  # seconds after which a probe whose sender died is followed by another
    pauses: ClassVar[tuple[int, ...]]  # of a delivery that is put off; the last is repeated
    spread: ClassVar[tuple[float, float]] = (0.75, 1.25)
    attempts: ClassVar[int]
    given_up: ClassVar[str]

    def __init__(self, tables: Any) -> None:
        self.tables: Any = tables
        self.tries: list[Try] = []
        self.reply = Reply.TAKEN
        self.replies: dict[str, Reply] = {}  # to deliveries about a game
        self.meanwhile: Callable[[], object] = lambda: None  # what happens while the destination has one in hand

    # What each channel says for itself

    @abstractmethod
    def enter(self, name: str) -> None:
        """Make somebody a recipient on this channel."""

    @abstractmethod
    def sender(self) -> Channel:
        """A sender, as one process has it."""

    @abstractmethod
    def close(self) -> None:
        """End what is kept open."""

    # What the destination sees

    def receive(self, game: str, id: str, content: bytes) -> Reply:
        """Note a try and say how the destination answers it."""
        self.meanwhile()
        reply = self.replies.get(game, self.reply)
        self.tries.append(Try(game, id, content, reply))
        return reply

    def copies(self) -> Counter[str]:
        """How often each delivery was taken."""
        return Counter(tried.id for tried in self.tries if tried.reply is Reply.TAKEN)

    def versions(self) -> int:
        """How many different contents arrived; as many as deliveries, if each copy is the same to the byte."""
        return len({(tried.id, tried.content) for tried in self.tries if tried.content})

    # Deliveries and their senders

    def put(self, name: str = "ann") -> str:
        """Make one delivery due. Returns its game."""
        self.enter(name)
        game: str = self.tables.begin(name, bots=[Bot(1)], clock=CLOCK)
        return game

    def deliver(self, fault: Callable[[str], None] = lambda _: None, **more: Any) -> int:
        """Send what is due by a sender of its own. Returns how many were sent."""
        with faults(fault):
            return lease_loop.deliver(self.tables.services, self.sender(), **{"lanes": 1, **more})

    def dies(self, fault: Callable[[str], None]) -> None:
        """Let a sender die."""
        with pytest.raises(Died):
            self.deliver(fault)

    def rows(self, *games: str) -> list[dict[str, Any]]:
        """The deliveries on this channel, of all games or these; the one due first comes first."""
        found = sa.select(deliveries).where(deliveries.c.channel == self.name)
        found = found.where(deliveries.c.game_id.in_(games)) if games else found
        found = found.order_by(deliveries.c.not_before, deliveries.c.id)
        with self.tables.services.database.read() as connection:
            return [dict(row) for row in connection.execute(found).mappings()]

    def states(self) -> Counter[str]:
        return Counter(row["state"] for row in self.rows())

    def state(self) -> list[Any]:
        """Everything that a settlement may change."""
        with self.tables.services.database.read() as connection:
            return [connection.execute(sa.text(f"SELECT * FROM {name} ORDER BY 1, 2")).fetchall() for name in STATE]

    def requeue(self, *games: str) -> None:
        """Make deliveries due again, as if they had never been tried."""
        fresh = {"state": "queued", "not_before": self.tables.clock.at, "lease": None, "lease_until": 0, "log": "[]"}
        fresh |= {"attempts": 0, "interrupted": 0, "body": None, "put_off": None, "due_at": None, "done_at": None}
        these = sa.update(deliveries).where(deliveries.c.channel == self.name, deliveries.c.game_id.in_(games))
        with self.tables.services.database.write() as tx:
            tx.execute(these.values(**fresh))
            tx.execute(sa.text("UPDATE webhooks SET lease = NULL, lease_until = 0"))

    def steal(self, table: str) -> None:
        """Give all leases that are held in a table to another sender."""
        stolen = f"UPDATE {table} SET lease = 'another', lease_until = :until WHERE lease IS NOT NULL"
        self.tables.execute(stolen, until=self.tables.clock.at + 10**12)

    def wait_until_renewed(self) -> None:
        """Wait for the lease that is held to be renewed since the clock was moved."""
        until(lambda: self._lease_until() >= self.tables.clock.at + 10**6 * self.sender().lease_seconds, "a renewal")

    def wait_for_keepers(self) -> None:
        """Wait for the threads that renew leases to end."""
        for thread in threading.enumerate():
            if thread.name == f"{self.name}-leases":
                thread.join(60)

    def _lease_until(self) -> int:
        return max(row["lease_until"] for row in self.rows())

    def advance(self, **span: float) -> None:
        self.tables.advance(**span)


def dying_about(harness: Harness, game: str, point: str) -> Callable[[str], None]:
    """A fault that kills the sender at a point, with the delivery about this game in hand."""

    def fault(name: str) -> None:
        (row,) = harness.rows(game)
        if name == point and row["lease_until"] > harness.tables.clock.at:
            raise Died(point)

    return fault


@contextmanager
def crash_at(number: int) -> Iterator[Callable[[str], None]]:
    """Die at the n-th step of this thread: before or after a commit, or at a named point.

    The points are for the fault yielded. A death between two statements of a transaction is one before its commit.
    """
    thread, count, commit = threading.get_ident(), 0, Database._commit

    def step(_: object = None) -> None:
        nonlocal count
        if threading.get_ident() == thread:
            count += 1
            if count == number:
                raise Died(str(number))

    def commits(database: Database, connection: Connection) -> None:
        step()
        commit(database, connection)
        step()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_commit", commits)
        yield step
