"""The health of a webhook, as attempts show it: it is well, it is left alone for a while, or it is switched off."""

from typing import Final

import structlog

from service.kernel.clock import SECOND
from service.notify.subscriptions import DAY
from service.store.database import Connection
from service.store.outgoing import deliveries, webhooks
from service.store.outgoing.deliveries import WEBHOOK, Delivery
from service.store.outgoing.webhooks import Webhook
from workers.channels import retries
from workers.channels.channel import Outcome
from workers.channels.destination import RELEASED

log = structlog.get_logger("wardroom.webhooks")
LONGEST_HOLD: Final = 300
SOON: Final = 15
"""The longest while in the first hour: then a receiver that is mended is told soon."""
HOUR: Final = 3600 * SECOND
PATIENCE: Final = 5 * DAY
"""How long every attempt may fail before a webhook is switched off."""
SILENCE: Final = 2 * DAY
"""After this long without a failure, the next one begins a new row of failures."""
SWITCHED_OFF: Final = "the webhook was switched off"
WELL: Final = {"failures": 0, "failing_since": None, "not_before": 0, "reason": ""}


def hold(failures: int, failing: int) -> int:
    """Seconds for which nothing at all is tried at a webhook that failed this many times in a row, for so long."""
    return min(SOON if failing <= HOUR else LONGEST_HOLD, retries.WEBHOOK.pauses[0] << min(failures - 1, 10))


def note(tx: Connection, delivery: Delivery, outcome: Outcome, now: int) -> None:
    """Give back a webhook that is held, with what came of a message to it."""
    webhook = webhooks.hold(tx, delivery.target, delivery.lease)
    assert webhook is not None, "it was held a moment ago, and is locked"
    closes = outcome.closes
    if outcome.attempt is None:
        webhooks.give_back(tx, webhook.id, now)
    elif outcome.attempt.error is None:
        webhooks.give_back(tx, webhook.id, now, **WELL)
        if webhook.failing_since is not None:
            since = webhook.failing_since
            deliveries.release(tx, WEBHOOK, now, since=since, most_attempts=RELEASED, target=webhook.id)
    else:
        closes = _fail(tx, webhook, outcome, outcome.attempt.error, now) or closes
    if closes is not None:
        _switch_off(tx, webhook.id, now, closes)


def _fail(tx: Connection, webhook: Webhook, outcome: Outcome, error: str, now: int) -> str | None:
    """Leave a webhook alone for a while. Why it is to be switched off; None where it is not yet."""
    status = outcome.attempt.status if outcome.attempt else None
    log.info("webhook failed", webhook=webhook.id, status=status, why=error)
    failures, since = webhook.failures + 1, _failing_since(webhook, now)
    rest = now + max(hold(failures, now - since), outcome.wait) * SECOND
    webhooks.give_back(tx, webhook.id, now, failures=failures, failing_since=since, not_before=rest, reason=error)
    if outcome.closes is None and now - since >= PATIENCE:
        return f"every attempt failed for five days, the last because {error}"
    return None


def _failing_since(webhook: Webhook, now: int) -> int:
    """Since when every attempt has failed; what lies long before the last is forgotten."""
    since = webhook.failing_since
    return now if since is None or now - webhook.not_before > SILENCE else since


def _switch_off(tx: Connection, webhook: str, now: int, reason: str) -> None:
    """Tell this webhook nothing any more, until its owner tests it."""
    log.warning("webhook switched off", webhook=webhook, why=reason)
    webhooks.give_back(tx, webhook, now, state="off", reason=reason)
    webhooks.drop(tx, webhook, now, SWITCHED_OFF)
