"""The channel of webhooks: a notice becomes a signed message, which is posted to each webhook of its recipient.

A message keeps its id and its bytes at every attempt (at least once, told apart by `webhook-id`). A webhook is leased
with its message, so that it has one under way at most.
"""

import time
from collections.abc import Callable, Mapping
from typing import Final

from domain.engine.refusals import RuleViolation
from service.container import Services
from service.kernel.encryption import Unreadable
from service.kernel.fault_points import reach
from service.notify import endpoints, subscriptions
from service.notify.endpoints import Endpoint
from service.notify.subscriptions import Kept
from service.store.database import Connection
from service.store.outgoing import deliveries, webhooks
from service.store.outgoing.deliveries import WEBHOOK, Delivery
from service.store.outgoing.webhooks import Webhook
from workers.channels import http_client, lease_loop, retries
from workers.channels.channel import Attempt, Channel, Condition, Outcome, Verdict
from workers.channels.http_client import Answer, NotAnswered
from workers.letters.letter_data import Superseded
from workers.loop import Loop
from workers.webhooks import failures
from workers.webhooks.message import compose, headers

LEASE: Final = 15
"""Seconds: many times what an attempt may take."""
LANES: Final = 8
"""Attempts under way at the same time, each to another webhook."""
LONGEST_WAIT: Final = 36_000
"""Seconds: as long as a receiver may ask to be left alone."""
GONE: Final = 410
BUSY: Final = frozenset({408, 425, 429, 502, 503, 504})
"""Answers with which a receiver says that it takes nothing just now."""
LOST_KEY: Final = "its address and secret cannot be opened any more: register it again"
Post = Callable[[Endpoint, Mapping[str, str], bytes], Answer]


class Webhooks(Channel):
    """Messages to programs of players."""

    name = WEBHOOK
    retries = retries.WEBHOOK
    lease_seconds = LEASE
    lanes = LANES
    shows_errors = False

    def __init__(self, services: Services, post: Post = http_client.post) -> None:
        self.services = services
        self.post = post

    def claim(self, tx: Connection, lease: str, now: int, until: int) -> Delivery | None:
        """Lease the webhook that was served longest ago, with what is due there first."""
        return webhooks.take(tx, lease, now, until)

    def renew(self, tx: Connection, delivery: Delivery, now: int, until: int) -> bool:
        """Hold the leases of a message and its webhook until then."""
        return webhooks.renew(tx, delivery.target, delivery.lease, until) and super().renew(tx, delivery, now, until)

    def is_well(self, tx: Connection, delivery: Delivery) -> bool:
        """Whether the webhook took what it was sent before this message."""
        webhook = webhooks.of_id(tx, delivery.target)
        return webhook is None or webhook.failures == 0

    def holds(self, tx: Connection, delivery: Delivery) -> bool:
        """Whether the webhook is leased for this message still."""
        return webhooks.hold(tx, delivery.target, delivery.lease) is not None

    def send(self, delivery: Delivery) -> Outcome:
        """Make a message that is still true, or take what was made of it before, and post it once."""
        with self.services.database.read() as connection:
            webhook = webhooks.of_id(connection, delivery.target)
            if webhook is None:
                return Outcome(Verdict.SUPERSEDED, "the webhook was deleted")
            try:
                kept = subscriptions.open_kept(self.services, webhook.id, webhook.sealed)
            except Unreadable:
                return Outcome(Verdict.FAILED, failures.SWITCHED_OFF, closes=LOST_KEY)
            try:
                body = compose(self.services, connection, delivery)
            except Superseded as untrue:
                return Outcome(Verdict.SUPERSEDED, str(untrue))
        reach("composed")
        if not self._keep(delivery, body):
            return Outcome(Verdict.HELD, "its lease was lost")
        outcome = self._attempt(webhook, kept, delivery, body)
        reach("sent")
        return outcome

    def follow_up(self, tx: Connection, delivery: Delivery, outcome: Outcome, now: int) -> None:
        """Give the webhook back, with what the attempt says of it."""
        failures.note(tx, delivery, outcome, now)

    def _keep(self, delivery: Delivery, body: bytes) -> bool:
        """Keep a body before it is first sent: every attempt sends the same. False where the lease was lost."""
        if delivery.body is not None:
            return True
        with self.services.database.write() as tx:
            return self.holds(tx, delivery) and deliveries.keep_body(tx, delivery, body.decode())

    def _attempt(self, webhook: Webhook, kept: Kept, delivery: Delivery, body: bytes) -> Outcome:
        """Post it once."""
        with self.services.database.read() as connection:
            at = self.services.database.clock.now(connection)
        sent = headers(webhook, kept, delivery, body, at)
        began, status, wait = time.monotonic(), None, 0
        try:
            answer = self.post(endpoints.read(kept.url, self.services.settings.webhook_hosts), sent, body)
            status, wait, error = answer.status, answer.retry_after or 0, _error_in(answer.status)
        except (NotAnswered, RuleViolation) as why:
            error = str(why)
        attempt = Attempt(at, status, error, int((time.monotonic() - began) * 1000))
        if error is None:
            return Outcome(Verdict.SENT, attempt=attempt)
        if status == GONE:
            return Outcome(Verdict.FAILED, error, attempt=attempt, closes=error)
        wait = min(wait, LONGEST_WAIT)
        if status is None or status in BUSY or status >= 500:  # of the receiver, and of no message
            shows = Condition.AWAY if status is None or status in BUSY else Condition.BROKEN
            return Outcome(Verdict.HELD, error, wait=wait, attempt=attempt, shows=shows)
        return Outcome(Verdict.LATER, error, wait=wait, attempt=attempt)


def deliver(
    services: Services, post: Post = http_client.post, *, seconds: float = 40.0, lanes: int | None = None
) -> int:
    """Tell webhooks what is due until nothing is left or the time is over. How many messages were taken there."""
    return lease_loop.deliver(services, Webhooks(services, post), seconds=seconds, lanes=lanes)


def messenger(services: Services) -> Loop:
    """A thread that tells webhooks what is due: receivers may be slow, and neither mail nor the clock waits for one."""
    return Loop(
        "messenger",
        lambda: deliver(services),
        services.settings.sweep_seconds,
        patience=2 * http_client.SECONDS,
        enabled=services.settings.webhooks,
        at_once=False,
    )


def _error_in(status: int) -> str | None:
    """Why the status of an answer is no success; None where it is one."""
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        return f"it answered {status}, and redirects are not followed: register the address it leads to"
    return f"it answered {status}"
