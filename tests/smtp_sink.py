"""A mail server that keeps every message and answers as told; usable in tests and outside of them.

with SmtpSink() as sink:
    sink.script(defer_data, hang(2))        # one step a transaction; without a step it accepts
    ...                                     # send to sink.url
    assert sink.wait_for(1)[0].subject == "It is your turn"
"""

import asyncio
import threading
import time
from collections import deque
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.ports import free_port

OK = "250 OK"


@dataclass(frozen=True)
class Step:
    """How one transaction is answered. An empty `data` closes the connection in place of the final answer."""

    rcpt: str = OK
    data: str = OK
    seconds: float = 0.0  # between the end of the message and its answer


accept = Step()
defer_rcpt = Step(rcpt="451 4.3.0 Try again later")
refuse_rcpt = Step(rcpt="550 5.1.1 No such mailbox")
defer_data = Step(data="451 4.3.0 Try again later")
refuse_data = Step(data="554 5.7.1 Message refused")
close_after_data = Step(data="")


def hang(seconds: float) -> Step:
    """Take the message, then keep the sender waiting for the 250."""
    return Step(seconds=seconds)


@dataclass(frozen=True)
class Mail:
    """One message that came in whole, and what the sink answered: empty when it closed the connection instead."""

    sender: str
    recipients: tuple[str, ...]
    content: bytes
    answer: str

    @cached_property
    def message(self) -> EmailMessage:
        return message_from_bytes(self.content, policy=policy.default)

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    @property
    def text(self) -> str:
        """The plain text a player reads."""
        body = self.message.get_body(("plain",))
        return str(body.get_content()).replace("\r\n", "\n") if body else ""


class SmtpSink:
    """A scripted SMTP server on a free port of 127.0.0.1. It takes any login and notes its name."""

    def __init__(self) -> None:
        self.attempts: list[Mail] = []  # every message that came in whole, refused ones too
        self.logins: list[str] = []
        self._steps: deque[Step] = deque()
        self._arrived = threading.Condition()
        self._controller = Controller(
            self, hostname="127.0.0.1", port=free_port(), authenticator=self._login, auth_require_tls=False
        )

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self._controller.port}"

    @property
    def mails(self) -> list[Mail]:
        """The messages the sink took: answered with 250, or its connection closed after it had taken one."""
        return [mail for mail in self.attempts if mail.answer in (OK, "")]

    def mails_to(self, address: str) -> list[Mail]:
        return [mail for mail in self.mails if address in mail.recipients]

    def script(self, *steps: Step) -> None:
        """Answer the next transactions with `steps`, one each, then accept again."""
        self._steps.extend(steps)

    def clear(self) -> None:
        """Forget mails, logins and steps."""
        self.attempts.clear()
        self.logins.clear()
        self._steps.clear()

    def wait_for(self, count: int, seconds: float = 60) -> list[Mail]:
        """Return the mails taken once there are `count`. Raises TimeoutError."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: len(self.mails) >= count, seconds):
                raise TimeoutError(f"{len(self.mails)} of {count} mails after {seconds} s")
            return self.mails

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    def _login(self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any) -> AuthResult:
        if isinstance(data, LoginPassword):
            self.logins.append(data.login.decode())
        return AuthResult(success=True)

    async def handle_MAIL(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: Any
    ) -> str:
        envelope.step = self._steps.popleft() if self._steps else accept
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return OK

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: Any
    ) -> str:
        if envelope.step.rcpt == OK:
            envelope.rcpt_tos.append(address)
            envelope.rcpt_options.extend(options)
        return str(envelope.step.rcpt)

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:
        step: Step = envelope.step
        mail = Mail(envelope.mail_from or "", tuple(envelope.rcpt_tos), bytes(envelope.content or b""), step.data)
        with self._arrived:
            self.attempts.append(mail)
            self._arrived.notify_all()
        await asyncio.sleep(step.seconds)
        if not step.data and server.transport:
            server.transport.abort()
        return step.data or OK


if __name__ == "__main__":
    with SmtpSink() as running:
        print(running.url, flush=True)
        while True:
            time.sleep(3600)
