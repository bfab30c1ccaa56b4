"""What comes of an attempt to tell a webhook: taken, tried again later, given up, or the webhook switched off."""

from dataclasses import dataclass
from typing import Final

import msgspec
import structlog
from sqlalchemy import Connection

from service.container import Services
from service.kernel.clock import SECOND
from service.notify.webhooks import DAY
from service.store import webhooks
from service.store.deliveries import Delivery
from service.store.webhooks import Webhook

log = structlog.get_logger("wardroom.hooks")
PAUSES: Final = (5, 300, 1800, 7200, 18_000, 36_000, 36_000)
"""Seconds between one attempt and the next; after the last of them there is none."""
LONGEST_HOLD: Final = 300
LONGEST_WAIT: Final = 36_000
"""Seconds: as long as a receiver may ask to be left alone."""
PATIENCE: Final = 5 * DAY
"""How long everything may fail before a webhook is switched off."""
SILENCE: Final = 2 * DAY
"""So long without a failure, and what fails then is another matter."""
MOST_LOGGED: Final = 20
GONE: Final = 410
SWITCHED_OFF: Final = "the webhook was switched off"


class Attempt(msgspec.Struct, frozen=True):
    """What came of one attempt, as it is kept."""

    at: int
    status: int | None
    error: str | None  # None for a success
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Leased:
    """A message, and the webhook that is leased for it."""

    hook: Webhook
    message: Delivery


def pause(attempts: int, message: int) -> int | None:
    """Seconds to wait after so many attempts, up to a fifth more so that not all come at once; None for no more."""
    if attempts > len(PAUSES):
        return None
    return PAUSES[attempts - 1] * (100 + message * 37 % 21) // 100


def hold(failures: int) -> int:
    """Seconds for which nothing at all is tried at a webhook that failed so many times in a row."""
    return min(LONGEST_HOLD, PAUSES[0] << min(failures - 1, 10))


def settle(services: Services, leased: Leased, attempt: Attempt, retry_after: int = 0) -> None:
    """Note what came of an attempt, on the message and on the webhook; seconds the receiver asks us to wait."""
    message, error = leased.message, attempt.error
    with services.database.write() as tx:
        held = _held(tx, leased)
        if held is None:
            return
        now = services.database.clock.now(tx)
        webhooks.settle(tx, message.id, log=_logged(message.log, attempt))
        if error is None:
            webhooks.settle(tx, message.id, state="sent", done_at=now, reason=None)
            webhooks.give_back(tx, held.id, now, failures=0, failing_since=None, not_before=0, reason="")
            return
        log.info("webhook failed", webhook=held.id, status=attempt.status, why=error)
        gone, wait = attempt.status == GONE, min(retry_after, LONGEST_WAIT)
        _later(tx, message, now, error, None if gone else pause(message.attempts, message.id), wait)
        failures, since = held.failures + 1, _failing_since(held, now)
        rest = now + max(hold(failures), wait) * SECOND
        webhooks.give_back(tx, held.id, now, failures=failures, failing_since=since, not_before=rest, reason=error)
        if gone:
            _off(tx, held.id, now, error)
        elif now - since >= PATIENCE:
            _off(tx, held.id, now, f"every attempt failed for five days, the last because {error}")


def end(services: Services, leased: Leased, reason: str) -> None:
    """A message that is not true any more is not sent."""
    with services.database.write() as tx:
        if _held(tx, leased) is not None:
            now = services.database.clock.now(tx)
            webhooks.settle(tx, leased.message.id, state="superseded", done_at=now, reason=reason)
            webhooks.give_back(tx, leased.hook.id, now)


def put_off(services: Services, leased: Leased, reason: str) -> None:
    """A message that we cannot make is tried again later; the webhook has no part in that."""
    with services.database.write() as tx:
        if _held(tx, leased) is not None:
            now = services.database.clock.now(tx)
            _later(tx, leased.message, now, reason, pause(leased.message.attempts, leased.message.id))
            webhooks.give_back(tx, leased.hook.id, now)


def switch_off(services: Services, leased: Leased, reason: str) -> None:
    """Nothing can be told to this webhook."""
    with services.database.write() as tx:
        if _held(tx, leased) is not None:
            now = services.database.clock.now(tx)
            webhooks.give_back(tx, leased.hook.id, now)
            _off(tx, leased.hook.id, now, reason)


def _held(tx: Connection, leased: Leased) -> Webhook | None:
    held = webhooks.hold(tx, leased.hook.id, leased.hook.lease)
    if held is None:
        log.warning("lease lost", webhook=leased.hook.id, message=leased.message.id)
    return held


def _later(tx: Connection, message: Delivery, now: int, reason: str, after: int | None, wait: int = 0) -> None:
    """Try a message again after so many seconds, not sooner than the receiver asks; or, for None, give it up."""
    if after is None:
        webhooks.settle(tx, message.id, state="failed", done_at=now, reason=reason)
    else:
        webhooks.settle(tx, message.id, not_before=now + max(after, wait) * SECOND, reason=reason)


def _failing_since(hook: Webhook, now: int) -> int:
    """Since when every attempt has failed; what lies long before the last is forgotten."""
    since = hook.failing_since
    return now if since is None or now - hook.not_before > SILENCE else int(since)


def _logged(before: str, attempt: Attempt) -> str:
    """The log of a message with one more attempt."""
    attempts = [*msgspec.json.decode(before, type=list[Attempt]), attempt]
    return msgspec.json.encode(attempts[-MOST_LOGGED:]).decode()


def _off(tx: Connection, hook: str, now: int, reason: str) -> None:
    """Tell this webhook nothing any more, until its owner tests it."""
    log.warning("webhook switched off", webhook=hook, why=reason)
    webhooks.give_back(tx, hook, now, state="off", reason=reason)
    webhooks.drop(tx, hook, now, SWITCHED_OFF)
