"""Mail by SMTP and LMTP: what is answered to whom, and that 250 means stored (IN-01, IN-02, IN-30, F-13, F-59)."""

import contextlib
import logging
import os
import signal
import smtplib
import socket
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from config.readers import Listener
from service.container import Services
from service.mail import addresses
from tests import forked
from tests.acceptance.processes import ROOT, Program, environment, until
from tests.databases import BOTH
from tests.ports import free_port
from tests.workers.letterbox import MAIL, SENDER, Wire, address, forget, letterbox, raws, stored, told, transaction
from workers.mail_in import listener, smtp_handler
from workers.mail_in.port import CannotListen, bind, shown
from workers.mail_in.smtp_handler import CLIENTS, JUNK, WINDOW, Desk, Junk, in_our_words, is_loopback

__all__ = ["letterbox", "told"]
NO_SUCH = "550 5.1.1 No such address: answer the newest mail of your game, to the address it asks for."
LATER = "451 4.3.0 It cannot be stored now: try again later."


@pytest.fixture
def services(migrated_sqlite: str, open_services: Callable[..., Services]) -> Services:
    return open_services(migrated_sqlite)


@pytest.fixture
def sending_room(migrated_sqlite: str, open_services: Callable[..., Services]) -> Services:
    """A service whose mail leaves the machine."""
    return open_services(migrated_sqlite, SMTP_URL="smtp://mail.example", MAIL_DOMAIN="games.example")


@pytest.fixture(params=BOTH)
def any_room(request: pytest.FixtureRequest, open_services: Callable[..., Services]) -> Services:
    """A service on each database."""
    return open_services(request.getfixturevalue(f"migrated_{request.param}"))


def rename(services: Services, old: str, new: str) -> None:
    with services.database.write() as tx:
        tx.execute(sa.text(f"ALTER TABLE {old} RENAME TO {new}"))


# What is stored


@pytest.mark.parametrize("lmtp", [False, True], ids=["smtp", "lmtp"])
def test_in_02_in_03_a_mail_is_stored_as_it_came_for_the_recipient_of_its_envelope(sending_room, letterbox, lmtp):
    to = address(sending_room)
    raw = MAIL.replace(b"\r\n\r\n", b"\r\nTo: somebody@else.example\r\nDate: Thu, 1 Jan 1970 00:00:00 +0000\r\n\r\n")
    before = sending_room.database.clock.now()
    assert letterbox(sending_room, lmtp=lmtp).send(to, raw) == "250 2.0.0 Stored."
    (row,) = stored(sending_room)
    assert raws(sending_room) == [raw]
    assert row["state"] == "received"
    assert row["source"] == ("lmtp" if lmtp else "smtp")
    assert row["sender"] == SENDER
    assert row["recipient"] == "mv-…@games.example"
    assert row["token"] == addresses.token(to.partition("@")[0])
    assert (row["player_id"], row["game_id"], row["seat"]) == ("p_ann", "k7x2m9qd4t", 0)
    assert before <= row["received_at"] <= sending_room.database.clock.now(), "our clock counts, not its Date (T-45)"


def test_in_02_it_is_committed_before_the_250(services, letterbox):
    seen: dict[str, int] = {}
    box = letterbox(services, fault=lambda point: seen.update({point: len(stored(services))}))
    assert box.send(address(services)).startswith("250")
    assert seen == {"received": 0, "stored": 1}


def test_bytes_that_are_no_ascii_and_dots_and_no_headers_at_all_are_kept(services, letterbox):
    box, to = letterbox(services), address(services)
    odd = [b"\r\n", b"Subject: \xe9\xff\r\n\r\n\x00\x80 \xc3\xa9\r\n", b"\r\n..\r\n.\xe2\x80\xa6\r\n...bid 30\r\n"]
    for raw in odd:
        assert box.send(to, raw).startswith("250")
    assert raws(services) == odd


def test_in_21_the_null_sender_is_kept_as_such(services, letterbox):
    box, to = letterbox(services), address(services)
    box.send(to, sender="")
    assert [row["sender"] for row in stored(services)] == [""]


