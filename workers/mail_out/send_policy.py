"""The policy for mail that is true but not sent now: soon after another, at night, after many (RATE-05, 07, 09).

Looked at when it is about to go, so that a move pays nothing for it. Waiting is no attempt.
"""

from typing import Final

import structlog

from service.clocks.hours import DAY, HOUR
from service.container import Services
from service.kernel.clock import SECOND
from service.notify.kind import KINDS, PUSH, Urgency, kinds_of
from service.notify.notice_log import HELD
from service.notify.quiet_hours import three_quarters
from service.notify.waits import DEVICE_FIRST
from service.notify.wishes import told_by
from service.store.database import Connection
from service.store.outgoing import devices, sent_mails
from service.store.outgoing.notice import Notice
from service.store.people import players
from workers.kinds.registry import kind_of
from workers.letters.letter_data import Superseded
from workers.letters.letter_view import LetterRequest

log = structlog.get_logger("wardroom.mail")
A_GAME_AND_HOUR: Final = 30
CALLING: Final = 60 * SECOND
TENTHS: Final = {Urgency.URGENT: 10, Urgency.NORMAL: 9, Urgency.NEWS: 8}
"""The share of what may be sent after which mails of an urgency are held back."""


class Held(Exception):
    """A mail that waits until `until`."""

    def __init__(self, until: int, why: str) -> None:
        super().__init__(why)
        self.until = until


def check(request: LetterRequest) -> None:
    """Let pass what is sent now. Raises Held for what waits, Superseded for what is held back for good."""
    if KINDS[request.notice.kind].urgency in (Urgency.UNCOUNTED, Urgency.OWN):
        return
    now = request.services.database.clock.now(request.connection)
    asked = request.asked
    latest = three_quarters(asked.began, asked.due) if asked is not None and asked.due is not None else None
    for wait in kind_of(request.notice).waits(request, now):
        _wait(now, wait.until, latest if wait.may_end_early else None, wait.why)
    if request.services.settings.rate_limits:
        _after_many(request.services, request.connection, request.notice, now, latest)


def leave_to_devices(request: LetterRequest, waited: str | None) -> None:
    """Let pass what no device of its reader tells: for who wants it told there alone. `waited` is what it waited for.

    Raises Superseded where a device told it, and Held once, for as long as a call may take: what is called in vain is
    sent by mail, for nobody's time passes without a word.
    """
    called = devices.told(request.connection, request.notice.id)
    player = players.by_id(request.connection, request.notice.recipient) if called else None
    if player is None or told_by(player, request.notice.kind) != PUSH:
        return
    if "sent" in called:
        raise Superseded("it was told on your device")
    if "queued" in called and waited != str(DEVICE_FIRST):
        raise Held(request.services.database.clock.now(request.connection) + CALLING, DEVICE_FIRST)


def _wait(now: int, until: int, latest: int | None, why: str) -> None:
    """Raise Held where there is anything to wait for."""
    until = until if latest is None else min(until, latest)
    if until > now:
        raise Held(until, why)


def _after_many(services: Services, connection: Connection, notice: Notice, now: int, latest: int | None) -> None:
    """A person gets a limited number of mails in a day, and about one game in an hour (RATE-09)."""
    most = services.settings.mails_a_day
    _cap(connection, notice, now, latest, most, DAY, f"you had {most} mails in 24 hours")
    if notice.game_id:
        words = f"you had {A_GAME_AND_HOUR} mails about this game in an hour"
        _cap(connection, notice, now, latest, A_GAME_AND_HOUR, HOUR, words, notice.game_id)


def _cap(
    connection: Connection,
    notice: Notice,
    now: int,
    latest: int | None,
    most: int,
    span: int,
    words: str,
    game: str | None = None,
) -> None:
    urgency = KINDS[notice.kind].urgency
    share, uncounted = max(1, most * TENTHS[urgency] // 10), kinds_of(Urgency.UNCOUNTED)
    full = sent_mails.nth_last_sent(connection, notice.recipient, now - span, share, uncounted, game)
    if full is None:
        return
    if not sent_mails.is_any_held(connection, notice.recipient, HELD, now - DAY):  # it is logged once a day
        log.warning("mail held back", notice=notice.id, kind=notice.kind, game=notice.game_id, why=words)
    if urgency is not Urgency.URGENT:
        raise Superseded(f"{HELD}: {words}")
    _wait(now, full + span, latest, f"{HELD}: {words}")
