"""Delivery: no mail is lost, a retry is the same mail, and none is sent whose claim is not true any more."""

import os
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from config.settings import Settings
from service.accounts import sign_in
from service.container import Services
from service.games import play
from service.mail import unsubscribes
from tests.acceptance.processes import Program
from tests.databases import BOTH
from tests.letters import parsed, text_of
from tests.manual_clock import ManualClock
from tests.ports import free_port
from tests.smtp_sink import (
    SmtpSink,
    accept,
    defer_data,
    defer_rcpt,
    hang,
    refuse_data,
    refuse_rcpt,
)
from tests.tables import Tables
from workers.mail_out.transport import Deferred, Mailbox, Refused, Smtp, _verdict, transport

# Processes that are killed; tests/workers/channels/test_laws.py has what holds for every channel


@pytest.fixture(params=BOTH)
def doomed(
    request: pytest.FixtureRequest, open_services: Callable[..., Services], tmp_path: Path, smtp_sink: SmtpSink
) -> Iterator[Callable[..., Tables]]:
    """Tables whose mail was carried by a process of its own, until that was killed; then an hour goes by."""
    url = request.getfixturevalue(f"migrated_{request.param}")

    def kill(point: str, number: int, wait: Callable[[], object] | None = None) -> Tables:
        tables = Tables(
            open_services(url, SMTP_URL=smtp_sink.url, DATA_DIR=str(tmp_path / "data")), ManualClock(datetime.now(UTC))
        )
        tables.begin()
        words = ["tests.workers.doomed", url, str(tmp_path / "data"), smtp_sink.url, point, str(number)]
        with Program(words, os.environ, tmp_path / "doomed.log") as program:
            if wait is not None:
                wait()
                program.signal(signal.SIGKILL)
            assert program.wait(60) == -signal.SIGKILL, program.output
        tables.advance(hours=1)
        tables.services.database.clock = tables.clock
        return tables

    return kill  # type: ignore[return-value]


@pytest.mark.slow
def test_f24_a_worker_killed_with_kill_9_loses_no_mail_and_doubles_one_at_most(doomed, smtp_sink):
    tables = doomed("sent", 2)
    way = transport(tables.services.settings)
    tables.deliver(way)
    way.close()
    assert tables.states() == {"sent": 3}
    copies = Counter(mail.message["Message-ID"] for mail in smtp_sink.mails)
    assert len(copies) == 3
    assert sorted(copies.values()) == [1, 1, 2]
    assert len({mail.content for mail in smtp_sink.mails}) == 3
    assert {mail.sender for mail in smtp_sink.mails} == {way_of_bounces(tables, row) for row in tables.notices()}


def way_of_bounces(tables: Tables, row: dict) -> str:
    return tables.compose({**row}).return_path


@pytest.mark.slow
def test_f23_a_worker_killed_while_it_waits_for_the_final_answer_sends_the_same_bytes_again(doomed, smtp_sink):
    smtp_sink.script(accept, hang(60))
    tables = doomed("never", 1, wait=lambda: smtp_sink.wait_for(2))
    way = transport(tables.services.settings)
    tables.deliver(way)
    way.close()
    assert tables.states() == {"sent": 3}
    assert sorted(Counter(mail.content for mail in smtp_sink.mails).values()) == [1, 1, 2]


# Claims that are not true any more


def superseded(tables: Tables, reason: str, **where: object) -> None:
    """The one queued notice of these is not sent, and says why; others are."""
    (row,) = tables.notices(state="queued", **where)
    tables.deliver()
    (after,) = tables.notices(id=row["id"])
    assert (after["state"], after["reason"]) == ("superseded", reason)
    assert not any(
        f"{row['decision']}." in one.message_id and row["kind"] in one.message_id
        for one in tables.carrier.letters
        if one.to.startswith("bob")
    )


