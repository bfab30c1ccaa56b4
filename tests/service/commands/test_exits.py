"""How commands end (decision 0100): the code, and one sentence that says what to do."""

import ast
import gc
import os
import signal
import sqlite3
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import click
import psycopg
import pytest
import sqlalchemy.exc
from click.testing import CliRunner, Result

from service.cli import main
from service.commands.terminal import exits, opening
from tests.acceptance.processes import ROOT, environment
from workers.processes.embedded import in_a_child

KEY = "c" * 40


@pytest.fixture
def wardroom(tmp_path, monkeypatch):
    """Run a command in this process, its data in a folder of its own."""
    for name in [name for name in os.environ if name.startswith("WARDROOM_")]:
        monkeypatch.delenv(name)

    def run(*words: str, **settings: str) -> Result:
        given = {"DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": KEY, **settings}
        return CliRunner().invoke(main, words, env={f"WARDROOM_{name}": value for name, value in given.items()})

    return run


def program(*, raises: BaseException | None = None, prints: str = "") -> exits.Program:
    """A command that prints, then fails."""

    @click.command(cls=exits.Program)
    def command() -> None:
        click.echo(prints, nl=False)
        if raises is not None:
            raise raises

    return command


@pytest.mark.parametrize("module, name", [("embedded", "serve"), ("listener", "listen")], ids=["serve", "mail"])
def test_a_program_that_goes_on_looks_for_garbage_as_a_web_process_does(module, name, monkeypatch):
    """What a request leaves in cycles would else add tens of megabytes to it."""
    running = import_module(f"workers.{'processes' if module == 'embedded' else 'mail_in'}.{module}")
    seen, before = [], gc.get_threshold()
    settings = SimpleNamespace(mail_in=object())
    for setting in ("FORMAT", "LEVEL"):
        monkeypatch.setenv(f"WARDROOM_LOG_{setting}", "")
    for loads in ("load", "load_to_serve"):
        monkeypatch.setattr(running, loads, lambda: settings, raising=False)
    monkeypatch.setattr(running, "configure", lambda settings: None)
    monkeypatch.setattr(running, name, lambda *_: seen.append(gc.get_threshold()))
    with pytest.raises(SystemExit) as end:
        running.main([])
    assert (end.value.code, seen, gc.get_threshold()) == (os.EX_OK, [(exits.SERVING, *before[1:])], before)


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (exits.Failure(os.EX_NOUSER, "There is no player Bo."), os.EX_NOUSER, "Error: There is no player Bo.\n"),
        (BrokenPipeError(32, "Broken pipe"), exits.PIPE_CLOSED, ""),
        (click.Abort(), exits.INTERRUPTED, "Stopped.\n"),
        (KeyboardInterrupt(), exits.INTERRUPTED, "\nStopped.\n"),
        (OSError(28, "No space left on device"), os.EX_IOERR,
         "Error: Nothing more can be written: No space left on device.\n"),
        (SystemExit(1), 1, ""),
    ],
)  # fmt: skip
def test_a_failure_is_a_code_and_a_sentence(error, code, told):
    done = CliRunner().invoke(program(raises=error), [])
    assert (done.exit_code, done.stderr) == (code, told)


def test_a_fault_of_ours_names_its_place_and_keeps_what_it_says_to_itself(monkeypatch):
    monkeypatch.delenv("WARDROOM_LOG_LEVEL", raising=False)
    broken = program(raises=ValueError("the password is s3cret"))
    done = CliRunner().invoke(broken, [])
    assert done.exit_code == os.EX_SOFTWARE
    assert done.stderr.startswith(
        "Error: This is a fault of Wardroom (ValueError at service/commands/terminal/exits.py:"
    )
    assert "Traceback" not in done.stderr
    assert "s3cret" not in done.stderr
    monkeypatch.setenv("WARDROOM_LOG_LEVEL", "debug")
    assert "Traceback" in CliRunner().invoke(broken, []).stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("surrender", os.EX_USAGE),
        ("export", os.EX_USAGE),
        ("mail retry x", os.EX_USAGE),
        ("verify nothing.ndjson", os.EX_NOINPUT),
        ("verify .", os.EX_NOINPUT),
        ("verify-log nothing.json", os.EX_NOINPUT),
        ("replay --against nowhere", os.EX_NOINPUT),
        ("fit pennies --out .", os.EX_CANTCREAT),
        ("token nobody", os.EX_DATAERR),
        ("export abcdefghij", os.EX_NOINPUT),
        ("export abcdefghij --bundle --output nowhere/x.zip", os.EX_NOINPUT),
        ("erase abcdefghij --yes", os.EX_NOUSER),
        ("migrate 7777", os.EX_USAGE),
        ("games list --waiting 99999999999999999999", os.EX_USAGE),
        ("talk hide abcdefghij 99999999999999999999 --why rude", os.EX_USAGE),
        ("backup . --days 99999999", os.EX_USAGE),
        ("games show \udcff", os.EX_USAGE),
        ("players show \udcff", os.EX_USAGE),
        ("backup nowhere/\udcff", os.EX_CANTCREAT),
    ],
)
def test_what_people_mistake_has_the_code_of_its_kind(wardroom, words, code):
    done = wardroom(*words.split())
    assert done.exit_code == code, done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith("Error: ")
    assert "Traceback" not in done.stderr


