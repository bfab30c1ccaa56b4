"""A letter as MIME: headers that cannot be injected into, threads that hold together, the same bytes every time."""

import email.policy
import hashlib
import hmac
from dataclasses import dataclass
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import format_datetime
from typing import Any, Final

from service.clock import moment
from service.wardroom import Wardroom
from workers.facts import Row

TOKEN_HEADERS: Final = frozenset(
    {"message-id", "in-reply-to", "references", "list-id", "list-unsubscribe", "list-unsubscribe-post", "list-help"}
)
ADDRESS_HEADERS: Final = frozenset({"from", "to", "reply-to"})
SUPPRESS: Final = "OOF, AutoReply, RN, NRN"
"""Not "All": we want to hear of mail that could not be delivered (OUT-14)."""


class UnsafeMessage(Exception):
    """A message that did not come out with the headers it was given: it is not sent (T-50)."""


class MailPolicy(email.policy.EmailPolicy):
    """SMTP's policy, with ids and URIs folded one a line and never made an encoded word.

    Text and names are folded by the older `Header`: the newer folder adds and loses blanks between encoded words.
    """

    def _fold(self, name: str, value: Any, *args: Any, **more: Any) -> str:
        if name.lower() in TOKEN_HEADERS:
            return f"{name}: " + (self.linesep + " ").join(str(value).split()) + self.linesep
        if name.lower() == "subject":
            return f"{name}: {self._words(name, str(value))}{self.linesep}"
        if name.lower() in ADDRESS_HEADERS:
            return f"{name}: {self._address(name, *value.addresses)}{self.linesep}"
        folded: str = super()._fold(name, value, *args, **more)  # type: ignore[misc]
        return folded

    def _address(self, name: str, address: Address) -> str:
        if address.display_name.isascii():
            return str(address)
        return f"{self._words(name, address.display_name)}{self.linesep} <{address.addr_spec}>"

    def _words(self, name: str, text: str) -> str:
        charset = "us-ascii" if text.isascii() else "utf-8"
        return Header(text, charset, header_name=name).encode(linesep=self.linesep)


POLICY: Final = MailPolicy(linesep="\r\n", cte_type="7bit")


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the headers of a letter are made of."""

    to: str
    name: str
    sender: str
    subject: str
    references: list[str]
    list_id: str | None = None
    unsubscribe: str | None = None


def build(room: Wardroom, row: Row, envelope: Envelope, text: str, html: str) -> tuple[str, bytes]:
    """The Message-ID and the bytes of a letter. Raises UnsafeMessage."""
    settings = room.settings
    domain = settings.mail_domain
    place = f"{row['kind']}.{row['game_id'] or 'account'}.{row['decision']}"
    message_id = f"<{place}.{short_mac(room, row['recipient'])}@{domain}>"
    user, _, host = settings.mail_from.partition("@")
    to_user, _, to_host = envelope.to.rpartition("@")
    headers: list[tuple[str, Any]] = [
        ("From", Address(envelope.sender, user, host)),
        ("To", Address(envelope.name, to_user, to_host)),
        ("Reply-To", Address("No reply", "no-reply", domain)),
        ("Subject", envelope.subject),
        ("Date", format_datetime(moment(row["created_at"]))),
        ("Message-ID", message_id),
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", SUPPRESS),
    ]
    if envelope.references:
        headers += [("References", " ".join(envelope.references)), ("In-Reply-To", envelope.references[-1])]
    if envelope.list_id:
        headers += [("List-Id", envelope.list_id), ("List-Help", f"<{settings.base_url}/>")]
    if envelope.unsubscribe:
        headers += [
            ("List-Unsubscribe", f"<{envelope.unsubscribe}>"),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ]
    return message_id, _assembled(headers, text, html, message_id)


def short_mac(room: Wardroom, about: str) -> str:
    """Twelve hex digits that only this server can make: tells one recipient's ids from another's."""
    return hmac.new(room.settings.secret_key.encode(), b"mail|" + about.encode(), hashlib.sha256).hexdigest()[:12]


def _assembled(headers: list[tuple[str, Any]], text: str, html: str, seed: str) -> bytes:
    message = EmailMessage(policy=POLICY)
    for name, value in headers:
        if any(ord(letter) < 32 or ord(letter) == 127 for letter in str(value)):
            raise UnsafeMessage(f"the {name} header would hold a control character")
        if "=?" in str(value):
            raise UnsafeMessage(f"the {name} header would hold what looks like an encoded word")
        message[name] = value
    message.set_content(text, cte="quoted-printable")
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    message.set_boundary("=_" + hashlib.sha256(seed.encode()).hexdigest()[:32])
    data = message.as_bytes()
    _require_same_headers(headers, data)
    return data


def _require_same_headers(headers: list[tuple[str, Any]], data: bytes) -> None:
    """The bytes, read again, have exactly the headers intended and those of MIME."""
    names = [name.lower() for name in BytesHeaderParser(policy=email.policy.compat32).parsebytes(data)]
    intended = [name.lower() for name, _ in headers]
    if sorted(set(names) - {"mime-version", "content-type"}) != sorted(intended) or len(names) != len(intended) + 2:
        raise UnsafeMessage("the message did not come out with the headers it was given")