def test_what_no_database_can_keep_is_cleaned_or_refused_and_no_reason_to_try_again_for_days(any_room, letterbox):
    to = address(any_room).encode()
    with letterbox(any_room).raw() as wire:
        wire.says(b"EHLO x\r\n")
        assert wire.says(b"MAIL FROM:<\xffan\x00n@people.example>\r\n").startswith("250")
        for odd in (b"\x00", b"\xff", b"\x1b"):
            assert wire.says(b"RCPT TO:<x" + odd + b"+" + to + b">\r\n") == NO_SUCH
        assert wire.says(b"RCPT TO:<x+" + to + b">\r\n").startswith("250")
        wire.says(b"DATA\r\n")
        assert wire.says(MAIL + b"\x00.\r\n.\r\n").startswith("250 2.0.0")
    assert [row["sender"] for row in stored(any_room)] == ["ann@people.example"]
    assert raws(any_room) == [MAIL + b"\x00.\r\n"]


def test_an_internationalised_sender_is_taken(services, letterbox):
    to = address(services)
    with letterbox(services).client() as client:
        assert client.has_extn("smtputf8")
        assert client.has_extn("8bitmime")
        client.command_encoding = "utf-8"
        assert client.mail("änna@people.example", ["SMTPUTF8", "BODY=8BITMIME"])[0] == 250
        assert client.rcpt(to)[0] == 250
        assert client.data(MAIL)[0] == 250
    assert stored(services)[0]["sender"] == "änna@people.example"


def test_several_mails_of_one_connection_and_of_many_at_once_are_all_stored(services, letterbox):
    box = letterbox(services)
    to = [address(services, number) for number in range(1, 4)]

    def writes(sender: int) -> list[int]:
        with box.client() as client:
            return [transaction(client, one, MAIL + b"%d" % sender)[0] for one in to]

    with ThreadPoolExecutor(12) as people:
        codes = list(people.map(writes, range(12)))
    assert codes == [[250] * 3] * 12
    assert len(stored(services)) == 36
    assert len({(row["token"], row["digest"]) for row in stored(services)}) == 36


# Who is not known


def test_in_30_junk_is_refused_in_the_session_without_the_database(services, letterbox, monkeypatch):
    good = address(services)
    local, _, domain = good.partition("@")
    forged = local[:-1] + ("0" if local[-1] != "0" else "1")

    def away() -> None:
        raise OperationalError("", {}, Exception("away"))

    monkeypatch.setattr(services.database, "read", away)
    box = letterbox(services)
    for junk in (
        f"ann@{domain}", f"{forged}@{domain}", f"{local}@else.example", f"cf{local[2:]}@{domain}",
        f"{local[:-1]}@{domain}", f"b-1-{'0' * 12}@{domain}", f"{'a' * 300}@{domain}", f"x{local}@{domain}",
        f"+{local}+@{domain}",
    ):  # fmt: skip
        assert box.send(junk, sender="x@y.example") == NO_SUCH, junk
    assert box.send(good) == LATER, "this one asks the database, which is in trouble: the sender shall try again"
    monkeypatch.undo()
    assert not stored(services)
    assert box.send(good.upper()).startswith("250"), "some mail programs change the case"


def test_in_30_an_address_that_was_never_given_out_or_is_revoked_is_refused(services, letterbox):
    box = letterbox(services)
    never = addresses.full(services.settings, addresses.make(services.settings, "mv", "77"))
    assert box.send(never) == NO_SUCH
    gone = address(services)
    forget(services, gone)
    assert box.send(gone) == NO_SUCH
    assert not stored(services)


def test_an_address_revoked_during_the_session_is_refused_at_its_end(services, letterbox):
    to = address(services)
    with letterbox(services).raw() as wire:
        wire.open(to)
        forget(services, to)
        assert wire.says(MAIL + b".\r\n") == NO_SUCH
    assert not stored(services)


def test_bounces_and_the_postmaster_are_heard(services, letterbox):
    box = letterbox(services)
    for to in (addresses.return_path(services.settings, 7), "postmaster@localhost", "postmaster"):
        assert box.send(to, sender="").startswith("250"), to
    assert [(row["purpose"], row["about"]) for row in stored(services)] == [("b", 7), ("none", 0), ("none", 0)]


