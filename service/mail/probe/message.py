"""The probe: a mail made like a letter, with a forged verdict in it that no mail server of ours may leave there."""

import re
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from typing import Final

from config.settings import Settings
from domain.audit.checkpoints import HEADER as CHECKPOINT
from domain.audit.house_log import HEADER as LOG_HEAD
from service.kernel.entropy import Entropy
from service.mail.addresses import full

RESULTS: Final = "Authentication-Results"
NOWHERE: Final = "forged.invalid"
"""The domain that the forged verdict is about: nothing else says it (RFC 2606)."""
SIGNED: Final = ("From", "List-Unsubscribe", "List-Unsubscribe-Post", CHECKPOINT, LOG_HEAD)
"""Headers of our letters that DKIM must cover: unsubscribing by one click (RFC 8058), and mails as evidence (S-45)."""
TEXT: Final = """\
This is a probe that Wardroom sends to itself, to see that mail arrives as it was sent.

From here on there are lines that mail servers like to change.
.
>From a quotation
-- \t
0 = 0, and a line that is longer than seventy-eight characters, so that it must be folded, or be left alone – as it is.
"""


@dataclass(frozen=True, slots=True)
class Probe:
    """One mail to send: its envelope and bytes, and its secret mark, by which the forged header is known again."""

    sender: str
    recipient: str
    data: bytes
    mark: str

    @property
    def body(self) -> bytes:
        """What stands below the headers."""
        return body_of(self.data)


def make_message(settings: Settings, entropy: Entropy, sender: str, recipient: str, authserv_id: str) -> Probe:
    """A probe to an address of ours; `sender`, of the envelope, is another, for what may bounce."""
    mark = entropy.token_bytes(8).hex()
    domain = settings.mail_domain
    message = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    message["From"] = Address("Wardroom – self-test", addr_spec=settings.mail_from)
    message["To"] = recipient
    message["Reply-To"] = recipient
    message["Subject"] = f"A probe of Wardroom ({mark})"
    message["Date"] = formatdate()
    message["Message-ID"] = f"<probe.{mark}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message["List-Id"] = f"<probe.{domain}>"
    message["List-Unsubscribe"] = f"<{settings.base_url}/u/probe>, <mailto:{full(settings, 'no-reply')}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message[CHECKPOINT] = f"probe; mark={mark}"
    message[LOG_HEAD] = f"probe; mark={mark}"
    message.set_content(TEXT, cte="quoted-printable")
    message.add_alternative(f"<p>{TEXT}</p>", subtype="html", cte="quoted-printable")
    return Probe(sender, recipient, forged(authserv_id, mark) + message.as_bytes(), mark)


def forged(authserv_id: str, mark: str) -> bytes:
    """A verdict that only our own mail server may give, as somebody else would write it on top of his mail."""
    claim = f"dmarc=pass header.from={NOWHERE}; x-probe={mark}"
    return f"{RESULTS}: {authserv_id}; {claim}\r\n".encode()


def body_of(raw: bytes) -> bytes:
    """What stands below the headers, all line ends CR LF."""
    return re.sub(rb"\r?\n", b"\r\n", re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[-1])


def head_of(raw: bytes) -> bytes:
    """The headers, all line ends CR LF."""
    return re.sub(rb"\r?\n", b"\r\n", re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]) + b"\r\n"