def test_rate04_no_mail_that_it_is_your_turn_when_the_game_is_over(tables):
    game = tables.begin("ann", "bob")
    tables.play_out(game, 1, late=0)
    tables.deliver()
    assert tables.carrier.kinds() == {"game-over": 2}
    assert tables.states(kind="your-turn") == {"superseded": len(tables.notices(kind="your-turn"))}


def test_rate04_no_mail_about_a_seat_that_has_another_player(tables):
    game = tables.begin()
    other = tables.player("dan")
    tables.execute("UPDATE decisions SET player_id = :other WHERE player_id = :bob", other=other, bob=tables.ids["bob"])
    superseded(tables, "the seat has another player", recipient=tables.ids["bob"], game_id=game)


def test_rate04_a_reminder_is_not_sent_when_its_player_was_replaced_meanwhile(tables):
    game = tables.begin(clock={"per_move": "P3D", "strikes": 1})
    tables.deliver()
    tables.advance(days=2, minutes=1)
    tables.sweep()
    assert tables.states(kind="reminder") == {"queued": 3}
    assert tables.expire(game, 1)
    tables.execute("UPDATE deliveries SET state = 'queued' WHERE kind = 'reminder'")
    tables.sit(game, "eve")
    tables.carrier.letters.clear()
    tables.deliver()
    assert tables.notices(kind="reminder", recipient=tables.ids["bob"])[0]["state"] == "superseded"
    assert "reminder" not in {one.message_id.strip("<").partition(".")[0] for one in tables.carrier.letters_to("bob")}


def test_rate08_a_reminder_is_not_sent_after_the_deadline(tables):
    tables.begin()
    tables.deliver()
    tables.advance(days=2, hours=23)
    tables.sweep()
    tables.advance(hours=1)
    tables.carrier.letters.clear()
    tables.deliver()
    assert {row["reason"] for row in tables.notices(kind="reminder")} == {"the deadline has passed"}
    assert not tables.carrier.letters


def test_rate04_a_turn_that_goes_by_while_its_mail_is_on_its_way_is_not_told(sqlite_tables, smtp_sink, way):
    """It is looked at once more when the server waits for the bytes; the connection serves the next mail."""
    game = sqlite_tables.begin()
    played: list[str] = []

    def plays_meanwhile(point: str) -> None:
        if point == "composed" and not played:
            played.append("ann")
            sqlite_tables.move(game, "ann", "hide 2")

    assert sqlite_tables.deliver(way, fault=plays_meanwhile) == 2
    (gone,) = sqlite_tables.notices(state="superseded")
    assert (gone["recipient"], gone["reason"]) == (sqlite_tables.ids["ann"], "the answer was given")
    assert gone["attempts"] == 0
    assert [mail.recipients for mail in smtp_sink.attempts] == [("bob@people.example",), ("cyd@people.example",)]


def test_rate04_so_it_is_in_the_development_mailbox(sqlite_tables, settings):
    game = sqlite_tables.begin("ann", "bob")

    def plays_meanwhile(point: str) -> None:
        if point == "composed" and len(sqlite_tables.notices(state="queued")) == 2:
            sqlite_tables.move(game, "ann", "hide 2")

    assert sqlite_tables.deliver(transport(settings), fault=plays_meanwhile) == 1


def test_no_mail_to_who_wants_none_except_the_code_they_ask_for(tables):
    tables.begin()
    tables.change_profile("bob", mail=False)
    tables.request_code("bob")
    tables.deliver()
    assert [letter.message_id.partition(".")[0] for letter in tables.carrier.letters_to("bob")] == ["<code"]
    (row,) = tables.notices(kind="your-turn", recipient=tables.ids["bob"])
    assert (row["state"], row["reason"]) == ("superseded", "the player wants no mail")


