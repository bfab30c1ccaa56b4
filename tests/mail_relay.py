"""A mail server for tests that hands on what it takes, as well or as badly as mail servers do.

with MailRelay(port_of_our_listener) as relay:
    relay.defers = 2                        # says 451 to the first two
    relay.change = lambda raw: [raw, raw]   # hands it on twice
    ...                                     # send to relay.url
"""

import smtplib
from collections.abc import Callable
from typing import Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.ports import free_port

RESULTS = b"authentication-results:"


class MailRelay:
    """Takes mail by SMTP on a free port of 127.0.0.1, and brings it to the port of a listener by LMTP or SMTP."""

    def __init__(self, port: int, *, lmtp: bool = True) -> None:
        self.port = port
        self.lmtp = lmtp
        self.defers = 0
        self.refuses = ""
        self.relays = False  # for everybody's domains
        self.domain = ""  # whose mail it takes, by how addresses end
        self.unknown = ""  # what it says to addresses that begin with mv-
        self.change: Callable[[bytes], list[bytes]] = lambda raw: [raw]
        self.envelope: Callable[[str, str], tuple[str, str]] = lambda sender, recipient: (sender, recipient)
        self.bring: Callable[[str, str, bytes], None] = self._by_session
        self.taken = 0
        self._controller = Controller(self, hostname="127.0.0.1", port=free_port())

    @property
    def host_port(self) -> tuple[str, int]:
        return "127.0.0.1", self._controller.port

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self._controller.port}"

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.unknown and address.startswith("mv-"):
            return self.unknown
        if not self.relays and not address.endswith(self.domain):
            return "554 5.7.1 Relay access denied"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        if self.refuses:
            return self.refuses
        if self.defers:
            self.defers -= 1
            return "451 4.7.1 Greylisted: try again later"
        self.taken += 1
        sender, recipient = self.envelope((envelope.mail_from or "").strip("<>"), envelope.rcpt_tos[0])
        for raw in self.change(bytes(envelope.original_content or b"")):
            self.bring(sender, recipient, raw)
        return "250 2.0.0 Ok"

    def _by_session(self, sender: str, recipient: str, raw: bytes) -> None:
        with (smtplib.LMTP if self.lmtp else smtplib.SMTP)("127.0.0.1", self.port, timeout=60) as client:
            client.sendmail(sender, [recipient], raw)


def judged(results: str, *, removes: bool = True, signed: str = "") -> Callable[[bytes], list[bytes]]:
    """What a mail server does that checks: its verdict on top, others' taken off, and a signature if there is none."""

    def change(raw: bytes) -> list[bytes]:
        head, _, body = raw.partition(b"\r\n\r\n")
        fields = head.replace(b"\r\n ", b"\0 ").replace(b"\r\n\t", b"\0\t").split(b"\r\n")
        if removes:
            fields = [field for field in fields if not field.lower().startswith(RESULTS)]
        if signed and not any(field.startswith(b"DKIM-Signature:") for field in fields):
            fields.insert(0, f"DKIM-Signature: {signed}".encode())
        if results:
            fields.insert(0, f"Authentication-Results: {results}".encode())
        return [b"\r\n".join(fields).replace(b"\0", b"\r\n") + b"\r\n\r\n" + body]

    return change
