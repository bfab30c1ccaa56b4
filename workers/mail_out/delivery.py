"""Delivering the outbox: claim, check, hold or compose, send, settle. It may be killed at any line.

A notice is leased, never locked; it is settled by whoever still holds its lease. So a crash sends it again, the same
bytes under the same Message-ID, and a lease that was lost settles nothing (Q-11).
"""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import structlog

from service.container import Services
from service.integrity.alarm import suspect
from service.kernel.clock import SECOND
from service.privacy import final_mail
from service.store import deliveries
from service.store.deliveries import MAIL, Delivery
from workers.letters.letter_data import Superseded
from workers.mail_out import bounces, send_policy
from workers.mail_out.compose import checked, grant, written
from workers.mail_out.mime_message import UnsafeMessage
from workers.mail_out.transport import Deferred, Refused, Transport

log = structlog.get_logger("wardroom.mail")
BATCH: Final = 20
FIRST_PAUSE: Final = 30
LONGEST_PAUSE: Final = 3600
MOST_ATTEMPTS: Final = 60
"""At an hour each, the later ones: two days and a half."""

Row = Mapping[str, Any]


def deliver(
    services: Services, way: Transport, *, seconds: float = 40.0, fault: Callable[[str], None] = lambda _: None
) -> int:
    """Deliver what is due until nothing is left or the time is over. How many letters were sent.

    `fault` is called at named points, for tests that stop there.
    """
    end = time.monotonic() + seconds
    sent = 0
    while time.monotonic() < end:
        batch = _claim(services)
        fault("claimed")
        if not batch:
            break
        last = min(end, time.monotonic() + services.settings.lease_seconds / 3)
        for place, row in enumerate(batch):
            if time.monotonic() > last:
                _hold(services, batch[place:], None, "there was no time left for it")
                break
            sent += _deliver_one(services, way, row, fault)
    return sent


def _claim(services: Services) -> list[Delivery]:
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        return deliveries.claim(
            tx, MAIL, secrets.token_hex(8), now, now + services.settings.lease_seconds * SECOND, BATCH
        )


def _hold(services: Services, rows: Sequence[Delivery], until: int | None, why: str) -> None:
    """These are sent later, or by whoever comes next; that was no attempt."""
    with services.database.write() as tx:
        for row in rows:
            deliveries.postpone(tx, row, until or row.not_before, why, counts=False)


def _deliver_one(services: Services, way: Transport, delivery: Delivery, fault: Callable[[str], None]) -> bool:
    row = delivery.notice()
    try:
        with services.database.read() as connection:
            reader, asked = checked(services, connection, row)
            send_policy.check(services, connection, row, reader, asked)
            letter = written(services, connection, row, reader, asked)
        fault("composed")
        if letter.grants:
            with services.database.write() as tx:
                grant(services, tx, row, letter)
        way.send(letter)
        fault("sent")
    except Superseded as untrue:
        _settle(services, delivery, "superseded", reason=str(untrue))
        return False
    except send_policy.Held as held:
        _hold(services, [delivery], held.until, str(held))
        return False
    except Refused as refused:
        log.warning("mail refused", notice=row["id"], kind=row["kind"], said=_said(row, refused))
        _settle(services, delivery, "failed", reason=_said(row, refused), refused=True)
        return False
    except Deferred as deferred:
        _postpone(services, delivery, _said(row, deferred))
        return False
    except UnsafeMessage as unsafe:
        log.error("mail not sent", notice=row["id"], kind=row["kind"], why=str(unsafe))
        _settle(services, delivery, "failed", reason=str(unsafe))
        return False
    except Exception as error:  # one notice that cannot be composed must not stop the others
        log.exception("mail not composed", notice=row["id"], kind=row["kind"], error=type(error).__name__)
        if suspect(services, row["game_id"], error) is not None:
            _hold(services, [delivery], None, "the game is stopped")
            return False
        _postpone(services, delivery, f"it could not be composed ({type(error).__name__})")
        return False
    _settle(services, delivery, "sent", message_id=letter.message_id)
    fault("settled")
    return True


def _said(row: Row, error: Exception) -> str:
    """What a mail server said; of a last mail nothing is kept, for it may quote the address."""
    return "it was not taken" if row["kind"] == final_mail.KIND else str(error)


def _settle(
    services: Services,
    delivery: Delivery,
    state: str,
    *,
    message_id: str | None = None,
    reason: str | None = None,
    refused: bool = False,
) -> None:
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        if not deliveries.finish(tx, delivery, state, now, message_id=message_id, reason=reason):
            log.warning("lease lost", notice=delivery.notice_id, kind=delivery.kind, state=state)
        elif refused:
            bounces.refused(services, tx, delivery.notice(), reason or "")


def _postpone(services: Services, delivery: Delivery, why: str) -> None:
    if delivery.attempts >= MOST_ATTEMPTS:
        log.error("mail given up", notice=delivery.notice_id, kind=delivery.kind, why=why)
        return _settle(services, delivery, "failed", reason=f"given up after {delivery.attempts} attempts: {why}")
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        later = now + pause(delivery.attempts, delivery.notice_id) * SECOND
        deliveries.postpone(tx, delivery, later, why)
    return None


def pause(attempts: int, notice: int) -> int:
    """Seconds to wait after so many attempts: doubling to an hour, and not all notices at the same moment."""
    longest: int = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempts - 1, 10))
    return longest * (75 + notice * 37 % 51) // 100
