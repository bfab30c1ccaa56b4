"""Mail from an IMAP mailbox: whose it is, what is marked when, what the heartbeat says (IN-03, IN-20, IN-30, T-53)."""

import contextlib
import imaplib
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
import sqlalchemy as sa
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from config.readers import ImapServer
from service.container import Services
from service.kernel.clock import SECOND, moment
from service.kernel.fault_points import faults
from service.mail import addresses, inbox
from service.store.running.heartbeats import beat, last_beat
from tests.imap_server import ImapMailbox
from tests.manual_clock import ManualClock
from tests.ports import free_port
from tests.tables import SETTINGS, Tables
from tests.workers.letterbox import address, forget, raws, stored, told
from workers.mail_in import imap
from workers.mail_in.imap import MOST_ROUNDS, headers_of, look, look_if_due, recipients_of, sender_of
from workers.parsing.limits import REASONS

__all__ = ["told"]
GAME = "k7x2m9qd4t"


@pytest.fixture(scope="module")
def server() -> Iterator[ImapMailbox]:
    with ImapMailbox() as running:
        yield running


@pytest.fixture
def mailbox(server: ImapMailbox) -> ImapMailbox:
    """A mailbox in which nothing is unseen."""
    with server.opened() as client:
        if uids := client.uids("ALL", charset=None):
            client.delete(uids)
    return server


@pytest.fixture
def services(mailbox: ImapMailbox, migrated_sqlite: str, open_services: Callable[..., Services]) -> Services:
    """A service that looks into the mailbox."""
    return open_services(migrated_sqlite, IMAP_URL=mailbox.url)


def source(services: Services) -> ImapServer:
    assert services.settings.imap_url is not None
    return services.settings.imap_url


def looked(services: Services) -> int | None:
    with services.database.read() as connection:
        return last_beat(connection, "imap")


def mail(to: str, text: str = "bid 30", *headers: str) -> bytes:
    lines = ["Return-Path: <ann@people.example>", f"To: {to}", "From: Ann <ann@work.example>", *headers, "", text, ""]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape")


@pytest.fixture
def mail_tables(
    mailbox: ImapMailbox, migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock
) -> Tables:
    """Tables whose mail comes in by the mailbox."""
    return Tables(open_services(migrated_sqlite, clock=manual_clock, IMAP_URL=mailbox.url, **SETTINGS), manual_clock)


# One look


def test_a_mail_is_stored_as_it_came_and_then_marked_as_seen(services, mailbox):
    to = address(services)
    raws_sent = [mail(to), mail(f"Wardroom <{to}>", "bid \udcff31\r\n.\r\n")]
    mailbox.receives(*raws_sent)
    assert look(services, source(services)) == 2
    assert raws(services) == raws_sent
    assert mailbox.unseen() == 0
    row = stored(services)[0]
    assert (row["source"], row["sender"], row["state"], row["trusted"]) == (
        "imap",
        "ann@people.example",
        "received",
        "",
    )
    assert row["token"] == addresses.token(to.partition("@")[0])
    assert look(services, source(services)) == 0, "what was seen is not fetched again"


def test_in_30_mail_for_nobody_is_marked_and_counted_and_no_mail_is_made_of_it(services, mailbox, told):
    gone = address(services, 9)
    forget(services, gone)
    mailbox.receives(mail("ann@localhost"), b"\r\n", mail(gone), mail("mv-0@localhost"))
    assert look(services, source(services)) == 0
    assert mailbox.unseen() == 0
    assert not stored(services)
    assert [line["for_nobody"] for line in told] == [4]
    assert looked(services) is not None


