"""The channel of mail: a notice becomes a letter, which is handed to a mail server over a connection that is kept."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import structlog

from service.accounts import sign_in
from service.container import Services
from service.kernel.fault_points import reach
from service.privacy import final_mail
from service.store.database import Connection
from service.store.outgoing.deliveries import MAIL, Delivery
from service.store.outgoing.notice import Notice
from workers.channels import lease_loop, retries
from workers.channels.channel import Channel, Condition, Outcome, Verdict
from workers.channels.destination import Destination
from workers.letters.letter_data import Superseded
from workers.mail_out import bounces, send_policy
from workers.mail_out.compose import check, grant, render
from workers.mail_out.letter import Letter
from workers.mail_out.mime_message import UnsafeMessage
from workers.mail_out.transport import Away, BrokeOff, Deferred, Refused, Transport

log = structlog.get_logger("wardroom.mail")


class Mail(Channel):
    """Mail to the recipient's address; one sender at a time, for it keeps the connection."""

    name = MAIL
    retries = retries.MAIL
    not_made = "it could not be composed"

    def __init__(self, services: Services, transport: Transport) -> None:
        self.services = services
        self.transport = transport
        self.lease_seconds = services.settings.lease_seconds
        self.server = Destination(MAIL, transport.name)

    def claim(self, tx: Connection, lease: str, now: int, until: int) -> Delivery | None:
        """Lease the mail that has been due for longest; while the server is away, one as a probe now and then."""
        if not self.server.is_open(tx, now):
            return None
        delivery = super().claim(tx, lease, now, until)
        if delivery is not None:
            self.server.begin(tx, delivery, now)
        return delivery

    def renew(self, tx: Connection, delivery: Delivery, now: int, until: int) -> bool:
        """Hold a lease until then, and for a while the right to probe."""
        is_held = super().renew(tx, delivery, now, until)
        self.server.renew(tx, delivery, now)
        return is_held

    def is_well(self, tx: Connection, delivery: Delivery) -> bool:
        """Whether the mail server was there before this mail was tried."""
        return self.server.is_well(tx)

    def send(self, delivery: Delivery) -> Outcome:
        """Compose the letter of a notice that is still true, make its addresses good, and hand it over."""
        notice = delivery.notice()
        try:
            letter = self._compose(notice, delivery.reason)
            reach("composed")
            if letter.grants:
                with self.services.database.write() as tx:
                    grant(self.services, tx, notice, letter)
            self.transport.send(replace(letter, still_true=lambda: self._check_again(notice)))
            reach("sent")
        except tuple(OUTCOMES) as error:
            return OUTCOMES[type(error)](notice, error)
        return Outcome(Verdict.SENT, message_id=letter.message_id, shows=Condition.WELL)

    def _compose(self, notice: Notice, waited: str | None) -> Letter:
        with self.services.database.read() as connection:
            request = check(self.services, connection, notice)
            send_policy.check(request)
            send_policy.leave_to_devices(request, waited)
            return render(request)

    def _check_again(self, notice: Notice) -> None:
        """Raise Superseded where what a letter says has become untrue since it was composed (RATE-04)."""
        with self.services.database.read() as connection:
            check(self.services, connection, notice)

    def follow_up(self, tx: Connection, delivery: Delivery, outcome: Outcome, now: int) -> None:
        """A mail that a server refused is as good as one that came back. Note how the server fares."""
        self.server.note(tx, delivery, outcome.shows, outcome.reason or "", now)
        if outcome.refused:
            bounces.count_refusal(self.services, tx, delivery, outcome.reason or "")


def deliver(services: Services, transport: Transport, *, seconds: float = 40.0) -> int:
    """Deliver the mail that is due, and codes that were asked for, until none is left or the time is over: how many."""
    while sign_in.post_codes(services) == sign_in.BATCH:
        pass
    return lease_loop.deliver(services, Mail(services, transport), seconds=seconds)


def _refused(notice: Notice, error: Any) -> Outcome:
    said = _reason(notice, error)
    log.warning("mail refused", notice=notice.id, kind=notice.kind, said=said)
    return Outcome(Verdict.FAILED, said, refused=True, shows=Condition.WELL)


def _unsafe(notice: Notice, error: Any) -> Outcome:
    log.error("mail not sent", notice=notice.id, kind=notice.kind, why=str(error))
    return Outcome(Verdict.FAILED, str(error))


def _reason(notice: Notice, error: Exception) -> str:
    """What a mail server said; of a last mail nothing is kept, for it may quote the address."""
    return "it was not taken" if notice.kind == final_mail.KIND else str(error)


OUTCOMES: Final[Mapping[type[Exception], Callable[[Notice, Any], Outcome]]] = {
    Superseded: lambda _, error: Outcome(Verdict.SUPERSEDED, str(error)),
    send_policy.Held: lambda _, error: Outcome(Verdict.HELD, str(error), until=error.until),
    Deferred: lambda notice, error: Outcome(Verdict.LATER, _reason(notice, error), shows=Condition.BUSY),
    Away: lambda notice, error: Outcome(Verdict.HELD, _reason(notice, error), shows=Condition.AWAY),
    BrokeOff: lambda notice, error: Outcome(Verdict.HELD, _reason(notice, error), shows=Condition.BROKEN),
    Refused: _refused,
    UnsafeMessage: _unsafe,
}
"""What a letter comes to that was not sent."""
