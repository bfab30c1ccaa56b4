"""Mail to a return path: bounces and complaints are counted, everything else is put aside. Nothing is answered.

A report counts in full only where it names the very mail it is about (RATE-12): the address says which notice that is,
and the part that is returned must have its Message-ID. Without one, a bounce is a soft one at most.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from service.container import Services
from service.mail import deliverability
from service.store.across.mail_history import mail_of
from service.store.database import Connection
from service.store.incoming.inbox import StoredMail
from service.store.outgoing.deliveries import Delivery
from workers.mail_out import smtp_verdicts
from workers.parsing.read_mail import Reading

LONGEST: Final = 200
POSTMASTERS: Final = frozenset({"mailer-daemon", "postmaster"})
BOUNCE: Final = "bounce"
SHELVED: Final = "shelved"
IGNORED: Final = "ignored"


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of a mail to a return path: the state for its row, why, and the columns that say whose it is."""

    state: str
    reason: str
    whose: dict[str, Any] = field(default_factory=dict)


def handle(services: Services, tx: Connection, row: StoredMail, reading: Reading) -> Handled:
    """Count what came to the return path of a notice; `reading` is what the mail says."""
    mail = mail_of(tx, row.about)
    if mail is None:
        return Handled(IGNORED, "about no mail of ours")
    state, reason = _judge(services, tx, row, reading, mail)
    if state == IGNORED or "@" in mail.recipient:
        return Handled(state, reason)
    return Handled(state, reason, {"player_id": mail.recipient, "game_id": mail.game_id, "seat": mail.seat})


def count_refusal(services: Services, tx: Connection, mail: Delivery, diagnostic: str) -> None:
    """Count a mail server's 5xx to a mail that failed by it, unless it speaks of us and not of the mailbox."""
    verdict = smtp_verdicts.judge_refusal(diagnostic)
    if verdict != "ours":
        deliverability.count_refusal(services, tx, mail, hard=verdict == "hard", diagnostic=_clean(diagnostic))


def _judge(services: Services, tx: Connection, row: StoredMail, reading: Reading, mail: Delivery) -> tuple[str, str]:
    """What a mail to the return path of this mail of ours is, and why."""
    report = reading.report
    if report is None:
        return _judge_prose(services, tx, row, reading, mail)
    named = _bare_id(report.original_message_id)
    if report.kind == "mdn":
        return IGNORED, "a receipt"
    if named and named != _bare_id(mail.message_id):
        return IGNORED, "about no mail of ours"
    if report.kind == "arf":
        counts = bool(named) and deliverability.record_complaint(services, tx, mail)
        return (BOUNCE, deliverability.COMPLAINT) if counts else (IGNORED, "no complaint that counts")
    if not smtp_verdicts.is_failure(report.action, report.status):
        return IGNORED, f"a report of a mail {report.action or 'that did not fail'}"
    hard = bool(named) and smtp_verdicts.is_hard(report.status, report.diagnostic)
    return _count_bounce(services, tx, mail, hard=hard, diagnostic=f"{report.status} {report.diagnostic}")


def _judge_prose(
    services: Services, tx: Connection, row: StoredMail, reading: Reading, mail: Delivery
) -> tuple[str, str]:
    """A bounce in prose, as older mail servers write it, if it quotes our Message-ID; else an automatic answer."""
    senders = {address.rpartition("@")[0].casefold() for address in reading.from_addresses}
    named = _bare_id(mail.message_id)
    if not row.sender and senders & POSTMASTERS and named and named in reading.text:
        return _count_bounce(services, tx, mail, hard=False, diagnostic="a bounce in prose")
    return SHELVED, "automatic" if reading.automatic else "to a return path"


def _count_bounce(
    services: Services, tx: Connection, mail: Delivery, *, hard: bool, diagnostic: str
) -> tuple[str, str]:
    counts = deliverability.count_bounce(services, tx, mail, hard=hard, diagnostic=_clean(diagnostic))
    return (BOUNCE, "hard" if hard else "soft") if counts else (IGNORED, "counted already, or too old")


def _bare_id(message_id: str | None) -> str:
    return (message_id or "").strip().strip("<>").strip()


def _clean(diagnostic: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in diagnostic).split())[:LONGEST]