def test_in_29_lmtp_takes_one_recipient_at_a_time_so_that_each_has_one_verdict(services, letterbox):
    one, two = address(services, 1), address(services, 2)
    with letterbox(services, lmtp=True).client() as client:
        refused = client.sendmail(SENDER, [one, two], MAIL)
        assert refused == {two: (452, b"4.5.3 One recipient at a time: send it to the others again.")}
        assert client.sendmail(SENDER, [two], MAIL) == {}
    assert [row["token"] for row in stored(services)] == [addresses.token(to.partition("@")[0]) for to in (one, two)]


def test_who_answers_to_from_is_told_where_to_write_instead(services, letterbox):
    assert letterbox(services).send(services.settings.mail_from) == (
        "550 5.1.1 Nobody reads this address: write to the Reply-To address of our newest mail instead."
    )


def test_in_29_smtp_takes_a_reply_to_all_and_refuses_only_foreign_recipients(services, letterbox):
    one, two = address(services, 1), address(services, 2)
    with letterbox(services).client() as client:
        refused = client.sendmail(SENDER, [one, two, one, "bob@elsewhere.example"], MAIL)
    assert [(who, code) for who, (code, _) in refused.items()] == [("bob@elsewhere.example", 550)]
    assert [row["token"] for row in stored(services)] == [addresses.token(to.partition("@")[0]) for to in (one, two)]


# Size


def test_in_01_a_mail_announced_as_too_large_is_refused_before_it_is_sent(services, letterbox):
    to = address(services)
    with letterbox(services).client() as client:
        assert client.esmtp_features["size"] == "2000000"
        code, text = client.mail(SENDER, ["SIZE=2000001"])
        assert code == 552
        assert text.decode() == "5.3.4 This mail is larger than 2000000 bytes: send your orders without attachments."
        assert client.mail(SENDER, ["SIZE=2000000"])[0] == 250
        assert client.rcpt(to)[0] == 250
        assert client.data(MAIL)[0] == 250


def test_in_01_a_mail_that_turns_out_too_large_is_refused_with_the_limit_in_words(services, letterbox):
    to = address(services)
    line = b"x" * 998 + b"\r\n"
    with letterbox(services).client() as client:
        assert transaction(client, to, line * 2001) == (552, smtp_handler.TOO_LARGE[4:])
        assert transaction(client, to, line * 2000)[0] == 250
    assert [len(raw or b"") for raw in raws(services)] == [2_000_000]


def test_lines_longer_than_mail_should_have_are_taken_and_monstrous_ones_are_not(services, letterbox):
    to = address(services)
    with letterbox(services).client() as client:
        assert transaction(client, to, b"\r\n" + b"x" * 60_000 + b"\r\n")[0] == 250
        assert transaction(client, to, b"\r\n" + b"x" * 70_000 + b"\r\n") == (554, smtp_handler.LINE_TOO_LONG[4:])
        assert transaction(client, to, MAIL)[0] == 250
    assert len(stored(services)) == 2


def test_t58_a_line_without_end_is_cut_off(services, letterbox):
    with letterbox(services).raw() as wire:
        wire.open(address(services))
        with contextlib.suppress(OSError):
            for _ in range(100):
                wire.socket.sendall(b"x\n" * 50_000)
        wire.is_closed()
    assert not stored(services)


# Trouble


def test_in_02_while_the_database_is_in_trouble_the_sender_is_told_to_try_again(services, letterbox):
    box, to = letterbox(services), address(services)
    rename(services, "inbound", "away")
    assert box.send(to) == LATER
    rename(services, "away", "inbound")
    assert box.send(to).startswith("250")
    assert len(stored(services)) == 1


@pytest.mark.parametrize("point, kept", [("received", 0), ("stored", 1)])
def test_f13_what_goes_wrong_before_the_250_is_no_250_and_stored_twice_at_worst(services, letterbox, point, kept):
    def fault(name: str) -> None:
        if name == point:
            raise OSError("the disk is gone")

    to = address(services)
    assert letterbox(services, fault=fault).send(to) == LATER
    assert len(stored(services)) == kept
    assert letterbox(services).send(to).startswith("250")
    assert len(stored(services)) == kept + 1


