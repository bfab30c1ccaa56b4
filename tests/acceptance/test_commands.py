"""The `wardroom` commands, as people start them: what they print, and how they end."""

import contextlib
import json
import os
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import make_url

from config.settings import load
from service.container import assemble
from service.mail.development_mailbox import Folder
from service.store.structure import migrate
from tests import forked
from tests.acceptance.processes import ROOT, Program, answers, clients, environment, until
from tests.ports import free_port
from tests.smtp_sink import SmtpSink
from tests.tables import Tables

pytestmark = pytest.mark.slow
KEY = "c" * 40
SHORT_DEMO = ROOT / "tests" / "acceptance" / "short_demo"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def wardroom(tmp_path: Path) -> Run:
    """Run a command in an empty folder, its data below it."""

    def run(*words: str, stdin: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
        environ = environment(**{"DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": KEY, **settings})
        return forked.run("service.cli", [*words], environ, tmp_path, stdin)

    return run


@pytest.fixture
def started(tmp_path: Path) -> Run:
    """The same, started as people start it: an interpreter of its own, which also ends."""

    def run(*words: str, path: str = str(ROOT), **settings: str) -> subprocess.CompletedProcess[str]:
        environ = environment(**{"DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": KEY, **settings})
        command = [sys.executable, "-W", "error::ResourceWarning", "-m", "service.cli", *words]
        environ["PYTHONPATH"] = path
        return subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True, timeout=119)

    return run


def said(done: subprocess.CompletedProcess[str]) -> str:
    """What a failing command told people: one message, no traceback."""
    assert "Traceback" not in done.stderr, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return lines[-1] if lines else ""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """A finished game and one under way, played once."""
    data = tmp_path_factory.mktemp("shelf") / "data"
    data.mkdir()
    given = {"DATA_DIR": str(data), "SECRET_KEY": KEY, "RATE_LIMITS": "off"}
    services = assemble(load({f"WARDROOM_{name}": value for name, value in given.items()}), durable=False)
    migrate.upgrade(services.database)
    tables = Tables(services)
    over = tables.begin("ann", bots=2, kind="tammany-hall")
    tables.play_out(over, 1, late=0)
    running = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    tables.play_out(running, 2, late=0, most=12)
    head = tables.head(running)
    seat = min(head.rules.decider.awaiting(head.table.game))
    services.database.close()
    return SimpleNamespace(over=over, running=running, seat=seat, data=data)


@pytest.fixture
def played(tmp_path: Path, shelf: SimpleNamespace) -> SimpleNamespace:
    """Those games, in the folder the commands use."""
    shutil.copytree(shelf.data, tmp_path / "data")
    file = tmp_path / "data" / "wardroom.sqlite"
    return SimpleNamespace(over=shelf.over, running=shelf.running, seat=shelf.seat, file=file)


# Help


@pytest.mark.parametrize("command", ["", "serve"])
def test_a_command_explains_itself_and_makes_nothing(started, command, tmp_path):
    done = started(*command.split(), "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Usage: wardroom {command}".rstrip())
    assert len(done.stdout.splitlines()) > 3
    assert not done.stderr
    assert not (tmp_path / "data").exists()


def test_an_unknown_command_is_a_usage_error(started):
    done = started("surrender")
    assert done.returncode == os.EX_USAGE
    assert "No such command" in done.stderr


# Settings


@pytest.mark.parametrize(
    "command, name, value, code",
    [
        ("token ann@x.example", "DATABASE_URL", "mysql://x:s3cret@y/z", os.EX_CONFIG),
        ("doctor", "PORT", "99999", 1),
        ("serve", "PORT", "x", os.EX_CONFIG),
    ],
)
def test_a_bad_setting_is_one_sentence_and_no_traceback(wardroom, command, name, value, code):
    done = wardroom(*command.split(), **{name: value})
    assert done.returncode == code
    assert said(done).startswith(f"Error: WARDROOM_{name} ")
    assert "s3cret" not in done.stderr + done.stdout
    assert not done.stdout


