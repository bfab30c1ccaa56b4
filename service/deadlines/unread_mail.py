"""No deadline is decided before every mail that came in before it is done with (IN-20)."""

from typing import Final

import structlog

from domain.engine.game import Seat
from service.clocks.outages import RESUMED
from service.container import Services
from service.kernel.clock import SECOND
from service.mail import inbox
from service.store.database import Connection
from service.store.running.heartbeats import last_beat

log = structlog.get_logger("wardroom.clock")
LONGEST_WAIT: Final = 6 * 3600 * SECOND
"""After this a deadline is decided all the same, with an alarm: a mailbox that cannot be read must not stop a game."""


def mail_may_come(services: Services, connection: Connection, game: str, seat: Seat, acts_at: int, now: int) -> bool:
    """Whether a mail of this seat that was in time may still wait, with us or in the mailbox we poll."""
    if not inbox.waiting(connection, game, seat, acts_at) and _polled(services, connection, acts_at):
        return False
    resumed = last_beat(connection, RESUMED)  # the time of an outage is no waiting for mail
    if now <= max(acts_at, resumed or acts_at) + LONGEST_WAIT:
        return True
    log.error("a deadline waited too long for mail", game=game, seat=seat)
    return False


def _polled(services: Services, connection: Connection, acts_at: int) -> bool:
    """Whether the mailbox was looked into, wholly, by a round that began after the deadline."""
    if services.settings.imap_url is None:
        return True
    began = last_beat(connection, "imap")
    return began is not None and began >= acts_at