def test_a_mail_under_way_is_finished_when_the_listener_ends(services, letterbox):
    came, go_on = threading.Event(), threading.Event()

    def fault(point: str) -> None:
        came.set()
        go_on.wait(60)

    box, to = letterbox(services, fault=fault), address(services)
    with ThreadPoolExecutor(2) as others:
        sent = others.submit(box.send, to)
        assert came.wait(60)
        ending = others.submit(box.listener.stop)
        go_on.set()
        ending.result(10)
        assert sent.exception() is None or isinstance(sent.exception(), smtplib.SMTPServerDisconnected)  # at QUIT
    assert len(stored(services)) == 1
    with pytest.raises(ConnectionRefusedError):
        box.client()


# Smuggling

ENDS = [
    b"\n.\n",
    b"\n.\r\n",
    b"\r.\r\n",
    b"\r\n.\n",
    b"\r\n.\r",
    b"\r.\r",
    b"\n.\r",
    b"\r\n.\r\r\n",
    b"\r\n\n.\r\n",
    b"\r\n.\x00\r.\r",
]


@pytest.mark.parametrize("end", ENDS, ids=repr)
def test_t54_f59_a_message_with_a_bare_cr_or_lf_is_refused_whole_and_what_it_hides_is_no_command(
    services, letterbox, end
):
    to = address(services)
    hidden = f"MAIL FROM:<evil@x.example>\r\nRCPT TO:<{to}>\r\nDATA\r\nbid 1\r\n".encode()
    with letterbox(services).raw() as wire:
        assert wire.open(to).says(MAIL + b"x" + end + hidden + b".\r\n") == smtp_handler.BARE
        assert wire.says(b"NOOP\r\n") == "250 2.0.0 OK", "the session is where it was"
    assert not stored(services)


def test_t54_what_cannot_be_understood_after_a_recipient_ends_the_session(services, letterbox):
    to = address(services)
    with letterbox(services).raw() as wire:
        for line in ("EHLO x", f"MAIL FROM:<{SENDER}>", f"RCPT TO:<{to}>"):
            wire.says(f"{line}\r\n".encode())
        wire.socket.sendall(b'RCPT TO:<"\r\n')
        assert wire.is_closed()


def test_a_command_that_cannot_be_read_is_answered_and_the_session_goes_on(services, letterbox):
    with letterbox(services).raw() as wire:
        wire.says(b"EHLO x\r\n")
        for odd in (
            b'MAIL FROM:<"\r\n',
            b"MAIL FROM:\r\n",
            b"\xff\xfe\r\n",
            b"\r\n",
            b"RCPT TO:<a@b>\r\n",
            b"x" * 9000 + b"\r\n",
        ):
            reply = wire.says(odd)
            assert reply[:4] in ("500 ", "501 ", "503 "), odd[:20]
            assert reply[4:6] == "5.", reply
        assert wire.says(b"NOOP\r\n") == "250 2.0.0 OK"


# Limits


def test_more_than_so_many_unknown_recipients_are_slowed_down_and_known_ones_are_not(
    services, letterbox, monkeypatch, told
):
    monkeypatch.setattr(smtp_handler, "TARPIT", 0)
    to = address(services)
    guess = addresses.full(services.settings, addresses.make(services.settings, "mv", "another"))
    with letterbox(services).client() as client:
        client.mail(SENDER)
        said = [client.rcpt(guess if number % 2 else "x@localhost") for number in range(JUNK + 2)]
        assert [code for code, _ in said] == [550] * JUNK + [450, 450]
        assert said[-1][1] == b"4.7.1 Too many unknown addresses: try again later."
        assert client.rcpt(to)[0] == 250
        assert client.data(MAIL)[0] == 250
    assert len(stored(services)) == 1
    events = [line["event"] for line in told]
    assert events.count("many unknown recipients") == 1
    assert events.count("recipient refused") == JUNK
    assert guess.partition("@")[0] not in str(told)
    assert "mv-…@localhost" in str(told)