def test_out17_no_mail_about_a_game_that_its_player_muted_and_all_the_others(tables):
    muted, loud = tables.begin(), tables.begin()
    with tables.services.database.write() as tx:
        unsubscribes.mute(tables.services.database, tx, tables.ids["bob"], muted)
        unsubscribes.mute(tables.services.database, tx, tables.ids["bob"], muted)
    tables.deliver()
    (row,) = tables.notices(recipient=tables.ids["bob"], game_id=muted)
    assert (row["state"], row["reason"]) == ("superseded", "the player wants no mail about this game")
    assert [parsed(letter)["List-Id"] for letter in tables.carrier.letters_to("bob")] == [f"<game-{loud}.localhost>"]
    assert len(tables.carrier.letters) == 5


def test_no_mail_to_a_player_who_is_gone(tables):
    tables.begin()
    tables.execute("DELETE FROM players WHERE id = :bob", bob=tables.ids["bob"])
    superseded(tables, "the player is gone", recipient=tables.ids["bob"])


@pytest.mark.parametrize("why", ["used", "too old", "forgotten"])
def test_a_code_that_is_of_no_use_is_not_sent_and_does_not_stay_in_the_outbox(tables, why):
    tables.request_code("bob")
    (row,) = tables.notices(kind="code")
    assert row["secret"]
    if why == "used":
        code = tables.code_of(tables.compose(row))
        with tables.services.database.write() as tx:
            assert sign_in.confirm(tables.services, tx, "bob@people.example", code)[0]
    elif why == "too old":
        tables.advance(minutes=10)
    else:
        tables.execute("DELETE FROM sign_ins")
    assert tables.deliver() == 0
    (row,) = tables.notices(kind="code")
    assert (row["state"], row["reason"], row["secret"]) == ("superseded", "the code is used or too old", None)


def test_s20_the_code_that_was_sent_opens_the_door_once_and_is_wiped_from_the_outbox(tables):
    tables.request_code("bob")
    tables.deliver()
    (row,) = tables.notices()
    assert (row["state"], row["secret"]) == ("sent", None)
    code = tables.code_of(tables.carrier.letters[0])
    for good in (True, False):
        with tables.services.database.write() as tx:
            token, _ = sign_in.confirm(tables.services, tx, "bob@people.example", code)
        assert (token is not None) == good


def test_no_invitation_to_a_table_that_is_full(tables):
    game = tables.open(seats=2, invite=["Zed@Friends.example"])
    tables.sit(game, "bob")
    tables.deliver()
    (row,) = tables.notices(kind="invitation")
    assert (row["state"], row["reason"]) == ("superseded", "no seat is free any more")


def test_no_invitation_that_was_taken_back(tables):
    tables.open(invite=["zed@friends.example"])
    tables.execute("DELETE FROM invitations")
    assert tables.deliver() == 0
    assert tables.notices()[0]["reason"] == "the invitation was taken back"


def test_no_invitation_to_somebody_who_already_sits_there(tables):
    bob = tables.player("bob")
    game = tables.open(public=False, invite=["bob@people.example", "cyd@people.example"])
    with tables.services.database.write() as tx:
        play.take_seat(tables.services, tx, game, bob, None)
    assert tables.deliver() == 1
    assert [letter.to for letter in tables.carrier.letters] == ["cyd@people.example"]


def test_an_invitation_goes_to_a_table_with_a_free_seat_and_tells_no_other_address(tables):
    tables.open(public=False, invite=["zed@friends.example", "yan@friends.example", "ZED@friends.example"])
    assert tables.deliver() == 2
    assert sorted(letter.to for letter in tables.carrier.letters) == ["yan@friends.example", "zed@friends.example"]
    for letter in tables.carrier.letters:
        other = "zed" if letter.to.startswith("yan") else "yan"
        assert other not in letter.data.decode()


# What a mail server may say


@pytest.fixture
def way(settings_with: Callable[..., Settings], smtp_sink: SmtpSink) -> Iterator[Smtp]:
    found = transport(settings_with(SMTP_URL=smtp_sink.url))
    assert isinstance(found, Smtp)
    yield found
    found.close()