@pytest.mark.parametrize("command", ["token ann@x.example", "serve --port PORT"])
def test_a_data_folder_that_cannot_be_made_is_one_sentence(wardroom, command):
    words = command.replace("PORT", str(free_port())).split()
    done = wardroom(*words, DATA_DIR="/dev/null/data")
    assert done.returncode == os.EX_CANTCREAT
    assert "/dev/null/data" in said(done)


@pytest.mark.parametrize("command", ["export abc", "migrate", "serve --port PORT"])
def test_a_database_that_does_not_answer_is_one_sentence(wardroom, command):
    words = command.replace("PORT", str(free_port())).split()
    done = wardroom(*words, DATABASE_URL=f"postgresql://nobody:s3cret@127.0.0.1:{free_port()}/none")
    assert done.returncode == os.EX_UNAVAILABLE
    assert "WARDROOM_DATABASE_URL" in said(done)
    assert "s3cret" not in done.stderr


def test_a_database_file_that_is_none_is_one_sentence(wardroom, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "wardroom.sqlite").write_bytes(b"this is no database " * 100)
    done = wardroom("doctor")
    assert done.returncode == 1
    assert "broken  database: The database file is damaged; SQLite says “file is not a database”." in done.stdout


def test_a_database_of_a_later_version_is_one_sentence(wardroom, tmp_path):
    wardroom("migrate").check_returncode()
    with sqlite3.connect(tmp_path / "data" / "wardroom.sqlite") as file:
        file.execute("UPDATE alembic_version SET version_num = '9999'")
    file.close()
    done = wardroom("token", "ann@x.example")
    assert done.returncode == os.EX_CONFIG
    assert said(done).startswith("Error: The database is at 9999, and Wardroom ")
    assert "install the release that migrated it, or a later one" in said(done)


def test_migrate_stops_where_it_is_told(wardroom):
    assert said(wardroom("migrate", "0001")) == "The database is at 0001."
    unknown = wardroom("migrate", "7777")
    assert unknown.returncode == os.EX_USAGE
    assert "There is no migration 7777: the newest is " in said(unknown)


# token


def test_token_makes_the_player_once_and_prints_a_token_that_works(wardroom, tmp_path):
    tokens = [wardroom("token", "Ann@People.example", "--name", "Ann").stdout.strip() for _ in range(2)]
    assert len(set(tokens)) == 2
    assert all(len(token) > 30 and " " not in token for token in tokens)
    with sqlite3.connect(tmp_path / "data" / "wardroom.sqlite") as file:
        assert file.execute("SELECT count(*), max(name) FROM players").fetchone() == (1, "Ann")
    file.close()


@pytest.mark.parametrize("address", ["ann", "ann@x.example\nBcc: y", "=?é?=@x.example"])
def test_token_refuses_what_is_no_address_in_a_sentence(wardroom, address, tmp_path):
    done = wardroom("token", address)
    assert done.returncode == os.EX_DATAERR
    assert said(done) == "Error: That is no mail address: write it as name@example.org."
    assert not (tmp_path / "data").exists()


def test_token_refuses_what_is_no_name_in_a_sentence(wardroom):
    done = wardroom("token", "ann@x.example", "--name", "A\tnn\x1b[31m")
    assert done.returncode == os.EX_DATAERR
    assert said(done).startswith("Error: A name has no control characters")


# export and verify


def test_export_and_verify_agree_that_a_history_holds(wardroom, played, tmp_path):
    for game, secret in ((played.over, False), (played.running, True)):
        exported = wardroom("export", game)
        assert exported.returncode == 0, exported.stderr
        lines = [json.loads(line) for line in exported.stdout.splitlines()]
        assert [event["version"] for event in lines[:-1]] == list(range(1, len(lines)))
        assert lines[-1] == {"end": {"version": len(lines) - 1, "hash": lines[-2]["hash"]}}
        assert any("data" not in leaf for event in lines[:-1] for leaf in event["sealed"]) == secret
        (tmp_path / "game.ndjson").write_text(exported.stdout)
        done = wardroom("verify", "game.ndjson")
        assert done.returncode == 0, done.stdout
        assert done.stdout.splitlines()[-1].startswith(f"verified  game {game}, {len(lines) - 1} events, hash ")
        assert not done.stderr
        assert wardroom("verify", "-", stdin=exported.stdout).returncode == 0