def test_unknown_recipients_are_forgotten_after_a_while_and_counted_in_bounded_memory():
    now = [0.0]
    junk = Junk(lambda: now[0])
    assert [junk.another("a") for _ in range(3)] == [1, 2, 3]
    assert junk.another("b") == 1
    now[0] = WINDOW - 1
    assert junk.another("a") == 4
    now[0] = WINDOW
    assert junk.another("a") == 1
    for number in range(2 * CLIENTS):
        junk.another(f"other {number}")
    assert len(junk.seen) == CLIENTS
    assert junk.another("a") == 1


def test_more_connections_than_there_is_room_for_are_told_so(services, letterbox, monkeypatch):
    monkeypatch.setattr(listener, "CONNECTIONS", 2)
    box, to = letterbox(services), address(services)
    with box.client(), box.client() as second:
        with pytest.raises(smtplib.SMTPConnectError) as full:
            box.client()
        assert (full.value.smtp_code, bytes(full.value.smtp_error)) == (421, listener.FULL[4:].encode())
        second.quit()
        until(lambda: len(box.listener.doors) < 2, "room", 60)
        assert box.send(to).startswith("250")


def test_a_client_that_says_nothing_is_left(services, letterbox, monkeypatch):
    monkeypatch.setattr(listener, "COMMAND_TIMEOUT", 0.1)
    with letterbox(services).raw() as wire:
        assert wire.reply() == ""


# Trust


def test_what_is_sent_from_this_machine_is_trusted_where_no_mail_leaves_it_and_nowhere_else(
    services, sending_room, letterbox
):
    for where, verdict in ((services, "pass"), (sending_room, "")):
        letterbox(where).send(address(where))
        assert stored(where)[-1]["trusted"] == verdict


@pytest.mark.parametrize(
    "client, verdict",
    [
        ("127.0.0.1", "pass"), ("127.9.9.9", "pass"), ("::1", "pass"), ("::ffff:127.0.0.1", "pass"),
        ("192.168.1.2", ""), ("10.0.0.1", ""), ("fe80::1%eth0", ""), ("::ffff:10.0.0.1", ""), ("0.0.0.0", ""), ("", ""),
    ],
)  # fmt: skip
def test_only_a_loopback_address_is_this_machine(services, client, verdict):
    assert is_loopback(client) == (verdict == "pass")
    assert Desk(services, "smtp")._trust(SimpleNamespace(peer=(client, 1))) == verdict


def test_a_client_without_an_address_is_not_trusted(services):
    assert Desk(services, "smtp")._trust(SimpleNamespace(peer="/run/socket")) == ""


# Replies and logs


@pytest.mark.parametrize(
    "plain, ours",
    [
        ("250 OK", "250 2.0.0 OK"),
        ("221 Bye", "221 2.0.0 Bye"),
        ("500 Error: bad syntax", "500 5.5.2 Error: bad syntax"),
        ("501 Syntax: DATA", "501 5.5.4 Syntax: DATA"),
        ("503 Error: need MAIL command", "503 5.5.1 Error: need MAIL command"),
        ("553 5.1.3 Error: malformed address", "553 5.1.3 Error: malformed address"),
        ("552 Error: Too much mail data", smtp_handler.TOO_LARGE),
        ("354 End data with <CR><LF>.<CR><LF>", "354 End data with <CR><LF>.<CR><LF>"),
        ("220 localhost Wardroom", "220 localhost Wardroom"),
        ("250-SIZE 5", "250-SIZE 5"),
        ("250 ENHANCEDSTATUSCODES", "250 ENHANCEDSTATUSCODES"),
        ("421 4.3.2 Too many", "421 4.3.2 Too many"),
    ],
)
def test_every_reply_has_an_enhanced_code_and_only_one(plain, ours):
    assert in_our_words(plain) == ours


def test_the_greeting_says_nothing_about_what_runs_here(services, letterbox):
    with smtplib.SMTP() as client:
        code, text = client.connect("127.0.0.1", letterbox(services).port)
        assert (code, text) == (220, b"localhost Wardroom")
        client.ehlo("x")
        assert set(client.esmtp_features) == {"size", "8bitmime", "smtputf8", "help", "enhancedstatuscodes"}
        assert client.docmd("VRFY", "ann@localhost")[0] == 252