@pytest.mark.parametrize("step", [defer_rcpt, defer_data])
def test_f22_a_mail_put_off_with_4xx_comes_later_and_holds_no_other(sqlite_tables, smtp_sink, way, step):
    sqlite_tables.begin()
    smtp_sink.script(step)
    assert sqlite_tables.deliver(way) == 2
    (held,) = sqlite_tables.notices(state="queued")
    assert (held["reason"], held["attempts"]) == ("451 4.3.0 Try again later", 1)


@pytest.mark.parametrize("step, said", [(refuse_rcpt, "550 5.1.1 No such mailbox"), (refuse_data, "554 5.7.1")])
def test_f26_a_mail_refused_with_5xx_has_failed_with_the_reason_and_is_not_tried_again(
    sqlite_tables, smtp_sink, way, step, said
):
    sqlite_tables.begin()
    smtp_sink.script(accept, step)
    probes = int(step is refuse_rcpt)  # the mailbox is said not to be there: one mail to make sure (RATE-10)
    assert sqlite_tables.deliver(way) == 2 + probes
    assert len(sqlite_tables.notices(kind="probe")) == probes
    (failed,) = sqlite_tables.notices(state="failed")
    assert failed["reason"].startswith(said)
    assert failed["done_at"] == sqlite_tables.clock.at
    sqlite_tables.advance(days=1)
    sqlite_tables.deliver(way)
    assert sqlite_tables.states()["failed"] == 1


@pytest.mark.parametrize("code, why", [(550, Refused), (450, Deferred)])
def test_the_words_of_a_mail_server_are_kept_without_addresses(code, why):
    said = f"5.1.1 {'x' * 170} <ann@people.example>: no such user"
    for words in (said, said.encode()):
        verdict = _verdict(code, words)
        assert isinstance(verdict, why)
        assert str(verdict) == f"{code} 5.1.1 {'x' * 170} <…>: no such user"[:200]
        assert "people" not in str(verdict)


def test_f25_a_server_that_hangs_is_left_and_its_connection_dropped(sqlite_tables, smtp_sink, settings_with):
    sqlite_tables.begin("ann", "bob")
    smtp_sink.script(hang(60))
    way = transport(settings_with(SMTP_URL=smtp_sink.url, SMTP_DATA_TIMEOUT="1"))
    assert isinstance(way, Smtp)
    with pytest.raises(Deferred, match="broke off"):
        way.send(sqlite_tables.compose(sqlite_tables.notices()[0]))
    assert way.connection is None


def test_rate_a_connection_is_kept_from_one_mail_to_the_next(sqlite_tables, smtp_sink, way):
    game = sqlite_tables.begin()
    sqlite_tables.deliver(way)
    kept = way.connection
    assert kept is not None
    sqlite_tables.begin()
    sqlite_tables.deliver(way)
    assert way.connection is kept
    assert len(smtp_sink.mails) == 6
    assert game


@pytest.mark.parametrize("refusal", [defer_rcpt, refuse_rcpt, defer_data, refuse_data])
def test_a_connection_outlives_a_refusal(sqlite_tables, smtp_sink, way, refusal):
    sqlite_tables.begin()
    smtp_sink.script(accept, refusal)
    first, second, third = sqlite_tables.notices()
    way.send(sqlite_tables.compose(first))
    kept = way.connection
    with pytest.raises((Deferred, Refused)):
        way.send(sqlite_tables.compose(second))
    way.send(sqlite_tables.compose(third))
    assert way.connection is kept


def test_a_kept_connection_found_dead_is_made_anew_once(sqlite_tables, smtp_sink, way):
    sqlite_tables.begin()
    first, second, _ = sqlite_tables.notices()
    way.send(sqlite_tables.compose(first))
    dead = way.connection
    assert dead is not None
    assert dead.sock is not None
    dead.sock.shutdown(socket.SHUT_RDWR)
    way.send(sqlite_tables.compose(second))
    assert way.connection is not dead
    assert len(smtp_sink.mails) == 2


