"""A letter as MIME: headers that cannot be injected into, threads that hold together, the same bytes every time."""

import base64
import email.policy
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import format_datetime
from textwrap import fill
from typing import Any, Final

from domain.audit.checkpoints import HEADER, Signed
from domain.audit.house_log import HEADER as LOG_HEADER
from domain.audit.house_log import LogHead
from service.container import Services
from service.kernel.clock import moment
from service.mail.addresses import short_mac
from service.store.outgoing.notice import Notice

TOKEN_HEADERS: Final = frozenset(
    {"message-id", "in-reply-to", "references", "list-id", "list-unsubscribe", "list-unsubscribe-post", "list-help"}
)
WORD_BYTES: Final = 42
"""Bytes in an encoded word: with the frame and a header's name before it, a line stays below 78."""
LINE: Final = 76
ADDRESS_HEADERS: Final = frozenset({"from", "to", "reply-to"})
SUPPRESS: Final = "OOF, AutoReply, RN, NRN"
"""Not "All": we want to hear of mail that could not be delivered (OUT-14)."""


class UnsafeMessage(Exception):
    """A message that did not come out with the headers it was given: it is not sent (T-50)."""


class MailPolicy(email.policy.EmailPolicy):
    """SMTP's policy, with ids and URIs folded one a line and never made an encoded word.

    Text that is not ASCII is one run of encoded words (RFC 2047), blanks and all: both folders of the standard library
    add or lose blanks between them.
    """

    def _fold(self, name: str, value: Any, *args: Any, **more: Any) -> str:
        if name.lower() in TOKEN_HEADERS:
            return f"{name}: " + (self.linesep + " ").join(str(value).split()) + self.linesep
        if name.lower() == "subject":
            return f"{name}: {self._words(name, str(value))}{self.linesep}"
        if name == HEADER:
            folded_anywhere = fill(f"{name}: {value}", LINE, subsequent_indent=" ", break_on_hyphens=False)
            return folded_anywhere.replace("\n", self.linesep) + self.linesep
        if name.lower() in ADDRESS_HEADERS:
            return f"{name}: {self._address(name, *value.addresses)}{self.linesep}"
        folded: str = super()._fold(name, value, *args, **more)  # type: ignore[misc]
        return folded

    def _address(self, name: str, address: Address) -> str:
        if address.display_name.isascii():
            return str(address)
        return f"{self._words(name, address.display_name)}{self.linesep} <{address.addr_spec}>"

    def _words(self, name: str, text: str) -> str:
        if text.isascii():
            return Header(text, "us-ascii", header_name=name).encode(linesep=self.linesep)
        return (self.linesep + " ").join(_encoded_words(text))


def _encoded_words(text: str) -> list[str]:
    """Text as encoded words of whole characters, each at most 75 long."""
    words: list[str] = []
    chunk = b""
    for letter in text:
        if len(chunk) + len(letter.encode()) > WORD_BYTES:
            words.append(chunk.decode())
            chunk = b""
        chunk += letter.encode()
    return [f"=?utf-8?b?{base64.b64encode(word.encode()).decode()}?=" for word in [*words, chunk.decode()]]


POLICY: Final = MailPolicy(linesep="\r\n", cte_type="7bit")


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


@dataclass(frozen=True, slots=True)
class Attached:
    """A part besides the text: inline in the HTML by its content id, or a file."""

    maintype: str
    subtype: str
    data: bytes
    filename: str
    content_id: str = ""


def build(
    services: Services, notice: Notice, envelope: Envelope, text: str, html: str, attached: Sequence[Attached] = ()
) -> tuple[str, bytes]:
    """The Message-ID and the bytes of a letter. Raises UnsafeMessage."""
    domain = services.settings.mail_domain
    place = f"{notice.kind}.{notice.game_id or 'account'}.{notice.decision}"
    message_id = f"<{place}.{short_mac(services.settings, notice.recipient)}@{domain}>"
    return message_id, _assemble(_headers(services, notice, envelope, message_id), text, html, attached, message_id)


def _headers(services: Services, notice: Notice, envelope: Envelope, message_id: str) -> list[tuple[str, Any]]:
    settings = services.settings
    domain = settings.mail_domain
    user, _, host = settings.mail_from.partition("@")
    to_user, _, to_host = envelope.to.rpartition("@")
    reply_name, reply = envelope.reply_to or ("No reply", f"no-reply@{domain}")
    headers: list[tuple[str, Any]] = [
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


def _assemble(headers: list[tuple[str, Any]], text: str, html: str, attached: Sequence[Attached], seed: str) -> bytes:
    message = EmailMessage(policy=POLICY)
    for name, value in headers:
        if any(ord(letter) < 32 or ord(letter) == 127 for letter in str(value)):
            raise UnsafeMessage(f"the {name} header would hold a control character")
        if "=?" in str(value):
            raise UnsafeMessage(f"the {name} header would hold what looks like an encoded word")
        message[name] = value
    message.set_content(text, cte="quoted-printable")
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    for part in attached:
        _attach(message, part)
    for number, part_of in enumerate(part for part in message.walk() if part.is_multipart()):
        part_of.set_boundary("=_" + hashlib.sha256(f"{seed}{number or ''}".encode()).hexdigest()[:32])
    data = message.as_bytes()
    _require_same_headers(headers, data)
    return data


def _attach(message: EmailMessage, part: Attached) -> None:
    if part.content_id:
        html: Any = message.get_body(("html",))
        html.add_related(
            part.data, part.maintype, part.subtype,
            cid=f"<{part.content_id}>", disposition="inline", filename=part.filename,
        )  # fmt: skip
    elif part.maintype == "text":
        message.add_attachment(part.data.decode(), subtype=part.subtype, filename=part.filename, cte="base64")
    else:
        message.add_attachment(part.data, part.maintype, part.subtype, filename=part.filename)


def _require_same_headers(headers: list[tuple[str, Any]], data: bytes) -> None:
    """The bytes, read again, have exactly the headers intended and those of MIME."""
    names = [name.lower() for name in BytesHeaderParser(policy=email.policy.compat32).parsebytes(data)]
    intended = [name.lower() for name, _ in headers]
    if sorted(names) != sorted([*intended, "mime-version", "content-type"]):
        raise UnsafeMessage("the message did not come out with the headers it was given")
