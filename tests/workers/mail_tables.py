"""Tables that are played at by mail: people reply to the newest mail they got, and read what comes back.

mail_tables = MailTables(services, manual_clock)
game = mail_tables.begin("ann", "bob", "cyd", kind="tammany-hall")
mail_tables.exchange()                       # what came in is read, what is due is delivered
mail_tables.reply("ann", "place 3 14")       # to the newest mail ann got
letter = mail_tables.exchange().letters_to("ann")[-1]
"""

from collections.abc import Callable
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any, Self

import pytest
import sqlalchemy as sa

from service.container import Services
from service.kernel.clock import Clock, moment
from service.kernel.fault_points import faults
from service.mail import inbox
from service.mail.inbox import InboundMail
from service.store.incoming.inbox import inbound
from tests.workers.worker_tables import Carrier, ManualClock, WorkerTables, parsed, text_of
from workers.commands.outcomes import Outcome
from workers.commands.outcomes import read as outcome_of
from workers.mail_in.inbox_worker import Postroom
from workers.mail_out.letter import Letter
from workers.parsing.read_mail import read

MX = "mx.play.example"
DOMAIN = "play.example"
SETTINGS = {
    "MAIL_DOMAIN": DOMAIN, "BASE_URL": "https://wardroom.example", "AUTHSERV_ID": MX, "MAIL_IN": "off",
    "SMTP_URL": "smtp://127.0.0.1:9",
}  # fmt: skip


class MailTables(WorkerTables):
    """WorkerTables whose people write back; the mail server in front vouches for who wrote, unless told not to."""

    def __init__(self, services: Services, manual_clock: Clock, reads: Callable[..., Any] = read) -> None:
        super().__init__(services, manual_clock)
        self.postroom = Postroom(services, reads)
        self.sent = 0

    def exchange(self) -> Self:
        """What came in is worked off, what is due is delivered."""
        self.read_inbox()
        self.deliver()
        return self

    def read_inbox(self, fault: Callable[[str], None] = lambda _: None, **more: Any) -> int:
        with faults(fault):
            return self.postroom.work(**more)

    def letters_to(self, name: str) -> list[Letter]:
        return self.carrier.letters_to(name)

    def newest_letter(self, name: str, kind: str = "") -> Letter:
        return [letter for letter in self.letters_to(name) if letter.message_id.startswith(f"<{kind}")][-1]

    def newest_text(self, name: str, kind: str = "") -> str:
        return text_of(self.newest_letter(name, kind))

    def reply(self, name: str, text: str, **more: Any) -> int:
        """Ann answers her newest mail, or `to` another one. The number of the mail."""
        return self.accept_mail(
            self.write_reply(name, text, **more),
            more.get("to") or self.newest_letter(name),
            sender=f"{name}@people.example",
        )

    def accept_mail(
        self, raw: bytes | EmailMessage, to: Letter | str, *, sender: str = "ann@people.example", source: str = "lmtp"
    ) -> int:
        """A raw mail, as the mail server hands it over."""
        recipient = to if isinstance(to, str) else reply_address(to)
        data = raw if isinstance(raw, bytes) else raw.as_bytes()
        return inbox.accept(self.services, InboundMail(data, recipient, sender, source))

    def write_reply(
        self,
        name: str,
        text: str,
        *,
        to: Letter | None = None,
        address: str = "",
        verdict: str | None = "pass",
        message_id: str = "",
        quote: bool = True,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> bytes:
        """What a mail program sends: the text on top, our mail quoted below."""
        letter = to or self.newest_letter(name)
        self.sent += 1
        address = address or f"{name}@people.example"
        lines = []
        if verdict is not None:
            lines.append(f"Authentication-Results: {MX}; dmarc={verdict} header.from={address.partition('@')[2]}")
        lines += [
            f"From: {name.capitalize()} <{address}>",
            f"To: <{reply_address(letter)}>",
            f"Subject: Re: {' '.join(str(parsed(letter)['Subject']).split())}",
            f"Date: {format_datetime(moment(self.clock.now()))}",
            f"Message-ID: {message_id or f'<m{self.sent}@people.example>'}",
            f"In-Reply-To: {letter.message_id}",
            *(f"{key}: {value}" for key, value in headers),
            "MIME-Version: 1.0",
            'Content-Type: text/plain; charset="utf-8"',
            "Content-Transfer-Encoding: 8bit",
            "",
            *text.split("\n"),
        ]
        if quote:
            lines += ["", "On Tue, 4 Mar 2031 at 12:00, Tammany Hall wrote:"]
            lines += [f"> {line}".rstrip() for line in text_of(letter).splitlines()]
        return "\r\n".join(lines).encode() + b"\r\n"

    def mails(self, **where: Any) -> list[dict[str, Any]]:
        """The mails that came in, oldest first."""
        found = sa.select(inbound).where(*(inbound.c[name] == it for name, it in where.items()))
        with self.services.database.read() as connection:
            return [dict(row) for row in connection.execute(found.order_by(inbound.c.id)).mappings()]

    def mail_state(self, number: int) -> str:
        return str(self.mails(id=number)[0]["state"])

    def outcome(self, number: int) -> Outcome:
        with self.services.database.read() as connection:
            mail = inbox.by_id(connection, number)
        assert mail is not None
        found = outcome_of(self.services, mail)
        assert found is not None
        return found

    def version(self, game: str) -> int:
        return self.head(game).version


def reply_address(letter: Letter | bytes) -> str:
    """Where a letter asks to be answered."""
    return str(parsed(letter)["Reply-To"].addresses[0].addr_spec)


@pytest.fixture
def mail_tables(migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock) -> MailTables:
    """On SQLite, for what does not depend on the database."""
    return MailTables(open_services(migrated_sqlite, clock=manual_clock, **SETTINGS), manual_clock)


__all__ = ["Carrier", "ManualClock", "MailTables", "mail_tables", "reply_address"]