class Surly:
    """A mail server that answers each connection with the lines given, one a command, then closes it."""

    def __init__(self, *connections: str) -> None:
        self.connections = [lines.split("|") for lines in connections]
        self.port = free_port()
        self.heard: list[list[str]] = []
        self.server = socket.create_server(("127.0.0.1", self.port))
        self.thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Surly":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.thread.join(60)
        self.server.close()

    def _run(self) -> None:
        for lines in self.connections:
            connection, _ = self.server.accept()
            heard: list[str] = []
            self.heard.append(heard)
            with connection, connection.makefile("rb") as reader:
                for number, line in enumerate(lines):
                    if line.startswith("!"):  # unasked for
                        line = line[1:]
                    elif number:
                        heard.append(reader.readline().decode().strip())
                    if line == "take":
                        while reader.readline() != b".\r\n":
                            pass
                        line = "250 taken"
                    connection.sendall(line.encode() + b"\r\n")


HELLO = "220 hello|250 hello"
WHOLE = f"{HELLO}|250 ok|250 ok|354 go on"


def surly_way(settings_with: Callable[..., Settings], server: Surly) -> Smtp:
    found = transport(settings_with(SMTP_URL=f"smtp://127.0.0.1:{server.port}"))
    assert isinstance(found, Smtp)
    return found


def test_a_kept_connection_that_the_server_ended_with_421_is_made_anew_at_once(sqlite_tables, settings_with):
    """Postfix and others say 421 and close when a connection was idle for too long."""
    sqlite_tables.begin()
    with Surly(f"{WHOLE}|take|!421 4.4.2 idle for too long", f"{WHOLE}|take|221 bye") as server:
        way = surly_way(settings_with, server)
        first, second, _ = (sqlite_tables.compose(row) for row in sqlite_tables.notices())
        way.send(first)
        way.send(second)
        way.close()
    said = [heard[1].replace("mail from:", "mail FROM:") for heard in server.heard]  # as smtplib writes it since 3.13
    assert said == [f"mail FROM:<{one.return_path}>" for one in (first, second)]


def test_a_server_that_says_421_on_a_new_connection_is_asked_later(sqlite_tables, settings_with):
    sqlite_tables.begin()
    with Surly(f"{HELLO}|421 4.7.0 too busy") as server:
        way = surly_way(settings_with, server)
        with pytest.raises(Deferred):
            way.send(sqlite_tables.compose(sqlite_tables.notices()[0]))
        assert way.connection is None


@pytest.mark.parametrize("greeting", ["554 5.3.2 not for you", "220 hello|554 5.7.1 no|554 5.7.1 no", "421 closing"])
def test_a_server_that_does_not_greet_us_refuses_no_letter(sqlite_tables, settings_with, greeting):
    """What it says about us it does not say about the mail: another day it may take it."""
    sqlite_tables.begin()
    with Surly(greeting) as server:
        way = surly_way(settings_with, server)
        with pytest.raises(Deferred):
            way.send(sqlite_tables.compose(sqlite_tables.notices()[0]))
        assert way.connection is None


def test_a_login_that_is_not_accepted_puts_the_mail_off(sqlite_tables, settings_with):
    sqlite_tables.begin()
    with Surly("220 hello|250-hello\r\n250 AUTH PLAIN|535 5.7.8 no|221 bye") as server:
        url = f"smtp://post:wrong@127.0.0.1:{server.port}"
        way = transport(settings_with(SMTP_URL=url))
        with pytest.raises(Deferred, match="password"):
            way.send(sqlite_tables.compose(sqlite_tables.notices()[0]))
        way.close()