def test_verify_needs_no_data_folder_and_no_settings(wardroom, played, tmp_path):
    (tmp_path / "game.ndjson").write_text(wardroom("export", played.over).stdout)
    done = wardroom("verify", "game.ndjson", DATA_DIR=str(tmp_path / "nothing"), DATABASE_URL="nonsense")
    assert done.returncode == 0
    assert not (tmp_path / "nothing").exists()


def test_f55_a_spoiled_history_is_refused_and_the_first_bad_event_is_named(wardroom, played, tmp_path):
    whole = wardroom("export", played.over).stdout.splitlines(keepends=True)
    line = whole[9]
    spot = line.index('"at":"') + 25
    digit = "1" if line[spot] != "1" else "2"
    spoiled = {
        "a digit changed": ("".join([*whole[:9], line[:spot] + digit + line[spot + 1 :], *whole[10:]]), "10"),
        "a line removed": ("".join(whole[:9] + whole[10:]), "10"),
        "a line doubled": ("".join(whole[:10] + whole[9:]), "11"),
        "the end cut off": ("".join(whole[:-1]), ""),
        "a line cut short": ("".join(whole)[: -len(whole[-1]) - 40], str(len(whole) - 1)),
        "nothing at all": ("", ""),
        "no history": ("To be, or not to be\n", "1"),
    }
    for what, (text, event) in spoiled.items():
        (tmp_path / "game.ndjson").write_text(text)
        done = wardroom("verify", "game.ndjson")
        assert done.returncode == 1, what
        assert said(done) == "This history is broken."
        bad = [one for one in done.stdout.splitlines() if one.startswith("broken")]
        assert bad, what
        assert event in bad[0], f"{what}: {bad[0]}"


def test_verify_of_a_file_that_is_not_there_is_a_usage_error(wardroom):
    done = wardroom("verify", "nothing.ndjson")
    assert done.returncode == os.EX_NOINPUT
    assert "nothing.ndjson" in said(done)


def test_export_of_a_game_that_is_not_there_is_a_sentence(wardroom):
    done = wardroom("export", "abcdefghij")
    assert (done.returncode, done.stdout) == (os.EX_NOINPUT, "")
    assert said(done) == "Error: There is no game abcdefghij."


# migrate and doctor


def test_migrate_says_where_the_database_is_and_may_be_run_again(wardroom, started):
    first, second = started("migrate"), wardroom("migrate")
    assert first.returncode == second.returncode == 0
    assert said(first).startswith("The database is at ")
    assert said(first) == said(second)


