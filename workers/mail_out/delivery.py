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
from service.store import outbox
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


def _claim(services: Services) -> list[Any]:
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        return outbox.claim(tx, secrets.token_hex(8), now, now + services.settings.lease_seconds * SECOND, BATCH)


def _hold(services: Services, rows: Sequence[Row], until: int | None, why: str) -> None:
    """These are sent later, or by whoever comes next; that was no attempt."""
    with services.database.write() as tx:
        for row in rows:
            outbox.hold(tx, row["id"], row["lease"], until or row["not_before"], why)


def _deliver_one(services: Services, way: Transport, row: Row, fault: Callable[[str], None]) -> bool:
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
        _settle(services, row, "superseded", reason=str(untrue))
        return False
    except send_policy.Held as held:
        _hold(services, [row], held.until, str(held))
        return False
    except Refused as refused:
        log.warning("mail refused", notice=row["id"], kind=row["kind"], said=_said(row, refused))
        _settle(services, row, "failed", reason=_said(row, refused), refused=True)
        return False
    except Deferred as deferred:
        _postpone(services, row, _said(row, deferred))
        return False
    except UnsafeMessage as unsafe:
        log.error("mail not sent", notice=row["id"], kind=row["kind"], why=str(unsafe))
        _settle(services, row, "failed", reason=str(unsafe))
        return False
    except Exception as error:  # one notice that cannot be composed must not stop the others
        log.exception("mail not composed", notice=row["id"], kind=row["kind"], error=type(error).__name__)
        if suspect(services, row["game_id"], error) is not None:
            _hold(services, [row], None, "the game is stopped")
            return False
        _postpone(services, row, f"it could not be composed ({type(error).__name__})")
        return False
    _settle(services, row, "sent", message_id=letter.message_id)
    fault("settled")
    return True


def _said(row: Row, error: Exception) -> str:
    """What a mail server said; of a last mail nothing is kept, for it may quote the address."""
    return "it was not taken" if row["kind"] == final_mail.KIND else str(error)


def _settle(
    services: Services,
    row: Row,
    state: str,
    *,
    message_id: str | None = None,
    reason: str | None = None,
    refused: bool = False,
) -> None:
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        if not outbox.finish(tx, row["id"], row["lease"], state, now, message_id=message_id, reason=reason):
            log.warning("lease lost", notice=row["id"], kind=row["kind"], state=state)
        elif refused:
            bounces.refused(services, tx, row, reason or "")


def _postpone(services: Services, row: Row, why: str) -> None:
    if row["attempts"] >= MOST_ATTEMPTS:
        log.error("mail given up", notice=row["id"], kind=row["kind"], why=why)
        return _settle(services, row, "failed", reason=f"given up after {row['attempts']} attempts: {why}")
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        outbox.postpone(tx, row["id"], row["lease"], now + pause(row["attempts"], row["id"]) * SECOND, why)
    return None


def pause(attempts: int, notice: int) -> int:
    """Seconds to wait after so many attempts: doubling to an hour, and not all notices at the same moment."""
    longest: int = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempts - 1, 10))
    return longest * (75 + notice * 37 % 51) // 100