def test_a_login_is_used_and_never_told(sqlite_tables, settings_with, smtp_sink):
    sqlite_tables.begin()
    url = smtp_sink.url.replace("//", "//post:s3cret@")
    way = transport(settings_with(SMTP_URL=url))
    sqlite_tables.deliver(way)
    way.close()
    assert smtp_sink.logins == ["post"]


def test_a_task_that_is_stopped_within_a_dialogue_leaves_no_connection_out_of_step(sqlite_tables, smtp_sink, way):
    """Celery's soft limit strikes anywhere: answers still on their way must not be taken for those of the next mail."""
    sqlite_tables.begin()
    first, second, third = (sqlite_tables.compose(row) for row in sqlite_tables.notices())
    way.send(first)
    kept = way.connection
    assert kept is not None
    kept.data = strikes  # type: ignore[method-assign]
    with pytest.raises(SoftTimeLimitExceeded):
        way.send(second)
    assert way.connection is None
    way.send(third)
    assert [mail.content for mail in smtp_sink.mails] == [first.data, third.data]


def strikes(*_: object) -> None:
    raise SoftTimeLimitExceeded


def test_f21_a_server_that_is_away_loses_nothing(sqlite_tables, settings_with):
    sqlite_tables.begin()
    way = transport(settings_with(SMTP_URL=f"smtp://127.0.0.1:{free_port()}"))
    assert sqlite_tables.deliver(way) == 0
    assert sqlite_tables.states() == {"queued": 3}
    tried = "the mail server cannot be reached (ConnectionRefusedError)"
    assert [row["reason"] for row in sqlite_tables.notices()] == [tried, tried, None]
    sqlite_tables.advance(microseconds=1)
    assert sqlite_tables.deliver() == 3, "another server is another destination"


# What cannot be composed


def test_a20_a_notice_that_cannot_be_composed_does_not_stop_the_others(tables):
    broken, sound = tables.begin(), tables.begin()
    tables.lose_key(broken)
    assert tables.deliver() == 3
    assert tables.states(game_id=broken) == {"queued": 3}
    assert tables.states(game_id=sound) == {"sent": 3}
    assert {row["reason"] for row in tables.notices(game_id=broken)} == {"it could not be composed (Unreadable)"}
    tables.restore_key(broken)
    tables.advance(minutes=1)
    assert tables.deliver() == 3


@pytest.mark.parametrize(
    "name", ["Bob\nBcc: x@y.z", "Bob\r\n\r\n<p>", "Bob\x00", "Bob\x7f", "é =?UTF-8?Q?=0A?=Bcc: x@y.z", "=?utf-8?q?x?="]
)
def test_t50_a_name_that_could_add_a_header_stops_its_mails_and_no_others(sqlite_tables, name):
    """Such a name is refused where names come in; were it in the database all the same, it would not go out."""
    sqlite_tables.begin("ann", "bob")
    sound = sqlite_tables.begin("cyd", "dan")
    sqlite_tables.change_profile("bob", name=name)
    sqlite_tables.deliver()
    assert sqlite_tables.states(game_id=sound) == {"sent": 2}
    assert len(sqlite_tables.carrier.letters) == 2


# The development mailbox


def test_without_a_mail_server_letters_go_into_the_mailbox(sqlite_tables, settings):
    way = transport(settings)
    assert isinstance(way, Mailbox)
    sqlite_tables.begin()
    assert sqlite_tables.deliver(way) == 3
    way.close()
    files = sorted((settings.data_dir / "mailbox" / "new").iterdir())
    assert len(files) == 3
    assert all(file.suffix == ".eml" for file in files)
    assert {text_of(file.read_bytes()).splitlines()[0][3:22] for file in files} == {", what is your move"}


def test_a_mailbox_that_cannot_be_written_loses_nothing(sqlite_tables, settings):
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    (settings.data_dir / "mailbox").write_text("a file stands in the way")
    sqlite_tables.begin()
    assert sqlite_tables.deliver(transport(settings)) == 0
    assert sqlite_tables.states() == {"queued": 3}