def test_no_address_that_could_be_used_to_move_reaches_a_log(services, letterbox, caplog, told):
    caplog.set_level(logging.DEBUG)
    logging.getLogger("mail.log").setLevel(logging.NOTSET)
    box, to = letterbox(services), address(services)
    local = to.partition("@")[0]
    box.send(to)
    box.send(f"{local[:-2]}@localhost")
    with box.raw() as wire:
        wire.says(f"FROB {to}\r\n".encode())
    assert local[8:20] not in caplog.text + str(told)


def test_a_port_that_is_taken_is_a_sentence():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CannotListen) as taken:
            bind(Listener("127.0.0.1", port, lmtp=True))
    assert str(taken.value) == (
        f"Mail cannot come in on LMTP on 127.0.0.1:{port} (Address already in use): "
        "give another port in WARDROOM_MAIL_IN, or set it to off."
    )
    with pytest.raises(CannotListen, match="WARDROOM_MAIL_IN"):
        bind(Listener("203.0.113.77", 1, lmtp=False))
    assert shown(Listener("::1", 25, lmtp=False)) == "SMTP on [::1]:25"


# Processes


@pytest.mark.slow
@pytest.mark.parametrize("point, kept", [("received", 0), ("stored", 1), ("", 1)])
def test_f13_a_listener_killed_before_or_after_the_250_loses_nothing_it_acknowledged(
    services, migrated_sqlite, tmp_path, point, kept
):
    port, to = free_port(), address(services)
    words = ["tests.workers.mail_in.doomed_listener", migrated_sqlite, str(tmp_path), str(port)]
    with Program([*words, point], os.environ, tmp_path / "doomed.log") as doomed:
        until(lambda: answers(port), "the listener")
        if point:
            with pytest.raises((smtplib.SMTPServerDisconnected, ConnectionError)):
                sends(port, to)
        else:
            assert sends(port, to) == 250
            doomed.signal(signal.SIGKILL)
        assert doomed.wait(60) == -signal.SIGKILL
    assert len(stored(services)) == kept
    if point:
        with Program([*words, ""], os.environ, tmp_path / "again.log"):
            until(lambda: answers(port), "the listener")
            assert sends(port, to) == 250, "the sender tries again what was not acknowledged"
        assert len(stored(services)) == kept + 1
    assert set(raws(services)) == {MAIL}


def answers(port: int) -> bool:
    try:
        Wire(port).close()
    except OSError:
        return False
    return True


def sends(port: int, to: str) -> int:
    client = smtplib.SMTP("127.0.0.1", port, timeout=60)
    try:
        client.ehlo("people.example")
        return transaction(client, to, MAIL)[0]
    finally:
        client.close()


@pytest.mark.slow
def test_the_process_of_the_procfile_takes_mail_until_it_is_told_to_end(services, migrated_sqlite, tmp_path):
    port, to = free_port(), address(services)
    given = {"DATABASE_URL": migrated_sqlite, "DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": "k" * 32}
    words = [sys.executable, "-W", "error", "-m", "workers.mail_in.listener"]
    environ = environment(**given, MAIL_IN=f"smtp://127.0.0.1:{port}")
    with Program(words, environ, tmp_path / "mail.log") as program:
        until(lambda: answers(port), "the listener")
        assert sends(port, to) == 250
        second = forked.run("workers.mail_in.listener", [], environ, ROOT)
        assert second.returncode == os.EX_UNAVAILABLE
        assert second.stderr.startswith("Error: Mail cannot come in on SMTP on 127.0.0.1:")
        program.signal(signal.SIGTERM)
        assert program.wait(60) == 0
        assert "mail comes in" in program.output
        assert "Traceback" not in program.output
        assert to.partition("@")[0] not in program.output
    assert len(stored(services)) == 1
    assert stored(services)[0]["trusted"] == "pass"


@pytest.mark.slow
def test_the_process_has_nothing_to_do_where_mail_in_is_off(tmp_path):
    environ = environment(DATA_DIR=str(tmp_path / "data"), MAIL_IN="off")
    done = forked.run("workers.mail_in.listener", [], environ, ROOT)
    assert done.returncode == os.EX_CONFIG
    assert done.stderr == "WARDROOM_MAIL_IN is off: there is nothing to listen for.\n"