def test_in_01_of_a_mail_that_is_too_large_only_the_headers_are_fetched_and_stored(
    services, mailbox, monkeypatch, told
):
    to = address(services)
    monkeypatch.setattr(inbox, "LARGEST", 1000)
    mailbox.receives(mail(to, "x" * 2000), mail(to), mail("ann@localhost", "x" * 2000))
    monkeypatch.setattr(imap, "headers_of", lambda raw: len(raw) <= 1000 and headers_of(raw))
    assert look(services, source(services)) == 2
    assert mailbox.unseen() == 0
    assert raws(services) == [mail(to, "").rstrip() + b"\r\n\r\n" + imap.LEFT_OUT, mail(to)]
    counted = [line for line in told if line["event"] == "mail fetched"]
    assert [(line["stored"], line["too_large"], line["for_nobody"]) for line in counted] == [(1, 1, 1)]


@pytest.mark.parametrize("headers, answers", [((), 1), ((("Auto-Submitted", "auto-replied"),), 0)])
def test_in_01_who_sent_a_mail_that_is_too_large_hears_of_it_unless_it_is_automatic(
    mail_tables, mailbox, monkeypatch, headers, answers
):
    mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    monkeypatch.setattr(inbox, "LARGEST", 50_000)
    mailbox.receives(mail_tables.write_reply("ann", "hide 2\n" + "x" * 60_000, headers=headers))
    assert look(mail_tables.services, source(mail_tables.services)) == 1
    mail_tables.exchange()
    assert [row["state"] for row in mail_tables.mails()] == ["quarantined"]
    assert len(mail_tables.notices(kind="answer")) == answers
    assert not answers or str(REASONS["size"]) in " ".join(mail_tables.newest_text("ann", "answer").split())


# When it came


def came_in(mailbox: ImapMailbox, raw: bytes, at: int) -> None:
    """A mail that the mailbox got at this time."""
    with mailbox.opened() as client:
        client.append(raw, dt=moment(at))


def beats(services: Services, at: int) -> None:
    with services.database.write() as tx:
        beat(services.database, tx, "imap", at)


def test_in_19_in_20_a_mail_that_was_in_the_mailbox_in_time_counts_though_it_is_fetched_later(mail_tables, mailbox):
    game = mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    mail_tables.advance(days=3)
    beats(mail_tables.services, mail_tables.clock.at)
    in_time, forged = mail_tables.write_reply("ann", "hide 2"), mail_tables.write_reply("bob", "hide 1")
    came_in(mailbox, in_time, mail_tables.clock.at + 300 * SECOND)
    came_in(mailbox, forged, mail_tables.clock.at + 660 * SECOND)  # after the grace time, with a Date within it
    mail_tables.advance(minutes=15)
    mail_tables.sweep()
    assert mail_tables.awaited(game), "the mailbox was not looked into: nobody's deadline is decided"
    assert look(mail_tables.services, source(mail_tables.services)) == 2
    mail_tables.read_inbox()
    assert [row["state"] for row in mail_tables.mails()] == ["applied", "late"]


