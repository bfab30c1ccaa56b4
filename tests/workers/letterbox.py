"""An address of ours to write to, a listener that takes what is written, and a look at what was stored."""

import contextlib
import smtplib
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from config.readers import Listener
from service.container import Services
from service.kernel.fault_points import faults
from service.mail import addresses, inbox, reply_tokens
from service.store.incoming.inbox import inbound
from service.store.incoming.reply_tokens import reply_tokens as kept_tokens
from service.store.outgoing.notice import Notice
from workers.mail_in.listener import MailListener
from workers.mail_in.port import bind

MAIL = b"From: Ann <ann@people.example>\r\nSubject: Re: your turn\r\nMessage-ID: <1@people.example>\r\n\r\nbid 30\r\n"
SENDER = "ann@people.example"


def address(services: Services, number: int = 1, *, game: str = "k7x2m9qd4t") -> str:
    """The address of a notice to Ann, given out."""
    notice = Notice(id=number, recipient="p_ann", game_id=game, seat=0, kind="your-turn", decision="1", created_at=1)
    with services.database.write() as tx:
        reply_tokens.issue(services.settings, services.database, services.sealer, tx, "mv", notice, player="p_ann")
    return addresses.full(services.settings, reply_tokens.local_part(services.settings, "mv", notice))


def forget(services: Services, recipient: str) -> None:
    """Revoke an address."""
    with services.database.write() as tx:
        given = kept_tokens
        mine = given.c.digest == addresses.token(recipient.partition("@")[0])
        tx.execute(sa.update(given).where(mine).values(revoked_at=1))


def stored(services: Services) -> list[dict[str, Any]]:
    """Every mail that came in, oldest first."""
    with services.database.read() as connection:
        return [dict(row) for row in connection.execute(sa.select(inbound).order_by("id")).mappings()]


def raws(services: Services) -> list[bytes | None]:
    return [inbox.raw_of(services, row["digest"], row["raw"]) for row in stored(services)]


class Letterbox:
    """A listener in this process."""

    def __init__(
        self, services: Services, *, lmtp: bool = False, fault: Callable[[str], None] = lambda _: None
    ) -> None:
        self.services = services
        self.lmtp = lmtp
        listener = Listener("127.0.0.1", 0, lmtp)
        bound = bind(listener)
        self.port: int = bound.getsockname()[1]
        with faults(fault):
            self.listener = MailListener(services, listener, bound)
        self.listener.start()

    def client(self) -> smtplib.SMTP:
        """A sender who has said hello."""
        client = (smtplib.LMTP if self.lmtp else smtplib.SMTP)("127.0.0.1", self.port, timeout=60)
        client.ehlo("people.example")
        return client

    def send(self, recipient: str, raw: bytes = MAIL, sender: str = SENDER) -> str:
        """Send one mail. The last reply."""
        with self.client() as client:
            code, text = transaction(client, recipient, raw, sender)
            return f"{code} {text}"

    def raw(self) -> "Wire":
        return Wire(self.port)


class Wire:
    """A sender who says exactly what the test says."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 10)
        self.lines = self.socket.makefile("rb")
        self.reply()

    def says(self, text: bytes) -> str:
        """Send this, and the reply to it."""
        self.socket.sendall(text)
        return self.reply()

    def reply(self) -> str:
        """The last line of the next reply; "" when the connection is closed."""
        while (line := self.lines.readline()) and line[3:4] == b"-":
            pass
        return line.decode().rstrip("\r\n")

    def open(self, recipient: str, sender: str = SENDER) -> "Wire":
        """Everything up to the point where the message begins."""
        for line in ("EHLO people.example", f"MAIL FROM:<{sender}>", f"RCPT TO:<{recipient}>"):
            assert self.says(f"{line}\r\n".encode()).startswith("250")
        assert self.says(b"DATA\r\n").startswith("354")
        return self

    def is_closed(self) -> bool:
        """Whether the other side hangs up, whatever it says before."""
        with contextlib.suppress(ConnectionError):
            while self.lines.readline():
                pass
        return True  # or a timeout was raised

    def close(self) -> None:
        self.lines.close()
        self.socket.close()

    def __enter__(self) -> "Wire":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def transaction(client: smtplib.SMTP, recipient: str, raw: bytes, sender: str = SENDER) -> tuple[int, str]:
    """One mail on a connection that is open. The first reply that refuses it, or the last."""
    said = (0, b"")
    for step in (lambda: client.mail(sender), lambda: client.rcpt(recipient), lambda: client.data(raw)):
        try:
            said = step()
        except smtplib.SMTPDataError as error:
            said = (error.smtp_code, error.smtp_error)
        if said[0] >= 400:
            client.rset()
            break
    return said[0], bytes(said[1]).decode()


@pytest.fixture(autouse=True)
def told() -> Iterator[list[Any]]:
    """What the log says, line by line."""
    with capture_logs() as lines:
        yield lines


@pytest.fixture
def letterbox() -> Iterator[Callable[..., Letterbox]]:
    """Put up a letterbox; each is taken down after the test."""
    made: list[Letterbox] = []

    def put_up(services: Services, **more: Any) -> Letterbox:
        made.append(Letterbox(services, **more))
        return made[-1]

    yield put_up
    for one in made:
        one.listener.stop()
        assert not one.listener.thread.is_alive()
