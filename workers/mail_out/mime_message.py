"""A letter as MIME: headers that cannot be injected into, threads that hold together, the same bytes every time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.utils import format_datetime
from typing import Final

from domain.audit.checkpoints import HEADER, Signed
from domain.audit.house_log import HEADER as LOG_HEADER
from domain.audit.house_log import LogHead
from service.container import Services
from service.kernel.clock import SECOND, moment
from service.mail.addresses import full, short_mac
from service.store.outgoing.notice import Notice
from workers.mail_out import header_lines, mime_parts
from workers.mail_out.header_lines import Header
from workers.mail_out.mime_parts import Attached

CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
SUPPRESS: Final = "OOF, AutoReply, RN, NRN"
"""Not "All": we want to hear of mail that could not be delivered (OUT-14)."""


class UnsafeMessage(Exception):
    """A message that did not come out with the headers it was given: it is not sent (T-50)."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the headers of a letter are made of."""

    to: str
    name: str
    sender: str
    subject: str
    reply_to: tuple[str, str] | None = None  # display name and address; None for mail that nobody reads
    references: list[str] = field(default_factory=list)
    in_reply_to: str = ""
    automatic: str = "auto-generated"  # or auto-replied (RFC 3834)
    list_id: str | None = None
    unsubscribe: str | None = None
    unsubscribe_mail: str | None = None
    checkpoints: Sequence[Signed] = ()  # of the games it tells of
    log_head: LogHead | None = None  # of the house log, beside those


def build(
    services: Services,
    notice: Notice,
    envelope: Envelope,
    text: str,
    html: str,
    attached: Sequence[Attached] = (),
    restored_at: int | None = None,
) -> tuple[str, bytes]:
    """The Message-ID and the bytes of a letter. Raises UnsafeMessage.

    `restored_at` is when the database was restored from a backup: a letter that was made since may be about an event
    whose number a lost one had, and somebody may have a mail about that.
    """
    domain = services.settings.mail_domain
    place = f"{notice.kind}.{notice.game_id or 'account'}.{notice.decision}"
    if restored_at is not None and notice.created_at >= restored_at:
        place += f".r{restored_at // SECOND}"
    message_id = f"<{place}.{short_mac(services.settings, notice.recipient)}@{domain}>"
    return message_id, assemble(_headers(services, notice, envelope, message_id), text, html, attached, message_id)


def _headers(services: Services, notice: Notice, envelope: Envelope, message_id: str) -> list[Header]:
    settings = services.settings
    domain = settings.mail_domain
    user, _, host = settings.mail_from.partition("@")
    to_user, _, to_host = envelope.to.rpartition("@")
    reply_name, reply = envelope.reply_to or ("No reply", full(settings, "no-reply"))
    headers: list[Header] = [
        ("From", Address(envelope.sender, user, host)),
        ("To", Address(envelope.name, to_user, to_host)),
        ("Reply-To", Address(reply_name, *reply.rsplit("@", 1))),
        ("Subject", envelope.subject),
        ("Date", format_datetime(moment(notice.created_at))),
        ("Message-ID", message_id),
        ("Auto-Submitted", envelope.automatic),
        ("X-Auto-Response-Suppress", SUPPRESS),
        ("X-Loop", domain),
    ]
    if envelope.references:
        before = envelope.in_reply_to or envelope.references[-1]
        headers += [("References", " ".join(envelope.references)), ("In-Reply-To", before)]
    if envelope.list_id:
        headers += [("List-Id", envelope.list_id), ("List-Help", f"<{settings.base_url}/>")]
    if envelope.unsubscribe:
        mailto = f", <mailto:{envelope.unsubscribe_mail}>" if envelope.unsubscribe_mail else ""
        headers += [
            ("List-Unsubscribe", f"<{envelope.unsubscribe}>{mailto}"),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ]
    if envelope.log_head is not None:
        headers.append((LOG_HEADER, envelope.log_head.header()))
    return [*headers, *((HEADER, signed.header()) for signed in envelope.checkpoints)]


def assemble(headers: Sequence[Header], text: str, html: str, attached: Sequence[Attached], seed: str) -> bytes:
    """The bytes of a letter with these headers. Raises UnsafeMessage."""
    for name, value in headers:
        if CONTROL.search(str(value)):
            raise UnsafeMessage(f"the {name} header would hold a control character")
        if "=?" in str(value):
            raise UnsafeMessage(f"the {name} header would hold what looks like an encoded word")
    head = "".join(header_lines.write(name, value) for name, value in headers)
    _require_same_headers([name for name, _ in headers], head)
    return head.encode("ascii") + mime_parts.write(text, html, attached, seed)


def _require_same_headers(intended: Sequence[str], head: str) -> None:
    """The lines, read again, are the headers intended and no other: each is one's first, or goes on after a blank."""
    *lines, rest = head.split(header_lines.END)
    names = [line.partition(":")[0] for line in lines if not line.startswith(" ")]
    if names != intended or rest or any(CONTROL.search(line) or not line.strip() for line in lines):
        raise UnsafeMessage("the message did not come out with the headers it was given")
