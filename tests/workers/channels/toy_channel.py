"""A toy channel in one file: it squeaks at every turn."""

from collections.abc import Callable, Mapping
from typing import Final

from service.container import Services
from service.kernel.fault_points import reach
from service.store.database import Connection
from service.store.outgoing.deliveries import Delivery
from workers.channels.channel import Channel, Condition, Outcome, Verdict
from workers.channels.destination import Destination
from workers.channels.retries import RetryPolicy
from workers.kinds.registry import KINDS
from workers.letters.letter_data import Superseded

OUTCOMES: Final[Mapping[str, Outcome]] = {
    "TAKEN": Outcome(Verdict.SENT, shows=Condition.WELL),
    "PUT_OFF": Outcome(Verdict.LATER, "it is busy", shows=Condition.BUSY),
    "REFUSED": Outcome(Verdict.FAILED, "it is not wanted", refused=True, shows=Condition.WELL),
    "AWAY": Outcome(Verdict.HELD, "there is no toy", shows=Condition.AWAY),
    "BROKEN": Outcome(Verdict.HELD, "it broke", shows=Condition.BROKEN),
}


class Toy(Channel):
    """A toy that squeaks when it is somebody's turn."""

    name = "toy"
    retries = RetryPolicy(pauses=(60,), attempts=5)

    def __init__(self, services: Services, squeak: Callable[[Delivery], str]) -> None:
        self.services = services
        self.squeak = squeak
        self.toy = Destination("toy", "the toy")

    def claim(self, tx: Connection, lease: str, now: int, until: int) -> Delivery | None:
        delivery = super().claim(tx, lease, now, until) if self.toy.is_open(tx, now) else None
        if delivery is not None:
            self.toy.begin(tx, delivery, now)
        return delivery

    def renew(self, tx: Connection, delivery: Delivery, now: int, until: int) -> bool:
        is_held = super().renew(tx, delivery, now, until)
        self.toy.renew(tx, delivery, now)
        return is_held

    def is_well(self, tx: Connection, delivery: Delivery) -> bool:
        return self.toy.is_well(tx)

    def wants(self, person: str, kind: str) -> bool:
        return kind == "your-turn"

    def send(self, delivery: Delivery) -> Outcome:
        with self.services.database.read() as connection:
            try:
                KINDS[delivery.kind].still_true(self.services, connection, delivery.notice())
            except Superseded as untrue:
                return Outcome(Verdict.SUPERSEDED, str(untrue))
        reach("composed")
        outcome = OUTCOMES[self.squeak(delivery)]
        reach("sent")
        return outcome

    def follow_up(self, tx: Connection, delivery: Delivery, outcome: Outcome, now: int) -> None:
        self.toy.note(tx, delivery, outcome.shows, outcome.reason or "", now)
