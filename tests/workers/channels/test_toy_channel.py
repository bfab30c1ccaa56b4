"""A third channel in one file: what is told goes out by it, is tried again after a failure, and is settled once."""

import pytest
import sqlalchemy as sa

from service.store.outgoing.deliveries import Delivery, deliveries
from service.store.outgoing.routes import ROUTES, Route
from tests.workers.worker_tables import WorkerTables
from workers.channels import lease_loop
from workers.channels.channel import Channel, Outcome, Verdict
from workers.channels.retries import RetryPolicy
from workers.feeds.channel import Feeds
from workers.mail_out.channel import Mail
from workers.push.channel import Push
from workers.webhooks.channel import Webhooks


class Toy(Channel):
    """A toy that squeaks at every turn, and that is broken at first."""

    name = "toy"
    retries = RetryPolicy(pauses=(60,), attempts=5)

    def __init__(self) -> None:
        self.broken = True
        self.squeaks: list[str] = []

    def wants(self, person: str, kind: str) -> bool:
        return kind == "your-turn"

    def send(self, delivery: Delivery) -> Outcome:
        if self.broken:
            return Outcome(Verdict.LATER, "it is broken")
        self.squeaks.append(delivery.recipient)
        return Outcome(Verdict.SENT)


def states(tables: WorkerTables) -> list[tuple[str, int, str | None]]:
    columns = (deliveries.c.state, deliveries.c.attempts, deliveries.c.reason)
    with tables.services.database.read() as connection:
        return [tuple(row) for row in connection.execute(sa.select(*columns).where(deliveries.c.channel == "toy"))]


def test_a_channel_is_one_file_and_a_line(tables: WorkerTables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROUTES, "toy", Route(kinds=frozenset({"your-turn"})))
    tables.begin("ann", "bob")
    toy = Toy()
    assert lease_loop.deliver(tables.services, toy) == 0
    assert states(tables) == [("queued", 1, "it is broken")] * 2
    toy.broken = False
    assert lease_loop.deliver(tables.services, toy) == 0, "it is left alone for a minute"
    tables.advance(minutes=1)
    assert lease_loop.deliver(tables.services, toy) == 2
    assert lease_loop.deliver(tables.services, toy) == 0, "once"
    assert states(tables) == [("sent", 2, None)] * 2
    assert sorted(toy.squeaks) == sorted(tables.ids[name] for name in ("ann", "bob"))
    assert tables.deliver() == 2, "and mail goes out as ever"


def test_every_channel_has_its_route() -> None:
    assert set(ROUTES) == {Mail.name, Webhooks.name, Feeds.name, Push.name}
