"""Mail comes in, as people and mail servers start it: `wardroom mail`, and `wardroom serve` with a port for mail."""

import os
import signal
import smtplib
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from config.settings import load
from service.cli import main
from service.container import Services, assemble
from service.mail import inbox
from service.store.incoming.inbox import inbound
from tests.acceptance.processes import Program, answers, environment, until
from tests.ports import free_port
from tests.workers.letterbox import MAIL, SENDER, address, forget, raws, stored, transaction

KEY = "c" * 40
Run = Callable[..., Result]


@pytest.fixture
def given(tmp_path: Path) -> dict[str, str]:
    return {"DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": KEY}


@pytest.fixture
def wardroom(given: dict[str, str]) -> Iterator[Run]:
    """Run `wardroom mail …` in this process, with this on standard input."""
    ours = dict.fromkeys((name for name in os.environ if name.startswith("WARDROOM_")), None)

    def run(*words: str, stdin: bytes = b"", variables: dict[str, str] | None = None, **settings: str) -> Result:
        values = {**given, "MAIL_IN": "off", "LOG_LEVEL": "warning", **settings}
        environ = ours | {f"WARDROOM_{name}": value for name, value in values.items()} | (variables or {})
        return CliRunner().invoke(main, words, input=stdin, env=environ)

    return run


@pytest.fixture
def services(wardroom: Run, given: dict[str, str]) -> Iterator[Services]:
    """The service the commands work on."""
    assert wardroom("migrate").exit_code == 0
    made = assemble(load({f"WARDROOM_{name}": value for name, value in given.items()}), durable=False)
    yield made
    made.database.close()


def ends(done: Result, code: int) -> str:
    """What the command said last; it ended with this code, in its own words."""
    assert done.exit_code == code, done.stderr
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""


# ingest


def test_a_mail_on_standard_input_is_stored_as_it_came(wardroom, services):
    to = address(services)
    raw = b"From ann Thu Jan  1\nSubject: \xff\n\nbid 30\n.\n"
    assert ends(wardroom("mail", "ingest", "--to", to, "--from", SENDER, stdin=raw), 0) == ""
    postfix = {"ORIGINAL_RECIPIENT": to, "RECIPIENT": "root@localhost", "SENDER": "<>"}
    ends(wardroom("mail", "ingest", stdin=MAIL, variables=postfix), 0)
    ends(wardroom("mail", "ingest", stdin=MAIL, variables={"RECIPIENT": to, "SENDER": "bob@people.example"}), 0)
    assert raws(services) == [raw, MAIL, MAIL]
    assert [(row["source"], row["sender"], row["trusted"]) for row in stored(services)] == [
        ("stdin", SENDER, ""), ("stdin", "", ""), ("stdin", "bob@people.example", ""),
    ]  # fmt: skip


def test_what_cannot_be_stored_ends_with_the_code_a_mail_server_understands(wardroom, services, given):
    to = address(services)
    gone = address(services, 2)
    forget(services, gone)
    assert "--to ADDRESS" in ends(wardroom("mail", "ingest", stdin=MAIL), 64)
    assert "No such option" in ends(wardroom("mail", "ingest", "--speed", "9", stdin=MAIL), 64)
    assert ends(wardroom("mail", "ingest", "--to", to), 65) == "There is no mail on standard input."
    assert ends(wardroom("mail", "ingest", "--to", to, stdin=b"x" * 2_000_001), 65) == inbox.TOO_LARGE
    for nobody in ("ann@localhost", gone, "\udcff"):
        assert ends(wardroom("mail", "ingest", "--to", nobody, stdin=MAIL), 67) == inbox.NO_SUCH_ADDRESS
    away = f"postgresql://nobody:s3cret@127.0.0.1:{free_port()}/none"
    assert "s3cret" not in ends(wardroom("mail", "ingest", "--to", to, stdin=MAIL, DATABASE_URL=away), 75)
    assert "WARDROOM_PORT" in ends(wardroom("mail", "ingest", "--to", to, stdin=MAIL, PORT="x"), 75)
    with services.database.write() as tx:
        tx.execute(sa.text("DROP TABLE inbound"))
    ends(wardroom("mail", "ingest", "--to", to, stdin=MAIL), 75)