@pytest.mark.parametrize(
    "came, looked_at, counts",
    [(-50, -100, -50), (-200, -100, -100), (50, -100, 0), (-3000, None, -3000), (-4000, None, -3600),
     (-4000, -5000, -4000)],
)  # fmt: skip
def test_in_19_the_mailbox_is_believed_between_the_last_complete_look_and_now(
    mail_tables, mailbox, came, looked_at, counts
):
    now = mail_tables.clock.at
    mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    if looked_at is not None:
        beats(mail_tables.services, now + looked_at * SECOND)
    came_in(mailbox, mail_tables.write_reply("ann", "hide 2"), now + came * SECOND)
    look(mail_tables.services, source(mail_tables.services))
    assert [(row["received_at"] - now) // SECOND for row in mail_tables.mails()] == [counts]


@pytest.mark.parametrize("date", ["Mon, 1 Jan 2001 00:00:00 +0000", "Fri, 1 Jan 2100 00:00:00 +0000", "x"])
def test_t45_the_date_a_sender_writes_changes_nothing(services, mailbox, date):
    now = services.database.clock.now() // SECOND * SECOND
    came_in(mailbox, mail(address(services), "bid 30", f"Date: {date}"), now - 60 * SECOND)
    look(services, source(services))
    assert stored(services)[0]["received_at"] == now - 60 * SECOND


@pytest.mark.parametrize("told_by_server", [b"", b'INTERNALDATE "06-Mxy-2024 07:08:09 +0000"',
                                            b'INTERNALDATE "99-Feb-2024 99:99:99 +0000"',
                                            b'INTERNALDATE "01-Jan-0000 00:00:00 +0000"'])  # fmt: skip
def test_in_19_where_the_mailbox_does_not_tell_it_a_mail_came_when_stored(
    services, mailbox, monkeypatch, told_by_server
):
    uid = imaplib.IMAP4.uid

    def says_otherwise(client: imaplib.IMAP4, command: str, *words: str) -> tuple[str, list[object]]:
        status, data = uid(client, command, *words)
        if command == "FETCH" and "INTERNALDATE" in words[1]:
            data = [re.sub(rb'INTERNALDATE "[^"]*"', told_by_server, part) for part in data]
        return status, data

    monkeypatch.setattr(imaplib.IMAP4, "uid", says_otherwise)
    before = services.database.clock.now()
    came_in(mailbox, mail(address(services)), before - 60 * SECOND)
    look(services, source(services))
    assert [row["received_at"] >= before for row in stored(services)] == [True]


# Crashes and trouble


class Died(BaseException):
    """As if the process had been killed here."""


@pytest.mark.parametrize("point, unseen, kept", [("stored", 2, 3), ("seen", 1, 2)])
def test_t53_f56_a_crash_loses_nothing_and_at_worst_brings_one_mail_again(services, mailbox, point, unseen, kept):
    def fault(name: str) -> None:
        if name == point:
            raise Died

    mailbox.receives(mail(address(services, 1)), mail(address(services, 2)))
    with pytest.raises(Died), faults(fault):
        look(services, source(services))
    assert mailbox.unseen() == unseen
    assert looked(services) is None, "a look that was broken off is none (IN-20)"
    look(services, source(services))
    assert mailbox.unseen() == 0
    assert len(stored(services)) == kept
    assert len(set(raws(services))) == 2


def test_in_02_while_the_database_is_in_trouble_mails_stay_unseen_and_nothing_is_claimed(services, mailbox):
    mailbox.receives(mail(address(services)))
    with services.database.write() as tx:
        tx.execute(sa.text("ALTER TABLE inbound RENAME TO away"))
    assert look(services, source(services)) == 0
    assert (mailbox.unseen(), looked(services)) == (1, None)
    with services.database.write() as tx:
        tx.execute(sa.text("ALTER TABLE away RENAME TO inbound"))
    assert look(services, source(services)) == 1


def test_in_04_one_mail_that_cannot_be_stored_is_no_obstacle_to_the_others(services, mailbox, monkeypatch):
    poison, good = address(services, 1), address(services, 2)
    accept = inbox.accept

    def chokes(services: Services, given: inbox.InboundMail) -> int:
        if given.recipient == poison:
            raise ValueError("poison")
        return accept(services, given)

    monkeypatch.setattr(inbox, "accept", chokes)
    mailbox.receives(mail(poison), mail(good))
    assert look(services, source(services)) == 1
    assert mailbox.unseen() == 1
    assert looked(services) is None
    monkeypatch.undo()
    assert look(services, source(services)) == 1
    assert looked(services) is not None


@pytest.mark.parametrize("what", ["RFC822.SIZE", "BODY.PEEK"])
def test_a_mail_the_mailbox_does_not_hand_over_stays_unseen_and_is_no_obstacle(services, mailbox, monkeypatch, what):
    mailbox.receives(mail(address(services, 1)), mail(address(services, 2)))
    first: list[str] = []
    uid = imaplib.IMAP4.uid

    def withholds(client: imaplib.IMAP4, command: str, *words: str) -> tuple[str, list[object]]:
        if command == "FETCH":
            first.append(words[0])
            if what in words[1] and words[0] == first[0]:
                return "OK", [None]
        return uid(client, command, *words)

    monkeypatch.setattr(imaplib.IMAP4, "uid", withholds)
    assert look(services, source(services)) == 1
    assert (mailbox.unseen(), looked(services)) == (1, None)


@pytest.mark.parametrize("error", [ValueError("poison"), sa.exc.DataError("", {}, ValueError())])
def test_in_20_a_mail_that_fails_in_every_round_is_left_to_the_operator_and_holds_deadlines_no_longer(
    services, mailbox, monkeypatch, told, error
):
    monkeypatch.setattr(imap, "MOST_ROUNDS", 2)
    poison, failing = address(services, 1), {}
    accept = inbox.accept

    def chokes(services: Services, given: inbox.InboundMail) -> int:
        if given.recipient == poison:
            raise error
        return accept(services, given)

    monkeypatch.setattr(inbox, "accept", chokes)
    mailbox.receives(mail(poison))
    for _ in range(2):
        look(services, source(services), failing=failing)
        assert (mailbox.unseen(), looked(services)) == (1, None)
    assert [line for line in told if line["log_level"] == "error" and "left" in line["event"]] == []
    mailbox.receives(mail(address(services, 2)))
    assert look(services, source(services), failing=failing) == 1
    assert (mailbox.unseen(), failing) == (0, {})
    assert looked(services) is not None
    (alarm,) = [line for line in told if line["log_level"] == "error" and "left" in line["event"]]
    with mailbox.opened() as client:
        assert client.uids("FLAGGED", charset=None) == [alarm["uid"]]


def test_in_02_no_mail_is_given_up_for_trouble_of_the_database_however_long(services, mailbox, monkeypatch):
    monkeypatch.setattr(imap, "MOST_ROUNDS", 2)
    failing: dict[str, int] = {}
    mailbox.receives(mail(address(services)))
    with services.database.write() as tx:
        tx.execute(sa.text("ALTER TABLE inbound RENAME TO away"))
    for _ in range(3):
        look(services, source(services), failing=failing)
    assert (mailbox.unseen(), failing) == (1, {})


def test_in_20_a_mail_that_breaks_every_connection_is_left_after_as_many_rounds(services, mailbox, monkeypatch):
    mailbox.receives(mail(address(services, 1)), mail(address(services, 2)))
    first: list[str] = []
    uid = imaplib.IMAP4.uid

    def breaks(client: imaplib.IMAP4, command: str, *words: str) -> tuple[str, list[object]]:
        if command == "FETCH":
            first.append(words[0])
            if words[0] == first[0]:
                raise imaplib.IMAP4.abort("gone")
        return uid(client, command, *words)

    monkeypatch.setattr(imaplib.IMAP4, "uid", breaks)
    monkeypatch.setattr(imap, "_failing", {})
    assert [look_if_due(services) for _ in range(MOST_ROUNDS + 1)] == [0] * MOST_ROUNDS + [1]
    assert looked(services) is not None


def test_failing_mails_are_counted_in_bounded_memory_and_forgotten_when_they_are_gone(services, mailbox, monkeypatch):
    failing = {"4294967295": 3}
    monkeypatch.setattr(imap, "MOST_FAILING", 2)
    monkeypatch.setattr(inbox, "accept", lambda *_: 1 // 0)
    mailbox.receives(*(mail(address(services, number)) for number in range(3)))
    for _ in range(2):
        look(services, source(services), failing=failing)
    assert list(failing.values()) == [2, 2]


@pytest.mark.parametrize("url", ["imap://u:p@127.0.0.1:{gone}", "imap://demouser:wrong@127.0.0.1:{port}",
                                 "imap://demouser:pässword@127.0.0.1:{port}", "imaps://u:p@127.0.0.1:{port}",
                                 "imap://demouser:demopass@127.0.0.1:{port}/Nowhere"])  # fmt: skip
def test_a_mailbox_that_cannot_be_opened_is_one_line_in_the_log_without_its_password(
    mailbox, migrated_sqlite, open_services, url, told
):
    services = open_services(
        migrated_sqlite, IMAP_URL=url.format(gone=free_port(), port=mailbox.port).replace("ä", "%C3%A4")
    )
    assert look(services, source(services)) == 0
    assert looked(services) is None
    assert [line["event"] for line in told] == ["mailbox away"]
    assert "demopass" not in str(told)


def test_a_mailbox_that_breaks_off_is_one_line_in_the_log(migrated_sqlite, open_services, told):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def breaks_off() -> None:
            connection, _ = listening.accept()
            connection.sendall(b"* OK hello\r\n")
            connection.recv(1000)
            connection.close()

        thread = threading.Thread(target=breaks_off)
        thread.start()
        services = open_services(migrated_sqlite, IMAP_URL=f"imap://u:p@127.0.0.1:{port}")
        assert look(services, source(services)) == 0
        thread.join()
    assert [line["event"] for line in told] == ["mailbox away"]


def self_signed(folder: Path) -> ssl.SSLContext:
    """A server's side of TLS with a certificate for 127.0.0.1 that no authority signed."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")])
    day, now = timedelta(days=1), datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    draft = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - day, now + day)
    certificate = draft.add_extension(names, critical=False).sign(key, hashes.SHA256())
    plain = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "both.pem").write_bytes(key.private_bytes(*plain) + certificate.public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "both.pem")
    return context


def test_a_mailbox_whose_certificate_nobody_vouches_for_is_told_no_password(
    migrated_sqlite, open_services, tmp_path, told
):
    heard: list[bytes] = []
    context = self_signed(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def answers() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as tls:
                tls.sendall(b"* OK hello\r\n")
                heard.append(tls.recv(1000))

        thread = threading.Thread(target=answers)
        thread.start()
        services = open_services(migrated_sqlite, IMAP_URL=f"imaps://u:p@127.0.0.1:{port}")
        assert look(services, source(services)) == 0
        thread.join(60)
    assert heard == []
    assert [(line["event"], line["error"]) for line in told] == [("mailbox away", "SSLCertVerificationError")]


# The heartbeat


def test_in_20_the_heartbeat_is_when_the_look_began_not_when_it_ended(services, mailbox, monkeypatch):
    now = [1_000 * SECOND]
    monkeypatch.setattr(services.database.clock, "now", lambda connection=None: now[0])
    mailbox.receives(mail(address(services)))

    def later(_: str) -> None:
        now[0] += 30 * SECOND

    with faults(later):
        look(services, source(services))
    assert now[0] > 1_000 * SECOND
    assert looked(services) == 1_000 * SECOND


def test_in_20_a_look_that_had_no_time_for_all_of_it_claims_nothing(services, mailbox):
    mailbox.receives(mail(address(services)))
    assert look(services, source(services), seconds=-1) == 0
    assert (mailbox.unseen(), looked(services)) == (1, None)


def test_nobody_looks_twice_within_a_minute_nor_where_there_is_no_mailbox(
    services, mailbox, migrated_sqlite, open_services
):
    mailbox.receives(mail(address(services)))
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        beat(services.database, tx, "imap", now - 50 * SECOND)
    assert look_if_due(services) == 0
    assert look_if_due(open_services(migrated_sqlite), patience=0) == 0
    assert mailbox.unseen() == 1
    with services.database.write() as tx:
        beat(services.database, tx, "imap", now - 61 * SECOND)
    assert look_if_due(services) == 1


def test_the_poller_looks_and_outlives_trouble(services, mailbox, monkeypatch):
    came = threading.Event()
    calls: list[float] = []

    def fails_first(_: Services, patience: float) -> int:
        calls.append(patience)
        if len(calls) == 1:
            raise ValueError("a bug")
        came.set()
        return 0

    monkeypatch.setattr(imap, "look_if_due", fails_first)
    monkeypatch.setattr(imap, "EVERY", 0.01)
    poller = imap.poller(services, patience=7)
    poller.start()
    assert came.wait(60)
    poller.stop()
    poller.thread.join(60)
    assert not poller.thread.is_alive()
    assert calls[:2] == [7, 7]


def test_there_is_no_poller_where_there_is_no_mailbox(migrated_sqlite, open_services):
    poller = imap.poller(open_services(migrated_sqlite))
    poller.start()
    assert not poller.thread.is_alive()
    poller.stop()


# Whose it is


def of_headers(services: Services, *lines: str) -> list[str]:
    return recipients_of(services, headers_of("\r\n".join([*lines, "", "To: body"]).encode("utf-8", "surrogateescape")))


def test_in_03_what_a_server_wrote_down_counts_before_what_the_sender_wrote(services):
    one, two, three = (address(services, number) for number in (1, 2, 3))
    assert of_headers(services, f"To: {two}", f"Delivered-To: {one}") == [one]
    assert of_headers(services, f"Envelope-To: {three}", f"X-Original-To: {two}", f"To: {one}") == [two]
    assert of_headers(services, "Delivered-To: box@mail.example", f"X-Original-To: {two}") == [two], "the first of ours"
    assert of_headers(services, "Delivered-To: box@mail.example", f"To: a@b.example, Wardroom <{one}>") == [one]
    assert of_headers(services, f"Cc: {one}") == [one]
    assert of_headers(services, f"X-To: {one}", f"Subject: {one}", f"Bcc: {one}") == []


def test_in_29_a_mail_written_to_two_of_our_addresses_comes_to_both(services, mailbox):
    one, two = address(services, 1), address(services, 2, game="another")
    assert of_headers(services, f"To: {one}, {two}", f"Cc: {one}") == [one, two]
    mailbox.receives(mail(f"{one}, {two}"))
    assert look(services, source(services)) == 1
    assert [row["game_id"] for row in stored(services)] == [GAME, "another"]


@pytest.mark.parametrize(
    "header",
    ['To: "Wardroom, the" <{}>', "To: =?utf-8?q?W=C3=A4rdroom?= <{}>", "To:\r\n\t{}", "tO: <{}>;", "To: a@b@c, ({}) {}",
     "To: \udcff <{}>", "To: <mailto:x>, {}", "Delivered-To: {}\r\nDelivered-To: x@localhost"],
)  # fmt: skip
def test_in_04_a_recipient_is_found_in_odd_headers(services, header):
    to = address(services)
    assert of_headers(services, header.replace("{}", to)) == [to]


@pytest.mark.parametrize("junk", [b"", b"\x00" * 5000, b"To:\xff@\xfe\r\nTo: @@@,,,<<>>\r\n", b"To: " + b"a" * 300_000,
                                  b"To: x@y\r\n" * 40_000, b"To: =?x?q?=00?= <@>\r\n: \r\n",
                                  b"\r\n\r\n" * 1000])  # fmt: skip
def test_in_04_headers_that_are_junk_name_nobody_and_raise_nothing(services, junk):
    assert recipients_of(services, headers_of(junk)) == []
    assert isinstance(sender_of(headers_of(junk)), str)


def test_in_01_of_hundreds_of_recipients_only_so_many_are_looked_at(services):
    to = address(services)
    others = [f"p{number}@people.example" for number in range(imap.RECIPIENTS)]
    assert of_headers(services, f"To: {', '.join(others[:-1])}, {to}") == [to]
    assert of_headers(services, f"To: {', '.join(others)}, {to}") == []


@pytest.mark.parametrize(
    "lines, sender",
    [
        (["Return-Path: <>", "From: a@b.example"], ""),
        (["From: a@b.example"], "a@b.example"),
        (["Sender: c@d.example", "From: a@b.example"], "c@d.example"),
        (["Return-Path: <x@y.example>", "Return-Path: <>"], "x@y.example"),
        (["Subject: none"], ""),
    ],
)
def test_the_sender_of_the_envelope_is_what_the_last_server_wrote_down(lines, sender):
    assert sender_of(headers_of("\r\n".join([*lines, "", ""]).encode())) == sender
