"""Whole games from a mail program alone: from the invitation to the result, through real SMTP both ways."""

import hashlib
import random
import re
import smtplib
from collections.abc import Callable, Iterator
from email.message import EmailMessage

import pytest

from config.readers import Listener
from service.container import Services
from tests.manual_clock import ManualClock
from tests.ports import free_port
from tests.service.store.service_tables import check
from tests.smtp_sink import Mail, SmtpSink
from tests.tables import MX, SETTINGS, Tables
from workers.mail_in.listener import MailListener
from workers.mail_in.port import bind
from workers.mail_out.transport import transport

OPTION = re.compile(r"^ +(\d+) = ", re.MULTILINE)
LEGAL = re.compile(r"^(?:All|Some of what) you may do now:\n((?:  .+\n)+)", re.MULTILINE)
MOST_ROUNDS = 3000
"""More than any game takes."""
FIRST_ROUNDS = 20
"""Enough for a few turns of everybody."""


class Reader:
    """Somebody with a mail program and nothing else: reads the newest mail, and answers it in its own words."""

    def __init__(self, address: str, name: str, port: int, seed: int) -> None:
        self.address = address
        self.name = name
        self.port = port
        self.chance = random.Random(seed)
        self.sent = 0
        self.over = ""

    def reads(self, mail: Mail) -> None:
        """What a person does with a mail."""
        kind = mail.message["Message-ID"].strip("<").partition(".")[0]
        text = mail.text
        if kind == "game-over":
            self.over = text
        elif kind == "invitation":
            self.reply(mail, f"join {self.name}")
        elif legal := LEGAL.search(text):
            orders = [line.strip() for line in legal[1].splitlines()]
            kinds = sorted({order.split()[0] for order in orders})
            chosen = self.chance.choice(kinds)
            self.reply(mail, self.chance.choice([order for order in orders if order.split()[0] == chosen]))
        elif options := OPTION.findall(text):
            self.reply(mail, self.chance.choice(options))
        elif "Answer with one of these" in text:
            self.reply(mail, "Let me see first.\n\nlegal\n\n-- \n" + self.name)

    def reply(self, mail: Mail, text: str) -> None:
        """As a mail program would: on top, with the mail quoted below, and our mail server's verdict on it."""
        self.sent += 1
        message = EmailMessage()
        message["Authentication-Results"] = f"{MX}; dmarc=pass header.from={self.address.partition('@')[2]}"
        message["From"] = f"{self.name} <{self.address}>"
        message["To"] = str(mail.message["Reply-To"])
        message["Subject"] = f"Re: {mail.subject}"
        message["Message-ID"] = f"<{self.sent}.{self.address}>"
        message["In-Reply-To"] = str(mail.message["Message-ID"])
        quoted = "".join(f"> {line}\n" for line in mail.text.splitlines())
        message.set_content(f"{text}\n\nOn {mail.message['Date']}, Wardroom wrote:\n{quoted}")
        with smtplib.SMTP("127.0.0.1", self.port) as server:
            server.send_message(message)


@pytest.fixture
def wired(
    migrated_sqlite: str,
    open_services: Callable[..., Services],
    manual_clock: ManualClock,
    smtp_sink: SmtpSink,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[tuple[Tables, int]]:
    """Tables with a real mail server on either side; the port where it takes mail. Pictures stand for theirs."""
    monkeypatch.setattr("service.pictures.png", lambda svg, width=600: hashlib.sha256(svg.encode()).digest())
    port = free_port()
    services = open_services(migrated_sqlite, clock=manual_clock, **SETTINGS | {"SMTP_URL": smtp_sink.url})
    here = Listener("127.0.0.1", port, lmtp=False)
    door = MailListener(services, here, bind(here))
    door.start()
    mail_tables = Tables(services, manual_clock)
    yield mail_tables, port
    door.stop()
    mail_tables.postroom.close()


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    "kind, seats",
    [
        ("pennies", 3),
        pytest.param("tammany-hall", 3, marks=pytest.mark.long),
        pytest.param("city-hall", 2, marks=pytest.mark.long),
    ],
)
def test_a_game_from_invitation_to_result_by_mail_alone(wired, smtp_sink, kind, seats):
    table, people = play_by_mail(*wired, smtp_sink, kind, seats, MOST_ROUNDS)
    assert table.status == "finished"
    assert all("is over" in person.over.splitlines()[0] for person in people)


@pytest.mark.slow
@pytest.mark.parametrize("kind, seats", [("tammany-hall", 3), ("city-hall", 2)])
def test_a_game_begins_by_mail_alone(wired, smtp_sink, kind, seats):
    """The invitation, the start and the first turns of everybody; `--long` plays on to the result."""
    table, people = play_by_mail(*wired, smtp_sink, kind, seats, FIRST_ROUNDS)
    assert table.status == "running"
    assert all(person.sent > 2 for person in people)


def play_by_mail(mail_tables: Tables, port: int, smtp_sink: SmtpSink, kind: str, seats: int, most: int):
    """The table and its people after a game by mail, over or `most` rounds old; what was written has been checked."""
    guests = [f"guest{number}@home.example" for number in range(1, seats)]
    game = mail_tables.open("ann", kind=kind, seats=seats, invite=guests, public=False)
    people = {"ann@people.example": Reader("ann@people.example", "Ann", port, 0)}
    people |= {guest: Reader(guest, f"Guest {n}", port, n) for n, guest in enumerate(guests, 1)}
    way, read, rounds = transport(mail_tables.services.settings), 0, 0
    while rounds < most and not all(person.over for person in people.values()):
        rounds += 1
        mail_tables.deliver(way)
        mails = smtp_sink.mails[read:]
        assert mails, "somebody is always asked"
        for mail in mails:
            people[mail.recipients[0]].reads(mail)
        read += len(mails)
        mail_tables.advance(hours=3)
        mail_tables.read_inbox()
    mail_tables.deliver(way)
    way.close()
    assert {row["state"] for row in mail_tables.mails()} <= {"applied", "answered"}, (
        "nothing was held, stale or refused"
    )
    assert {row["state"] for row in mail_tables.notices()} <= {"sent", "superseded"}
    return check_but_for_mail(mail_tables, game), people.values()


def check_but_for_mail(mail_tables: Tables, game: str):
    """All that is checked of a game but the outbox, which holds answers besides what the history calls for."""
    mail_tables.execute("DELETE FROM deliveries WHERE kind IN ('answer', 'confirm')")
    mail_tables.execute("DELETE FROM notices WHERE kind IN ('answer', 'confirm')")
    return check(mail_tables.services, game)