@pytest.mark.slow
def test_a_mail_server_pipes_a_mail_into_the_real_command(wardroom, services, given):
    command = [sys.executable, "-W", "error::ResourceWarning", "-m", "service.cli", "mail", "ingest"]
    environ = environment(**given) | {"RECIPIENT": address(services), "SENDER": SENDER}
    done = subprocess.run(command, env=environ, input=MAIL, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert raws(services) == [MAIL]
    nobody = subprocess.run(command, env=environ | {"RECIPIENT": "x@y"}, input=MAIL, capture_output=True, timeout=60)
    assert (nobody.returncode, nobody.stderr.decode()) == (67, f"{inbox.NO_SUCH_ADDRESS}\n")


# list and retry


def test_operators_see_what_came_in_and_try_again_what_was_put_aside(wardroom, services):
    to = address(services)
    local = to.partition("@")[0]
    for state in ("received", "quarantined", "applied"):
        number = inbox.accept(services, inbox.InboundMail(MAIL, to, SENDER, "smtp"))
        with services.database.write() as tx:
            values = {"state": state, "reason": "too deep", "attempts": 5, "done_at": 1, "lease": "x"}
            tx.execute(sa.update(inbound).where(inbound.c.id == number).values(**values))
    listed = wardroom("mail", "list").stdout
    assert [line.split()[0] for line in listed.splitlines()] == ["3", "2", "1"]
    assert local not in listed
    assert SENDER not in listed
    assert "quarantined" in listed.splitlines()[1]
    assert "(too deep)" in listed
    only = wardroom("mail", "list", "--state", "quarantined", "--limit", "1").stdout
    assert only.split()[0] == "2"
    assert "'foo' is not one of 'received', 'applied'" in wardroom("mail", "list", "--state", "foo").stderr
    assert ends(wardroom("mail", "retry", "9"), os.EX_NOINPUT) == "Error: There is no mail 9."
    assert ends(wardroom("mail", "retry", "3"), os.EX_DATAERR) == "Error: Mail 3 is not quarantined, it is applied."
    assert ends(wardroom("mail", "retry", "2"), 0) == "Mail 2 will be read again."
    row = stored(services)[1]
    assert (row["state"], row["reason"], row["attempts"], row["lease"], row["done_at"]) == (
        "received",
        "",
        0,
        None,
        None,
    )
    with services.database.write() as tx:
        tx.execute(sa.update(inbound).values(state="quarantined", raw=None))
    assert "not kept any more" in ends(wardroom("mail", "retry", "2"), os.EX_DATAERR)


@pytest.mark.parametrize("words", ["", "ingest", "list", "retry"])
def test_every_mail_command_explains_itself(wardroom, words, tmp_path):
    done = wardroom("mail", *words.split(), "--help")
    assert ends(done, 0) == ""
    assert done.stdout.startswith("Usage:")
    assert not (tmp_path / "data").exists()


# doctor


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"MAIL_IN": "lmtp://127.0.0.1:24"}, ["well    answers by mail: They come in by LMTP on 127.0.0.1:24."]),
        (
            {"MAIL_IN": "off"},
            ["note    answers by mail: None come in", "Mail that is sent on this machine is believed"],
        ),
        ({"AUTHSERV_ID": "mx.example"}, ["well    senders: Believed where mx.example vouches"]),
        ({"IMAP_URL": "imap://u:s3cret@127.0.0.1:1"}, ["broken  IMAP mailbox: It does not answer"]),
        ({"SMTP_URL": "smtp://127.0.0.1:1"}, ["note    senders: No mail server vouches", "WARDROOM_AUTHSERV_ID"]),
    ],
)
def test_the_doctor_says_how_answers_come_in_and_who_is_believed(wardroom, settings, said):
    done = wardroom("doctor", **settings)
    told = done.stdout
    assert all(one in told for one in said), told
    assert "s3cret" not in told


# serve


@pytest.fixture
def served(tmp_path: Path, given: dict[str, str]) -> Iterator[Callable[..., Program]]:
    """Start `wardroom serve` with a port for mail; it is ended with the test."""
    started: list[Program] = []

    def start(port: int, mail_port: int) -> Program:
        environ = environment(**given, MAIL_IN=f"smtp://127.0.0.1:{mail_port}", LOG_LEVEL="info")
        words = ["service.cli", "serve", "--port", str(port)]
        started.append(Program(words, environ, tmp_path / f"serve-{len(started)}.log", cwd=tmp_path))
        return started[-1]

    yield start
    for program in started:
        program.end()


@pytest.mark.slow
def test_serve_takes_mail_in_the_one_process_and_ends_with_it(served, services):
    port, mail_port = free_port(), free_port()
    program = served(port, mail_port)
    until(lambda: answers(port), "the page")
    assert f"Answers by mail: SMTP on 127.0.0.1:{mail_port}\n" in program.output
    to = address(services)
    with smtplib.SMTP("127.0.0.1", mail_port, timeout=60) as client:
        client.ehlo("people.example")
        assert transaction(client, to, MAIL)[0] == 250
        program.signal(signal.SIGTERM)
        assert program.wait(60) == 0
        client.close()
    assert [row["trusted"] for row in stored(services)] == ["pass"]
    assert "Traceback" not in program.output
    assert to.partition("@")[0] not in program.output
    with closing(socket.create_server(("127.0.0.1", mail_port))):
        pass


@pytest.mark.slow
def test_serve_says_when_the_port_for_mail_is_taken(served, given):
    port = free_port()
    with socket.create_server(("127.0.0.1", 0)) as other:
        mail_port = other.getsockname()[1]
        program = served(port, mail_port)
        assert program.wait(60) == os.EX_UNAVAILABLE
    assert f"Mail cannot come in on SMTP on 127.0.0.1:{mail_port} (Address already in use)" in program.output
    assert "WARDROOM_MAIL_IN" in program.output
    assert "Traceback" not in program.output