def marks(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """What the doctor found: thing -> mark."""
    assert "Traceback" not in done.stderr, done.stderr
    found = {}
    for line in done.stdout.splitlines():
        mark, rest = line.split(maxsplit=1)
        found.setdefault(rest.partition(":")[0], mark)
    return found


def test_the_doctor_finds_a_healthy_service_well(started, played):
    done = started("doctor")
    assert done.returncode == 0, done.stdout
    assert set(marks(done).values()) == {"well", "note"}
    assert marks(done)["games"] == "well"
    assert "2 games have their heads where their histories end." in done.stdout


def test_the_doctor_says_where_the_key_is_and_makes_none(wardroom, tmp_path):
    none = wardroom("doctor", SECRET_KEY="")
    assert none.returncode == 1
    assert said(none).startswith("Error: There is no secret key: `wardroom serve` and `wardroom migrate` make ")
    assert not (tmp_path / "data").exists()
    wardroom("migrate", SECRET_KEY="").check_returncode()
    done = wardroom("doctor", SECRET_KEY="")
    assert done.returncode == 0
    assert f"It is in {tmp_path}/data/secret-key: keep a copy apart" in done.stdout


@pytest.mark.parametrize(
    "command, code", {"doctor": 1, "doctor --audit": 1, "serve": os.EX_CONFIG, "migrate": os.EX_CONFIG}.items()
)
def test_a_folder_restored_without_its_key_is_left_as_it_is(wardroom, played, tmp_path, command, code):
    done = wardroom(*command.split(), SECRET_KEY="", PORT=f"{free_port()}")
    assert done.returncode == code
    assert "but not the secret key it was sealed under" in said(done)
    assert "put back the copy of that file, or set WARDROOM_SECRET_KEY." in said(done)
    assert not (tmp_path / "data" / "secret-key").exists()


def test_what_is_kept_in_the_folder_is_for_its_owner_alone(wardroom, tmp_path):
    wardroom("migrate").check_returncode()
    Folder(tmp_path / "data" / "mailbox").deliver(b"Subject: It is your turn\r\n\r\n")
    kept = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
    assert {"wardroom.sqlite", "mailbox", "new"} <= {path.name for path in kept}
    assert [path.name for path in kept if stat.S_IMODE(path.stat().st_mode) & 0o077] == []


def test_the_doctor_finds_a_missing_trigger(wardroom, played):
    with sqlite3.connect(played.file) as file:
        file.execute("DROP TRIGGER events_no_update")
    file.close()
    done = wardroom("doctor")
    assert done.returncode == 1
    assert marks(done)["triggers"] == "broken"
    assert "events_no_update is missing" in done.stdout
    assert "was made again" in wardroom("migrate").stderr
    assert marks(wardroom("doctor"))["triggers"] == "well"


def test_f64_the_doctor_finds_a_wrong_key(wardroom, played):
    done = wardroom("doctor", SECRET_KEY="w" * 40)
    assert done.returncode == 1
    for game in (played.over, played.running):
        assert marks(done)[f"game {game}"] == "broken"
    assert "games" not in marks(done), "it does not say that all is well in the same breath"
    assert wardroom("doctor", SECRET_KEY="w" * 40, SECRET_KEYS_OLD=KEY).returncode == 0


def test_f52_the_doctor_finds_a_head_that_is_not_the_end_of_its_history(wardroom, played):
    with sqlite3.connect(played.file) as file:
        file.execute("UPDATE games SET version = version - 1 WHERE id = ?", (played.over,))
    file.close()
    done = wardroom("doctor")
    assert done.returncode == 1
    assert marks(done)[f"game {played.over}"] == "broken"
    assert f"game {played.running}" not in marks(done)


def test_the_doctor_finds_a_misspelt_setting_and_services_that_do_not_answer(wardroom, played):
    gone = free_port()
    done = wardroom(
        "doctor", SMTP_URl="x", REDIS_URL=f"redis://127.0.0.1:{gone}/0", SMTP_URL=f"smtp://127.0.0.1:{gone}"
    )
    assert done.returncode == 1
    found = marks(done)
    assert (found["settings"], found["Redis"], found["mail"]) == ("broken", "broken", "broken")
    assert "WARDROOM_SMTP_URl is no setting" in done.stdout


def test_the_doctor_finds_a_mailbox_that_others_could_read(wardroom, played):
    done = wardroom("doctor", BASE_URL="https://games.example")
    assert done.returncode == 1
    assert "broken  mail: WARDROOM_BASE_URL is https://games.example" in done.stdout


def test_the_doctor_finds_a_database_that_does_not_answer(wardroom):
    done = wardroom("doctor", DATABASE_URL=f"postgresql://nobody:s3cret@127.0.0.1:{free_port()}/none")
    assert done.returncode == 1
    assert marks(done)["database"] == "broken"
    assert "Connection refused" in done.stdout, "the first line of the driver"
    assert "s3cret" not in done.stdout + done.stderr


def test_the_doctor_finds_a_postgresql_that_was_not_migrated_and_then_one_that_was(
    wardroom, postgres_url, redis_url, smtp_sink
):
    services = {"DATABASE_URL": postgres_url, "REDIS_URL": redis_url, "SMTP_URL": smtp_sink.url}
    done = wardroom("doctor", **services)
    assert done.returncode == 1
    assert marks(done)["schema"] == "broken"
    assert "run `wardroom migrate`" in done.stdout
    wardroom("migrate", **services).check_returncode()
    done = wardroom("doctor", **services)
    assert {name for name, mark in marks(done).items() if mark == "broken"} == {"role"}, done.stdout  # it owns all
    assert {"schema": "well", "triggers": "well", "Redis": "well", "mail": "well"}.items() <= marks(done).items()
    address = make_url(postgres_url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP TRIGGER events_append_only ON events")
    done = wardroom("doctor", **services)
    assert done.returncode == 1
    assert marks(done)["triggers"] == "broken"


# serve


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Any]:
    """Start `wardroom serve` on a free port; it is ended with the test."""
    started: list[Program] = []

    def start(port: int | None = None, ready: bool = True, anew: bool = False, **settings: str) -> tuple[Program, int]:
        port = port or free_port()
        environ = environment(**{"DATA_DIR": str(tmp_path / "data"), "RATE_LIMITS": "off", **settings})
        words = [*([sys.executable, "-m"] if anew else []), "service.cli", "serve", "--port", str(port)]
        started.append(Program(words, environ, tmp_path / f"serve-{len(started)}.log", cwd=tmp_path))
        if ready:
            until(lambda: answers(port) or started[-1].process.poll() is not None, "the page")
            assert started[-1].process.poll() is None, started[-1].output
        return started[-1], port

    yield start
    for program in started:
        program.end()


def test_serve_needs_nothing_and_shows_the_page_the_code_and_that_it_is_ready(served, tmp_path):
    program, port = served(anew=True)
    assert f"Wardroom is at http://127.0.0.1:{port}/ – its mail is at http://127.0.0.1:{port}/mailbox" in program.output
    with clients(port, "ann") as (ann,):
        page = ann.http.get("/")
        assert page.status_code == 200
        assert "Play now" in page.text
        assert f"http://127.0.0.1:{port}/api/v1/players" in ann.http.get("/docs").text
        until(lambda: ann.http.get("/readyz").status_code == 200, "the first sweep")
        ann.post("/players", {"name": "Ann", "email": ann.email})
        until(lambda: "Your code for Wardroom" in ann.http.get("/mailbox").text, "the code")
    program.signal(signal.SIGINT)
    assert program.wait(60) == 0
    until(lambda: not program.members(), "the end of every process")
    assert "Traceback" not in program.output
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/healthz")
    again, _ = served(port)
    assert again.process.poll() is None, "the folder and the port are free again"
    again.signal(signal.SIGTERM)
    assert again.wait(60) == 0


def test_serve_ends_at_ctrl_c_though_somebody_waits_for_news(served, smtp_sink):
    program, port = served(SMTP_URL=smtp_sink.url)
    with clients(port, "ann") as (ann,):
        ann.sign_in(smtp_sink)
        streams = {**ann.headers, "Accept": "text/event-stream"}
        with ann.http.stream("GET", "/api/v1/me/events", headers=streams) as stream:
            told = stream.iter_raw()
            assert next(told).startswith(b"retry: ")
            program.signal(signal.SIGINT)
            assert program.wait(60) == 0
            with contextlib.suppress(httpx.TransportError):
                assert b"".join(told) == b""
    assert "SIGKILL" not in program.output


def test_serve_on_a_folder_that_is_served_already_says_so(served):
    _, port = served()
    second, _ = served(free_port(), ready=False)
    assert second.wait(60) == os.EX_UNAVAILABLE
    assert "Wardroom is already running on " in second.output
    assert "Traceback" not in second.output
    assert answers(port)


def test_serve_with_a_key_that_the_database_was_not_sealed_under_says_so(started, played):
    mail = f"smtp://127.0.0.1:{free_port()}"
    done = started("serve", SECRET_KEY="w" * 40, PORT=f"{free_port()}", MAIL_IN=mail)
    assert done.returncode == os.EX_CONFIG
    assert "This database was sealed under another key: set WARDROOM_SECRET_KEY" in done.stderr


def test_serve_on_a_port_that_is_taken_says_so(served, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        program, _ = served(port, ready=False)
        assert program.wait(60) == os.EX_UNAVAILABLE
    assert f"Something else listens on 127.0.0.1:{port}: give another port with --port." in program.output
    assert "Traceback" not in program.output


def test_serve_killed_with_kill_9_leaves_a_folder_that_can_be_served_again(served):
    program, port = served()
    program.end()
    _, second = served()
    assert answers(second)
    assert not answers(port)


@pytest.mark.parametrize("words", [["--port", "0"], ["--port", "x"], ["--speed", "9"]])
def test_serve_refuses_options_it_does_not_have(wardroom, words):
    done = wardroom("serve", *words)
    assert done.returncode == os.EX_USAGE
    assert "Traceback" not in done.stderr


def test_serve_plays_a_game_with_mail_over_smtp(served):
    with SmtpSink() as sink:
        program, port = served(SMTP_URL=sink.url)
        assert "mailbox" not in program.output
        with clients(port, "ann", "bob") as people:
            ann, bob = people
            for person in people:
                assert person.sign_in(sink) < 60
            game = ann.post(
                "/games", {"ruleset": "tammany-hall", "seats": 3, "bots": [{"strength": 0}], "invite": [bob.email]}
            )["id"]
            until(lambda: len(sink.mails_to(bob.email)) == 2, "the invitation")
            bob.post(f"/games/{game}/seats")
            first = people[ann.get(f"/games/{game}")["awaiting"][0]]
            until(lambda: any("Your turn" in str(m.message["From"]) for m in sink.mails_to(first.email)), "the mail")
            assert ann.http.get("/mailbox").status_code == 404
        program.signal(signal.SIGTERM)
        assert program.wait(60) == 0


# play


def test_play_beside_a_server_prints_a_link_that_leads_to_a_game_against_bots(served, started):
    """One command and one button, on a server of one's own."""
    _, port = served(SECRET_KEY=KEY)
    done = started("play", "city-hall", "--strength", "2", PORT=f"{port}")
    assert done.returncode == 0, done.stderr
    link = next(word for word in done.stdout.split() if "/sign-in/" in word)
    with httpx.Client(follow_redirects=True) as browser:
        asked = browser.get(link)
        token = asked.text.partition('name="csrf" value="')[2].partition('"')[0]
        assert "Sign in as Player" in asked.text
        ours = {"Origin": f"http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-origin"}
        page = browser.post(asked.url, data={"csrf": token}, headers=ours)
    assert page.url.path.startswith("/g/")
    assert "a bot" in page.text
    assert "2 · Practised" in page.text


@pytest.mark.parametrize(
    "words, code, told",
    [
        (("chess",), os.EX_USAGE, "Error: There is no ruleset chess"),
        (("city-hall", "--bots", "4"), os.EX_DATAERR, "Error: City Hall is for 2 to 4 players"),
        (("--email", "nonsense"), os.EX_DATAERR, "Error: "),
    ],
)
def test_play_refuses_what_cannot_be_played_in_a_sentence(wardroom, words, code, told):
    done = wardroom("play", *words)
    assert done.returncode == code
    assert said(done).startswith(told)


def test_play_is_for_a_server_of_one_s_own(wardroom):
    """Where mail goes out to people nobody is signed in by whoever has a shell, but by their mail."""
    done = wardroom("play", SMTP_URL="smtp://127.0.0.1:9", BASE_URL="https://games.example")
    assert done.returncode == os.EX_CONFIG
    assert "https://games.example/tables/new?against=bots" in said(done)


# demo


@pytest.mark.long
def test_the_demo_plays_a_whole_game_and_prints_what_came_of_it(started):
    assert demonstrated(started("demo"))["years"].startswith("16")


def test_the_demo_of_a_short_game_prints_what_came_of_it(started):
    """The same demo over a game of a few rounds, in which one player falls silent, too."""
    summary = demonstrated(started("demo", "pennies", path=f"{SHORT_DEMO}{os.pathsep}{ROOT}"))
    assert int(summary["timeouts"].partition(";")[0]) > 0


def demonstrated(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """The summary of a demo that went well."""
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    summary = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert {"game", "events", "mails", "timeouts", "scores", "head", "audit", "time"} <= set(summary)
    assert summary["audit"] == "verified"
    return summary


def test_the_demo_of_an_unknown_game_is_a_sentence(wardroom):
    done = wardroom("demo", "chess")
    assert done.returncode == os.EX_USAGE
    assert said(done).startswith("Error: There is no ruleset chess")