def test_what_a_terminal_cannot_show_is_no_mistake_of_the_words(monkeypatch):
    monkeypatch.delenv("WARDROOM_LOG_LEVEL", raising=False)
    unwritable = UnicodeEncodeError("ascii", "é", 0, 1, "ordinal not in range(128)")
    done = CliRunner().invoke(program(raises=unwritable), [])
    assert (done.exit_code, "no text" in done.stderr) == (os.EX_SOFTWARE, False)


@pytest.mark.parametrize("role", ["reading", "writing"])
def test_a_file_that_is_not_ours_is_not_permitted(role, tmp_path):
    error = PermissionError(13, "Permission denied")
    say = exits.unreadable if role == "reading" else exits.unwritable
    assert say(Path("x"), error).exit_code == os.EX_NOPERM


def database_error(words: str, sqlstate: str | None = None) -> sqlalchemy.exc.DBAPIError:
    """What SQLAlchemy makes of an error of a driver."""
    origin: Exception = sqlite3.OperationalError(words)
    if sqlstate is not None:
        origin = psycopg.errors.lookup(sqlstate)(words)
    return sqlalchemy.exc.OperationalError("SELECT s3cret", {}, origin)


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (database_error("no such table: games"), os.EX_CONFIG, "Run `wardroom migrate`."),
        (database_error("relation", "42P01"), os.EX_CONFIG, "Run `wardroom migrate`."),
        (database_error("attempt to write a readonly database"), os.EX_NOPERM, "as the user the service runs as."),
        (database_error("denied", "42501"), os.EX_NOPERM, "as the user the service runs as."),
        (database_error("wrong", "28P01"), os.EX_NOPERM, "check its owner and WARDROOM_DATABASE_URL"),
        (database_error("database is locked"), os.EX_TEMPFAIL, "Try again in a minute."),
        (database_error("too many", "53300"), os.EX_TEMPFAIL, "Try again in a minute."),
        (database_error("database or disk is full"), os.EX_IOERR, "Make room"),
        (database_error("no room", "53100"), os.EX_IOERR, "Make room"),
        (database_error("refused"), os.EX_UNAVAILABLE, "check WARDROOM_DATABASE_URL"),
    ],
)
def test_a_database_is_quoted_by_what_it_means(error, code, told):
    with pytest.raises(exits.Failure) as failed, opening.database_faults():
        raise error
    assert failed.value.exit_code == code
    assert told in failed.value.message
    assert "s3cret" not in failed.value.message


@pytest.mark.slow
def test_a_reader_who_leaves_is_no_verdict_and_no_traceback():
    reads, writes = os.pipe()
    os.close(reads)
    command = [sys.executable, "-m", "service.cli", "--help"]
    done = subprocess.run(command, env=environment(), cwd=ROOT, stdout=writes, stderr=subprocess.PIPE, check=False)
    os.close(writes)
    assert (done.returncode, done.stderr) == (exits.PIPE_CLOSED, b"")


@pytest.mark.slow
def test_serve_ends_as_what_opens_its_database_does():
    with pytest.raises(SystemExit) as refused:
        in_a_child(lambda: os._exit(os.EX_CONFIG))
    assert refused.value.code == os.EX_CONFIG
    with pytest.raises(exits.Failure, match="SIGKILL ended the process") as killed:
        in_a_child(lambda: os.kill(os.getpid(), signal.SIGKILL))
    assert killed.value.exit_code == os.EX_TEMPFAIL
    in_a_child(lambda: os._exit(os.EX_OK))


@pytest.mark.slow
def test_every_failure_of_a_command_says_its_code():
    """No ClickException of click's own, which would end with 1 as if it were a verdict."""
    rooms = (ROOT / "service" / "commands", ROOT / "workers")
    for path in [ROOT / "service" / "cli.py", *(file for room in rooms for file in room.rglob("*.py"))]:
        raised = [
            ast.unparse(node.exc)
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Raise) and node.exc is not None
        ]
        assert not [text for text in raised if text.startswith("click.ClickException")], path
