"""Where a channel takes its deliveries: while it is away one probes it now and then, and all go once it answers.

So no pause outlives an outage: what waits for a destination waits as long as that is away, and its next probe.
"""

from dataclasses import dataclass
from typing import Final

import structlog

from service.kernel.clock import SECOND
from service.store.database import Connection
from service.store.outgoing import deliveries, destinations
from service.store.outgoing.deliveries import Delivery
from service.store.outgoing.destinations import Trouble
from workers.channels.channel import Condition

log = structlog.get_logger("wardroom.channels")
PAUSES: Final = (0, 2, 5, 10)
"""Seconds from a failure to the next probe, the last again and again: with the sweep's interval 15 at most."""
PROBING: Final = 10 * SECOND
"""How long a probe keeps others from probing, unless it is renewed: less than a lease, for all wait for it."""
SLOW_AFTER: Final = 3600 * SECOND
BUSY_IN_A_ROW: Final = 3
"""So many deliveries put off in a row, and it is the destination that is busy, not their recipients."""
RELEASED: Final = 3
"""Attempts after which a delivery that was put off keeps its own pause: the destination is well, and refuses it."""


TOLD: Final = 2
"""Failures in a row after which the log tells of it: one may be a connection that broke."""


@dataclass(frozen=True, slots=True)
class Destination:
    """One place that a channel delivers to."""

    channel: str
    name: str
    slow: int = PAUSES[-1]  # seconds between probes once it has been away for an hour

    def pause(self, failures: int, away: int) -> int:
        """Seconds from the n-th failure in a row to the next probe, where it has been away for so long."""
        return self.slow if away > SLOW_AFTER else PAUSES[min(failures, len(PAUSES)) - 1]

    def is_open(self, tx: Connection, now: int) -> bool:
        """Whether a delivery may be tried: it is well, or a probe is due."""
        trouble = destinations.hold(tx, self.channel, self.name)
        return trouble is None or trouble.down_since is None or trouble.probe_at <= now

    def begin(self, tx: Connection, delivery: Delivery, now: int) -> None:
        """A delivery is about to be tried: if the destination is away, it is the one probe for a while."""
        if not self.is_well(tx):
            destinations.change(tx, self.channel, self.name, probe_at=now + PROBING, lease=delivery.lease)

    def is_well(self, tx: Connection) -> bool:
        """Whether it is not away, as far as is known."""
        trouble = destinations.of(tx, self.channel, self.name)
        return trouble is None or trouble.down_since is None

    def renew(self, tx: Connection, delivery: Delivery, now: int) -> None:
        """The probe goes on."""
        destinations.renew_probe(tx, self.channel, self.name, delivery.lease, now + PROBING)

    def note(
        self, tx: Connection, delivery: Delivery, shows: Condition | None, why: str, now: int, wait: int = 0
    ) -> None:
        """Note what an attempt shows of it; it may ask to be left alone for so many seconds."""
        trouble = destinations.hold(tx, self.channel, self.name)
        match shows:
            case None:
                self._end_probe(tx, trouble, delivery, now)
            case Condition.WELL if trouble is not None:
                self._recover(tx, trouble, now)
            case Condition.BUSY | Condition.AWAY | Condition.BROKEN:
                self._fail(tx, trouble, delivery, why, now, wait, busy=shows is Condition.BUSY)

    def _end_probe(self, tx: Connection, trouble: Trouble | None, delivery: Delivery, now: int) -> None:
        """A probe came to nothing, as it had not to be sent: the next may go at once."""
        if trouble is not None and trouble.lease == delivery.lease:
            destinations.change(tx, self.channel, self.name, probe_at=now, lease=None)

    def _recover(self, tx: Connection, trouble: Trouble, now: int) -> None:
        destinations.remove(tx, self.channel, self.name)
        if trouble.down_since is not None:
            deliveries.release(tx, self.channel, now, since=trouble.since, most_attempts=RELEASED, target=None)
            if trouble.failures >= TOLD:
                away = (now - trouble.down_since) // SECOND
                log.warning("it answers again", channel=self.channel, destination=self.name, seconds=away)

    def _fail(
        self, tx: Connection, trouble: Trouble | None, delivery: Delivery, why: str, now: int, wait: int, *, busy: bool
    ) -> None:
        if trouble is None:
            destinations.put(tx, Trouble(self.channel, self.name, now, None, 0, now, None, why))
            trouble = destinations.hold(tx, self.channel, self.name)
        if trouble is None or trouble.lease not in (None, delivery.lease):
            return  # this was not the probe, which will tell
        failures, down = trouble.failures + 1, trouble.down_since
        if down is None and (not busy or failures >= BUSY_IN_A_ROW):
            failures, down = 1, trouble.since if busy else now
        elif down is not None and failures == TOLD:
            log.error("it does not answer", channel=self.channel, destination=self.name, why=why)
        pause = max(wait, self.pause(failures, now - (down or now)))
        changes = {"failures": failures, "down_since": down, "probe_at": now + pause * SECOND, "reason": why}
        destinations.change(tx, self.channel, self.name, lease=None, **changes)
