"""What a channel is: it leases what is due on it, and says what came of sending one notice to one target."""

from enum import Enum
from typing import Protocol

import msgspec

from service.notify.kind import KINDS
from service.store.database import Connection
from service.store.outgoing import deliveries
from service.store.outgoing.deliveries import Delivery
from workers.channels.retries import RetryPolicy


class Verdict(Enum):
    """What a delivery comes to: the first three settle it."""

    SENT = "sent"
    SUPERSEDED = "superseded"  # it is not true any more
    FAILED = "failed"
    LATER = "later"  # it was tried in vain
    HELD = "held"  # it is true, but not sent just now: that was no attempt


class Condition(Enum):
    """What an attempt shows of the destination: the mail server, a webhook."""

    WELL = "well"  # it answered, be it to refuse this one
    BUSY = "busy"  # it put this one off: perhaps all, perhaps this one alone
    AWAY = "away"  # it is not there for anybody
    BROKEN = "broken"  # it went away with this one in hand


class Attempt(msgspec.Struct, frozen=True):
    """What came of one attempt, as it is kept in the log of a delivery."""

    at: int
    status: int | None
    error: str | None  # None for a success
    milliseconds: int


class Outcome(msgspec.Struct, frozen=True):
    """What came of sending a delivery, and what the channel itself makes of it."""

    verdict: Verdict
    reason: str | None = None
    message_id: str | None = None
    until: int | None = None  # when what is held is looked at again; None for as soon as anybody comes
    wait: int = 0  # seconds the receiver asks us to wait
    attempt: Attempt | None = None  # for the log
    shows: Condition | None = None  # of the destination; None where nothing was asked of it
    refused: bool = False  # by the receiver, for good
    closes: str | None = None  # why nothing more can be sent to this target


class Channel(Protocol):
    """A way for notices to go out. What stands here fits a channel with one target a person and a sender at a time."""

    name: str
    retries: RetryPolicy
    lease_seconds: int = 15  # renewed while the sender lives
    lanes: int = 1  # deliveries under way at the same time
    not_made: str = "it could not be made"
    shows_errors: bool = True  # in the log, with their traceback; not where they may hold a secret

    def claim(self, tx: Connection, lease: str, now: int, until: int) -> Delivery | None:
        """Lease what has been due for longest, until then; None where nothing is."""
        return next(iter(deliveries.claim(tx, self.name, lease, now, until, 1)), None)

    def renew(self, tx: Connection, delivery: Delivery, now: int, until: int) -> bool:
        """Hold a lease until then. False where it was lost."""
        return deliveries.renew(tx, delivery, until)

    def wants(self, person: str, kind: str) -> bool:
        """Whether somebody wants notices of a kind here; the table of kinds says which go out here at all."""
        return self.name in KINDS[kind].channels

    def send(self, delivery: Delivery) -> Outcome:
        """Check that a notice is still true, and send it."""
        ...

    def is_well(self, tx: Connection, delivery: Delivery) -> bool:
        """Whether the destination was well before this delivery was tried."""
        return True

    def holds(self, tx: Connection, delivery: Delivery) -> bool:
        """Whether what is leased besides the delivery is still ours, for nobody else to change (Q-11)."""
        return True

    def follow_up(self, tx: Connection, delivery: Delivery, outcome: Outcome, now: int) -> None:
        """What follows besides, in the transaction that settles a delivery."""
