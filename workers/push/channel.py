"""The channel of Web Push: a notice becomes a message to each device of its recipient (RFC 8030).

A push service that is away, or says that it is busy, is probed by one message; all others go on. A device that its
push service does not know any more is forgotten.
"""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from domain.engine.refusals import RuleViolation
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.encryption import Unreadable
from service.kernel.fault_points import reach
from service.kernel.vapid import Vapid
from service.notify import devices as called
from service.notify import endpoints
from service.notify.devices import Kept
from service.notify.endpoints import Endpoint
from service.store.database import Connection
from service.store.outgoing import devices
from service.store.outgoing.deliveries import PUSH, Delivery
from service.store.outgoing.devices import Device
from workers.channels import http_client, lease_loop, retries
from workers.channels.channel import Channel, Condition, Outcome, Verdict
from workers.channels.destination import Destination
from workers.channels.http_client import Answer, NotAnswered
from workers.letters.letter_data import Superseded
from workers.loop import Loop
from workers.push.encryption import encrypt
from workers.push.message import Call, Held, compose

LANES: Final = 4
LONGEST_WAIT: Final = 36_000
"""Seconds: as long as a push service may ask to be left alone."""
SLOW: Final = 60
"""Seconds between probes of a push service that has been away for an hour."""
GONE: Final = frozenset({404, 410})
"""Answers with which a push service ends a subscription (RFC 8030, 7.3)."""
TOO_LARGE: Final = 413
BUSY: Final = frozenset({408, 425, 429, 503})
NO_DEVICE: Final = "the device is called no more"
LOST_KEY: Final = "it cannot be called any more: enter it again"
Post = Callable[[Endpoint, Mapping[str, str], bytes], Answer]


class Push(Channel):
    """Calls on devices of players."""

    name = PUSH
    retries = retries.PUSH
    lanes = LANES
    shows_errors = False

    def __init__(self, services: Services, post: Post = http_client.post) -> None:
        self.services = services
        self.post = post
        self.vapid = Vapid(services.sealer)

    def claim(self, tx: Connection, lease: str, now: int, until: int) -> Delivery | None:
        """Lease what has been due for longest; for a push service that is away, one call as a probe now and then."""
        delivery = devices.claim(tx, lease, now, until)
        if delivery is not None:
            self._service(tx, delivery).begin(tx, delivery, now)
        return delivery

    def renew(self, tx: Connection, delivery: Delivery, now: int, until: int) -> bool:
        """Extend a lease, and for a while the right to probe. The delivery is locked first, as when it is settled."""
        is_held = super().renew(tx, delivery, now, until)
        self._service(tx, delivery).renew(tx, delivery, now)
        return is_held

    def is_well(self, tx: Connection, delivery: Delivery) -> bool:
        """Whether the push service was there before this call was tried."""
        return self._service(tx, delivery).is_well(tx)

    def send(self, delivery: Delivery) -> Outcome:
        """Make the message of a notice that is still true, encrypt it for the device, and post it once."""
        with self.services.database.read() as connection:
            device = devices.of_id(connection, delivery.target)
            if device is None:
                return Outcome(Verdict.SUPERSEDED, NO_DEVICE)
            kept = self._kept(device)
            if kept is None:
                return Outcome(Verdict.FAILED, LOST_KEY, closes=LOST_KEY)
            try:
                call = compose(self.services, connection, delivery)
            except Superseded as untrue:
                return Outcome(Verdict.SUPERSEDED, str(untrue))
            except Held as held:
                return Outcome(Verdict.HELD, str(held), until=held.until)
            at = self.services.database.clock.now(connection)
        reach("composed")
        outcome = self._attempt(kept, call, at // SECOND)
        reach("sent")
        return outcome

    def follow_up(self, tx: Connection, delivery: Delivery, outcome: Outcome, now: int) -> None:
        """Note how the push service fares, and the device; forget one that is called no more."""
        why = outcome.reason or ""
        self._service(tx, delivery).note(tx, delivery, outcome.shows, why, now, outcome.wait)
        if outcome.closes is not None:
            devices.end(tx, delivery.target)
        elif outcome.verdict is Verdict.SENT:
            devices.change(tx, delivery.target, called_at=now, reason="")
        elif outcome.shows is not None:
            devices.change(tx, delivery.target, reason=why)

    def _kept(self, device: Device) -> Kept | None:
        """What is sealed of a device; None where a key is lost that opened it, or that signed its calls."""
        try:
            kept = called.open_kept(self.services, device.id, device.sealed)
        except Unreadable:
            return None
        return kept if self.vapid.at_hand(kept.vapid) else None

    def _service(self, tx: Connection, delivery: Delivery) -> Destination:
        """The push service of a device; hosts are known by digests."""
        return Destination(PUSH, devices.service_of(tx, delivery.target) or "", SLOW)

    def _attempt(self, kept: Kept, call: Call, at: int) -> Outcome:
        """Post it once."""
        try:
            endpoint = endpoints.read(kept.url, self.services.settings.webhook_hosts, called.LONGEST)
            body = encrypt(msgspec.json.encode(call.message), kept.p256dh, kept.auth)
            return _outcome(self.post(endpoint, self._headers(endpoint, kept, call, at), body))
        except NotAnswered as why:
            return Outcome(Verdict.HELD, str(why), shows=Condition.AWAY)
        except RuleViolation as why:
            return Outcome(Verdict.FAILED, str(why), closes=str(why))

    def _headers(self, endpoint: Endpoint, kept: Kept, call: Call, at: int) -> dict[str, str]:
        origin = f"{'https' if endpoint.tls else 'http'}://{endpoint.authority}"
        contact = f"mailto:{self.services.settings.mail_from}"
        return {
            "Authorization": self.vapid.authorization(kept.vapid, origin, contact, at),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(call.ttl),
            "Topic": call.topic,
            "Urgency": call.urgency,
            "User-Agent": "Wardroom",
        }


def deliver(
    services: Services, post: Post = http_client.post, *, seconds: float = 40.0, lanes: int | None = None
) -> int:
    """Call devices for what is due until nothing is left or the time is over. How many calls were taken."""
    return lease_loop.deliver(services, Push(services, post), seconds=seconds, lanes=lanes)


def caller(services: Services) -> Loop:
    """A thread that calls devices: neither mail nor the clock waits for a push service."""
    return Loop(
        "caller",
        lambda: deliver(services),
        services.settings.sweep_seconds,
        patience=2 * http_client.SECONDS,
        enabled=services.settings.push,
        at_once=False,
    )


def _outcome(answer: Answer) -> Outcome:
    """What the answer of a push service comes to (RFC 8030, 5 and 8)."""
    status, wait = answer.status, min(answer.retry_after or 0, LONGEST_WAIT)
    why = f"its push service answered {status}"
    if 200 <= status < 300:
        return Outcome(Verdict.SENT, shows=Condition.WELL)
    if status in GONE:
        return Outcome(Verdict.FAILED, why, refused=True, closes=why, shows=Condition.WELL)
    if status == TOO_LARGE:
        return Outcome(Verdict.FAILED, why, refused=True, shows=Condition.WELL)
    if status in BUSY:
        return Outcome(Verdict.LATER, why, wait=wait, shows=Condition.BUSY)
    if status >= 500:
        return Outcome(Verdict.HELD, why, wait=wait, shows=Condition.BROKEN)
    return Outcome(Verdict.LATER, why, wait=wait, shows=Condition.WELL)
