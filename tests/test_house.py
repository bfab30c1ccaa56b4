"""The house: settings, durations, processes, the lock, the imports and the servers the other tests stand on."""

import ast
import errno
import importlib.metadata
import io
import itertools
import json
import logging
import os
import re
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis
import sqlalchemy
import structlog
from celery import Celery
from freezegun import freeze_time
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from config import celery, settings
from config.durations import format_duration, parse_duration
from config.keyfile import read_or_make_key
from config.logging import STRUCK_OUT, configure

ROOT = Path(__file__).parent.parent
OURS = ("domain", "service", "workers", "config")


# Modules of the pages

CHECKED = ("--noEmit --allowJs --checkJs --strict --target es2022 --module es2022 --moduleResolution bundler").split()
NO_CHECKER = (
    "TypeScript is not here, so the types of the pages' modules are not checked: where node is, "
    "`npm install --global typescript` brings it"
)


def own_modules() -> list[Path]:
    """The scripts of the pages, but for the renderer of the API's description, which is not ours (decision 0108)."""
    folder = ROOT / "service" / "web" / "static"
    return [path for path in folder.rglob("*.js") if path.parent != folder / "scalar"]


def test_the_modules_of_the_pages_fit_their_types():
    checker = shutil.which("tsc")
    if checker is None:
        pytest.skip(NO_CHECKER)
    modules = {str(path) for path in own_modules()}
    worker = {str(ROOT / "service" / "web" / "static" / "worker.js")}
    for scripts, lib in ((modules - worker, "es2022,dom,dom.iterable"), (worker, "es2022,webworker")):
        given = [*CHECKED, "--lib", lib, *sorted(scripts)]
        found = subprocess.run([checker, *given], capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stdout


FILE_ON_DISK = "check/offline.html"
"""No page: a file that works without a server, and so holds all it needs; its policy names each part by its hash."""


def test_no_page_holds_a_script_or_a_handler_of_its_own():
    templates = set((ROOT / "service" / "web" / "templates").rglob("*.html"))
    for template in templates - {path for path in templates if path.match(FILE_ON_DISK)}:
        inline = re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:", template.read_text())
        assert inline is None, (template, inline)


def test_one_module_alone_turns_text_into_markup():
    markup = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|DOMParser|document\.write|createPolicy|eval\(|new Function"
    )
    assert {path.name for path in own_modules() if markup.search(path.read_text())} == {"markup.js"}


# Settings


def test_without_any_variable_everything_is_embedded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    loaded = settings.load({})
    assert loaded.data_dir == tmp_path / "var"
    assert loaded.database_url == f"sqlite:///{tmp_path}/var/wardroom.sqlite"
    assert loaded.embedded
    assert loaded.sqlite
    assert loaded.smtp_url is None
    assert loaded.base_url == "http://127.0.0.1:8000"
    assert loaded.mail_from == "game@localhost"
    assert loaded.min_move_time == timedelta(minutes=10)
    assert loaded.rate_limits is True
    assert (loaded.mail_in.host, loaded.mail_in.port, loaded.mail_in.lmtp) == ("127.0.0.1", 8025, False)
    assert loaded.imap_url is None
    assert loaded.authserv_id == ""


def test_defaults_follow_the_settings_they_name(settings_with):
    loaded = settings_with(MAIL_DOMAIN="wardroom.example", PORT="8123")
    assert loaded.mail_from == "game@wardroom.example"
    assert loaded.base_url == "http://127.0.0.1:8123"


def test_an_empty_variable_counts_as_unset(settings_with):
    assert settings_with(PORT="  ").port == 8000


def test_the_port_of_the_platform_serves_when_ours_is_not_set(tmp_path):
    data = {"WARDROOM_DATA_DIR": str(tmp_path), "PORT": "5000"}
    assert settings.load(data).port == 5000
    assert settings.load({**data, "WARDROOM_PORT": "6000"}).port == 6000


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_spelling_of_postgresql_takes_psycopg(settings_with, scheme):
    loaded = settings_with(DATABASE_URL=f"{scheme}://anna:pw@db/wardroom")
    assert loaded.database_url == "postgresql+psycopg://anna:pw@db/wardroom"
    assert not loaded.sqlite


@pytest.mark.parametrize(
    "url, host, port, user, password, tls",
    [
        ("smtp://mail.example", "mail.example", 587, None, None, False),
        ("smtp://127.0.0.1:2525", "127.0.0.1", 2525, None, None, False),
        ("smtps://anna:p%40ss@mail.example", "mail.example", 465, "anna", "p@ss", True),
    ],
)
def test_a_mail_server_is_read_from_its_url(settings_with, url, host, port, user, password, tls):
    server = settings_with(SMTP_URL=url).smtp_url
    assert (server.host, server.port, server.user, server.password, server.tls) == (host, port, user, password, tls)


@pytest.mark.parametrize(
    "text, host, port, lmtp",
    [("lmtp://127.0.0.1:24", "127.0.0.1", 24, True), ("smtp://[::1]:2525", "::1", 2525, False)],
)
def test_where_mail_comes_in_is_read_from_its_url(settings_with, text, host, port, lmtp):
    listener = settings_with(MAIL_IN=text).mail_in
    assert (listener.host, listener.port, listener.lmtp) == (host, port, lmtp)
    assert settings_with(MAIL_IN="off").mail_in is None


@pytest.mark.parametrize(
    "text, port, user, password, folder, tls",
    [
        ("imaps://anna:p%40ss@mail.example", 993, "anna", "p@ss", "INBOX", True),
        ("imap://anna%40x.example:pw@mail.example:1143/Game%20mail", 1143, "anna@x.example", "pw", "Game mail", False),
        ("imap://anna:pw@mail.example/", 143, "anna", "pw", "INBOX", False),
    ],
)
def test_a_mailbox_is_read_from_its_url(settings_with, text, port, user, password, folder, tls):
    server = settings_with(IMAP_URL=text).imap_url
    assert (server.host, server.port, server.user, server.password, server.folder, server.tls) == (
        "mail.example", port, user, password, folder, tls,
    )  # fmt: skip


def test_hosts_that_webhooks_may_lead_to_are_read(settings_with):
    text = "127.0.0.1:9000, Bots.Example:443,[0:0::1]:9000,"
    hosts = {("127.0.0.1", 9000), ("bots.example", 443), ("::1", 9000)}
    assert settings_with(WEBHOOK_HOSTS=text).webhook_hosts == hosts
    assert settings_with().webhook_hosts == frozenset()


BAD = {
    "DATABASE_URL": ["mysql://h/d", "sqlite://", "sqlite:///:memory:", "postgresql://h", "postgresql:h/d", "x"],
    "DATABASE_OWNER_URL": ["sqlite:///x", "mysql://h/d", "postgresql://h", "x"],
    "REDIS_URL": ["http://h", "redis://", "redis://h:port", "localhost:6379"],
    "SMTP_URL": ["mail.example", "smtp://", "smtp://anna@h", "smtp://h/x", "smtp://h:99999", "smtp://h ost"],
    "SECRET_KEY": ["short"],
    "SECRET_KEYS_OLD": ["short", f"{'k' * 32},short"],
    "HOST": ["a b", "h/x"],
    "PORT": ["0", "65536", "8000.0", "-1", "eighty", "٨٠"],
    "BASE_URL": ["wardroom.example", "ftp://h", "http://", "https://h/?q=1", "https://h/#x"],
    "MAIL_DOMAIN": ["-x.example", "a b", "x..example", "x.example\nBcc: y"],
    "MAIL_PREFIX": ["games", "+", "ga mes+", "x" * 27 + "+", "games\n+", "a@b+"],
    "MAIL_FROM": ["game", "game@", "Game <game@x.example>", "a@b@c", "a@x.example\r\nBcc: y"],
    "MAIL_IN": ["on", "smtp://", "smtp://127.0.0.1", "smtp://h:0x1", "http://h:25", "smtp://u@h:25", "lmtp://h:24/x"],
    "IMAP_URL": ["on", "imaps://h", "imaps://u@h", "pop3://u:p@h", "imaps://u:p@", "imaps://u:p@h:x"],
    "CONTACT": ["ann", "ann@", "ftp://games.example", "ann@x.example\nBcc: y"],
    "AUTHSERV_ID": ["mx example", "mx.example\nx", "x" * 254],
    "NEWS_ASKS": ["off", "8000", "h:0", "http://h:80"],
    "NEWS": ["on", "8001", "h", "h:0", "h:x", "http://h:80", "h:80/x"],
    "MIN_MOVE_TIME": ["10", "PT", "P1M", "-PT1S", "PT1.5S", "10 minutes"],
    "TALK_DELAY": ["5", "PT", "P1M", "-PT1S", "five minutes"],
    "MAIL_WINDOW": ["3", "PT", "P1M", "-PT1S", "three minutes"],
    "MAILS_A_DAY": ["0", "many"],
    "WEBHOOKS": ["maybe", "1"],
    "PUSH": ["maybe", "1"],
    "WEBHOOK_HOSTS": ["bots", "bots:0", "bots:x", "a b:80", "http://h:80", "h:8/", "u@h:80", "::1:80", "[:]:80"],
    "BOT_SECONDS": ["0", "101", "soon"],
    "UNDO_SECONDS": ["-1", "601", "soon"],
    "OPEN_TABLES": ["0", "many"],
    "BOT_TABLES": ["-1", "many"],
    "GUESTS": ["-1", "0", "many", "on"],
    "RATE_LIMITS": ["maybe", "1"],
    "LOG_LEVEL": ["loud"],
    "LOG_FORMAT": ["xml"],
    "SWEEP_SECONDS": ["0", "5s"],
    "LEASE_SECONDS": ["301", "0", "soon"],
    "SMTP_CONNECT_TIMEOUT": ["0", "x"],
    "SMTP_TIMEOUT": ["0", "x"],
    "SMTP_DATA_TIMEOUT": ["0", "x"],
    "METRICS_TOKEN": ["short", "with blanks in its midst"],
    "TRACES": ["yes", "1"],
    "METRICS_LISTEN": ["9200", "localhost:0", "[::1]"],
    "MAX_BODY": ["0", "256K"],
    "POOL_SIZE": ["0"],
    "PROCESSES": ["0"],
    "THREADS": ["0", "9999"],
    "TRUSTED_PROXIES": ["-1", "all"],
}


@pytest.mark.parametrize("name, value", [(name, value) for name, values in BAD.items() for value in values])
def test_a_bad_value_is_refused_in_one_sentence_that_names_the_variable(settings_with, name, value):
    with pytest.raises(settings.BadSetting) as refused:
        settings_with(**{name: value})
    sentence = str(refused.value)
    assert sentence.startswith(f"WARDROOM_{name} ")
    assert "must be" in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert refused.value.__cause__ is None


def test_every_setting_that_can_be_bad_is_in_the_table():
    assert {f"WARDROOM_{name}" for name in BAD} == {name for name, _, _ in settings.describe()} - {"WARDROOM_DATA_DIR"}


def test_a_page_says_what_every_setting_is_for():
    page = (ROOT / "docs" / "settings.md").read_text()
    for name, default, purpose in settings.describe():
        assert f"| `{name}` | {f'`{default}`' if default else ''} | {purpose} |" in page


def test_a_data_directory_that_is_a_file_is_refused(settings_with, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(settings.BadSetting, match="WARDROOM_DATA_DIR"):
        settings_with(DATA_DIR=str(tmp_path / "file"))


CANARY = "c4nary0nly"


@pytest.mark.parametrize(
    "name, value",
    [
        ("DATABASE_URL", f"mysql://anna:{CANARY}@h/d"),
        ("DATABASE_URL", f"postgresql://anna:{CANARY}@h:port/d"),
        ("DATABASE_OWNER_URL", f"mysql://anna:{CANARY}@h/d"),
        ("REDIS_URL", f"redis://:{CANARY}@h:{CANARY}"),
        ("SMTP_URL", f"smtp://anna:{CANARY}@h:{CANARY}"),
        ("IMAP_URL", f"imaps://anna:{CANARY}@h:{CANARY}"),
        ("SECRET_KEY", CANARY),
        ("SECRET_KEYS_OLD", CANARY),
    ],
)
def test_an_error_never_holds_a_secret(settings_with, name, value):
    with pytest.raises(settings.BadSetting) as refused:
        settings_with(**{name: value})
    assert CANARY not in str(refused.value)


def test_printed_settings_hold_no_secret(settings_with):
    loaded = settings_with(
        DATABASE_URL=f"postgresql://anna:{CANARY}@h/d",
        DATABASE_OWNER_URL=f"postgresql://anna:{CANARY}@h/d",
        REDIS_URL=f"redis://:{CANARY}@h/0",
        SMTP_URL=f"smtp://anna:{CANARY}@h",
        IMAP_URL=f"imaps://anna:{CANARY}@h",
        SECRET_KEY=CANARY * 4,
        SECRET_KEYS_OLD=CANARY * 4,
    )
    assert CANARY not in repr(loaded)
    assert CANARY not in repr(loaded.imap_url)
    assert CANARY not in repr(loaded.smtp_url)


def test_the_secret_key_is_made_once_for_its_owner_alone(settings_with, tmp_path):
    first = settings_with(SECRET_KEY="").secret_key
    file = tmp_path / "data" / "secret-key"
    assert len(first) == 64
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert settings_with(SECRET_KEY="").secret_key == first
    assert list(file.parent.iterdir()) == [file]


def test_processes_that_start_together_agree_on_one_key(tmp_path):
    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(read_or_make_key, [tmp_path / "secret-key"] * 64))) == 1


def test_a_key_file_that_holds_no_key_is_refused(settings_with, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret-key").write_text("\n")
    with pytest.raises(settings.BadSetting, match=r"WARDROOM_SECRET_KEY is not set and .*secret-key cannot serve"):
        settings_with(SECRET_KEY="")


def test_a_misspelt_variable_is_found():
    assert settings.unknown({"WARDROOM_SMPT_URL": "x", "WARDROOM_PORT": "1", "HOME": "/"}) == ["WARDROOM_SMPT_URL"]


# Durations


@pytest.mark.parametrize(
    "written, length, canonical",
    [
        ("P3D", timedelta(days=3), "P3D"),
        ("P1W", timedelta(days=7), "P7D"),
        ("PT12H", timedelta(hours=12), "PT12H"),
        ("PT36H", timedelta(hours=36), "P1DT12H"),
        ("PT90M", timedelta(minutes=90), "PT1H30M"),
        ("P1DT2H3M4S", timedelta(days=1, hours=2, minutes=3, seconds=4), "P1DT2H3M4S"),
        ("PT0S", timedelta(0), "PT0S"),
        ("P0D", timedelta(0), "PT0S"),
    ],
)
def test_durations_are_read_and_written(written, length, canonical):
    assert parse_duration(written) == length
    assert format_duration(length) == canonical


NO_DURATIONS = """P PT P1DT P1Y P1M P1.5D PT1,5H -P1D +P1D P-1D p1d 1D P1H PT1D PT1M1H P1D1W P١D""".split()


@pytest.mark.parametrize("written", [*NO_DURATIONS, "", " P1D", "P1D\n", "P" + "9" * 5000 + "D"])
def test_what_is_no_duration_is_refused_in_one_sentence(written):
    with pytest.raises(ValueError, match=r"^[^\n]{1,150} is no duration: write whole [^\n]*\.$"):
        parse_duration(written)


def test_a_duration_beyond_the_calendar_is_refused():
    with pytest.raises(ValueError, match="longer than any game"):
        parse_duration("P999999999W")


@pytest.mark.parametrize("length", [timedelta(seconds=-1), timedelta(microseconds=1), timedelta(days=-1, hours=2)])
def test_a_length_without_whole_seconds_is_not_written(length):
    with pytest.raises(ValueError, match="zero or more whole seconds"):
        format_duration(length)


@given(st.integers(0, 999_999_999 * 86_400).map(lambda seconds: timedelta(seconds=seconds)))
def test_what_is_written_is_read_back(length):
    assert parse_duration(format_duration(length)) == length


# Logs


@pytest.fixture
def log_lines(settings_with) -> tuple[io.StringIO, structlog.stdlib.BoundLogger]:
    """Logging in JSON into a text."""
    lines = io.StringIO()
    configure(settings_with(LOG_FORMAT="json"), lines)
    return lines, structlog.get_logger("wardroom.test")


def test_every_line_is_json_with_the_request_it_belongs_to(log_lines):
    lines, log = log_lines
    with structlog.contextvars.bound_contextvars(request_id="r1"):
        log.info("move", game="g1")
        logging.getLogger("celery.worker").warning("task %s", "mail.deliver")
        logging.getLogger("gunicorn.error").error("boot\nagain")
    first, second, third = map(json.loads, lines.getvalue().splitlines())
    assert first["event"] == "move"
    assert first["game"] == "g1"
    assert second["event"] == "task mail.deliver"
    assert second["logger"] == "celery.worker"
    assert third["event"] == "boot\nagain"
    assert {line["request_id"] for line in (first, second, third)} == {"r1"}
    assert [line["level"] for line in (first, second, third)] == ["info", "warning", "error"]


def test_no_secret_reaches_a_line(log_lines):
    lines, log = log_lines
    log.info("sign-in", token=CANARY, nested={"password": CANARY, "list": [f"Bearer {CANARY}"]}, secret_key=CANARY)
    logging.getLogger("plain").warning("GET /games?code=%s to postgresql://anna:%s@h/d", CANARY, CANARY)
    try:
        raise ConnectionError(f"redis://:{CANARY}@h/0 refused")
    except ConnectionError:
        log.exception("down")
    assert CANARY not in lines.getvalue()
    assert lines.getvalue().count(STRUCK_OUT) == 8  # one in the line of code the traceback shows
    assert "refused" in lines.getvalue()


def test_f34_a_full_disk_is_a_line_and_not_a_traceback_every_few_seconds(log_lines):
    """F-34: whoever logs it, and whether the system, SQLite or PostgreSQL has said so; other faults keep theirs."""
    lines, log = log_lines
    state = type("DiskFull", (Exception,), {"sqlstate": "53100"})("could not extend file")
    for error, short in (
        (OSError(errno.ENOSPC, "No space left on device"), True),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), True),
        (sqlite3.OperationalError("database or disk is full"), True),
        (sqlalchemy.exc.OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full")), True),
        (sqlalchemy.exc.OperationalError("INSERT", {}, state), True),
        (OSError(errno.EACCES, "Permission denied"), False),
        (sqlite3.OperationalError("no such table: games"), False),
        (ValueError("a bug"), False),
    ):
        for write in (log.exception, logging.getLogger("celery.app.trace").exception):
            lines.seek(0)
            lines.truncate()
            try:
                raise error
            except Exception:
                write("a round failed")
            (line,) = map(json.loads, lines.getvalue().splitlines())
            assert ("exception" in line, "why" in line) == (not short, short), (error, write)


class Full(io.StringIO):
    """A stream that takes nothing."""

    def write(self, _text):
        raise OSError(28, "No space left on device")


def test_a_line_that_cannot_be_written_stops_nobody(settings_with):
    configure(settings_with(LOG_FORMAT="json"), Full())
    structlog.get_logger("wardroom.test").error("nobody reads this")


@pytest.mark.parametrize("level, told", [("info", ["warned", "told"]), ("warning", ["warned"])])
def test_lines_below_the_level_are_not_written(settings_with, level, told):
    lines = io.StringIO()
    configure(settings_with(LOG_FORMAT="json", LOG_LEVEL=level), lines)
    log = structlog.get_logger("wardroom.test")
    log.warning("warned")
    log.info("told")
    log.debug("never")
    assert [json.loads(line)["event"] for line in lines.getvalue().splitlines()] == told


def test_a_sqlstate_is_read_in_a_line_and_a_one_time_code_is_not(log_lines):
    lines, log = log_lines
    log.error("database unavailable", sqlstate="25P03", code=CANARY)
    assert '"25P03"' in lines.getvalue()
    assert CANARY not in lines.getvalue()


ANN = "ann.o'neil+x@people.example"


@pytest.mark.parametrize("words, left", [
    (f"550 5.1.1 <{ANN}>: Recipient rejected", "550 5.1.1 <…>: Recipient rejected"),
    (f"{ANN},{ANN} rfc822;{ANN}", "…,… rfc822;…"),
    ("SRS0=a=b=people.example=ann@relay.example no", "… no"),
    ('no "Ann O"@people.example or ann@[10.0.0.1]', "no … or …"),
    ("änn@münchen.example, a@b@c", "…, …"),
    ("mv-…@play.example and @ alone, 5 @ 6", "mv-…@play.example and @ alone, 5 @ 6"),
    ("x" * 200_000, "x" * 200_000),
    ("@" * 200_000, "@" * 200_000),
])  # fmt: skip
def test_no_address_of_a_person_reaches_a_line(log_lines, words, left):
    lines, log = log_lines
    log.info("mail refused", said=words, deep={"list": [words]})
    logging.getLogger("plain").warning("%s", words)
    first, second = map(json.loads, lines.getvalue().splitlines())
    assert (first["said"], first["deep"], second["event"]) == (left, {"list": [left]}, left)


# Processes


def procfile() -> dict[str, list[str]]:
    lines = (ROOT / "Procfile").read_text().splitlines()
    return {name: shlex.split(command) for name, command in (line.split(": ", 1) for line in lines)}


def test_the_procfile_names_every_process():
    processes = procfile()
    assert {"release", "web", "worker", "beat"} <= set(processes)
    assert processes["release"] == ["python", "-m", "service.cli", "migrate"]
    assert processes["web"] == ["gunicorn", "-c", "python:config.gunicorn", "service.wsgi:app"]
    assert processes["worker"][:6] == "REMAP_SIGTERM=SIGQUIT celery --quiet -A workers.app worker".split()
    assert processes["mail"] == ["python", "-m", "workers.mail_in.listener"]
    assert processes["beat"][:5] == "celery --quiet -A workers.app beat".split()


def test_the_workers_consume_every_queue_and_that_of_bots_by_itself_at_a_low_priority():
    worker, bots = procfile()["worker"], procfile()["bots"]
    consumed = [words[words.index("--queues") + 1].split(",") for words in (worker, bots)]
    assert set(consumed[0]) == set(celery.Queue) - {celery.Queue.BOTS}
    assert consumed[1] == [celery.Queue.BOTS]
    assert bots[1:3] == ["nice", "-n"]
    assert bots[4:6] == worker[1:3]


def test_every_scheduled_task_has_a_route_and_expires_before_the_next(settings_with):
    config = celery.celery_config(settings_with(SWEEP_SECONDS="7"))
    prefixes = tuple(pattern.removesuffix("*") for pattern in config["task_routes"])
    assert {entry["task"] for entry in config["beat_schedule"].values()} == {
        "mail.deliver",
        "clock.sweep",
        "house.keep",
        "bots.think",
    }
    for entry in config["beat_schedule"].values():
        assert entry["task"].startswith(prefixes)
        assert entry["options"]["expires"] <= entry["schedule"]


def test_the_mailbox_is_looked_into_every_minute_where_there_is_one(settings_with):
    config = celery.celery_config(settings_with(IMAP_URL="imaps://anna:pw@mail.example"))
    assert config["beat_schedule"]["mail.fetch"] == {
        "task": "mail.fetch",
        "schedule": 60.0,
        "options": {"expires": 60},
    }


@pytest.mark.slow
def test_every_task_waits_in_its_own_queue_alone(settings_with, redis_url):
    app = Celery(set_as_current=False)
    app.conf.update(celery.celery_config(settings_with(REDIS_URL=redis_url)))
    for queue in celery.Queue:
        app.send_task(f"{queue}.anything")
    app.close()
    with redis.Redis.from_url(redis_url) as client:
        assert [client.llen(queue.value) for queue in celery.Queue] == [1] * len(celery.Queue)


def test_messages_survive_a_worker_and_never_wait_unacknowledged(settings_with):
    config = celery.celery_config(settings_with(REDIS_URL="redis://h/0"))
    assert not config["task_acks_late"], "messages are hints: the due tables are what must not be lost"
    assert config["worker_prefetch_multiplier"] == 1
    assert config["task_time_limit"] < config["broker_transport_options"]["visibility_timeout"]


def test_the_web_process_waits_half_a_second_for_redis_and_no_longer(settings_with):
    loaded = settings_with(REDIS_URL="redis://h/0")
    assert celery.celery_config(loaded, web=True)["broker_transport_options"]["socket_timeout"] == 0.5
    assert celery.celery_config(loaded)["broker_transport_options"]["socket_timeout"] == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    "database, broker, worker",
    [("", "", "1 32 5"), ("", "redis://h/0", "2 1 0"), ("postgresql://h/d", "redis://h/0", "2 32 5")],
)
def test_gunicorn_reads_its_configuration(tmp_path, database, broker, worker):
    (tmp_path / "stub.py").write_text("def app(environ, start): ...\n")
    environ = {"WARDROOM_DATA_DIR": str(tmp_path), "WARDROOM_DATABASE_URL": database, "WARDROOM_REDIS_URL": broker}
    environ["PYTHONPATH"] = str(tmp_path)
    command = [Path(sys.executable).with_name("gunicorn"), "--print-config", "-c", "python:config.gunicorn", "stub:app"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=True)
    shown = dict(re.findall(r"^(\w+) += (.*)$", done.stdout, re.MULTILINE))
    assert f"{shown['workers']} {shown['threads']} {shown['keepalive']}" == worker
    assert shown["control_socket_disable"] == shown["preload_app"] == "True"
    assert "%(r)s" not in shown["access_log_format"]
    assert "%(q)s" not in shown["access_log_format"]


# The tree


def test_dev_py_lists_its_commands():
    done = subprocess.run([sys.executable, "dev.py", "--help"], cwd=ROOT, capture_output=True, text=True, check=True)
    listed = re.findall(r"^  (\w+) ", done.stdout, re.MULTILINE)
    assert listed == [
        "run",
        "play",
        "test",
        "check",
        "demo",
        "bench",
        "lock",
        "words",
        "trips",
        "ratchets",
        "wheel",
        "package",
        "wardroom",
    ]
    assert "--long adds drills" in done.stdout


def test_dev_py_needs_only_the_standard_library():
    assert imports_of(ROOT / "dev.py") <= sys.stdlib_module_names


def test_an_old_python_reads_dev_py_far_enough_to_be_told():
    ast.parse((ROOT / "dev.py").read_text(), feature_version=(3, 6))


@pytest.fixture
def copy_of_dev() -> Iterator[Path]:
    """`dev.py` and the lock in a folder that anybody may enter."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("dev.py", "requirements-dev.lock"):
            shutil.copy(ROOT / file, folder)
        folder.chmod(0o755)
        yield folder


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_a_sentence(copy_of_dev: Path) -> None:
    copy_of_dev.chmod(0o555)
    somebody = {"user": 65534} if os.geteuid() == 0 else {}
    command = [sys.executable, "-S", "dev.py", "check"]
    done = subprocess.run(command, cwd=copy_of_dev, capture_output=True, text=True, check=False, **somebody)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "dev.py writes .venv and .tools into" in done.stderr.splitlines()[-1]


@pytest.mark.slow
def test_without_a_package_index_dev_py_says_what_to_look_at(copy_of_dev: Path) -> None:
    offline = {"PIP_INDEX_URL": "http://127.0.0.1:1/simple", "PIP_RETRIES": "0", "PIP_NO_CACHE_DIR": "1"}
    command = [sys.executable, "dev.py", "wardroom", "--help"]
    environ = os.environ | offline
    done = subprocess.run(command, cwd=copy_of_dev, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is this machine online? Behind a proxy or a mirror, set" in done.stderr.splitlines()[-1]
    assert not (copy_of_dev / ".venv" / "lock.sha256").exists(), "the next run tries again"


def test_dev_py_empties_no_environment_that_a_link_leads_to(copy_of_dev: Path, tmp_path: Path) -> None:
    (copy_of_dev / ".venv").symlink_to(tmp_path)
    (tmp_path / "lock.sha256").write_text("of another lock")
    done = subprocess.run([sys.executable, "dev.py", "check"], cwd=copy_of_dev, capture_output=True, text=True)
    assert done.returncode == 1
    assert "is a link" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["lock.sha256"]


def test_an_unknown_command_is_refused_with_the_list():
    done = subprocess.run([sys.executable, "dev.py", "tset"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "'tset'" in done.stderr
    assert "wardroom" in done.stderr


def pins(name: str) -> dict[str, set[str]]:
    """The hashes of each package of a lock, by its name and version."""
    parts = re.split(r"\n(?=\S)", (ROOT / name).read_text().strip())
    return {part.split()[0]: set(re.findall(r"--hash=(\S+)", part)) for part in parts}


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_pins_by_hash_and_names_no_host(name):
    lock = (ROOT / name).read_text()
    assert "://" not in lock
    assert not re.search(r"^\s*--(?!hash)", lock, re.MULTILINE)
    for package, hashes in pins(name).items():
        assert re.fullmatch(r"[\w.\[\]-]+==\S+", package), package
        assert hashes
        assert all(found.startswith("sha256:") for found in hashes)


def test_what_is_tested_is_what_runs_and_no_tool_of_the_tests_runs():
    running, tested = pins("requirements.lock"), pins("requirements-dev.lock")
    assert {package: tested.get(package) for package in running} == running
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    tools = {re.split(r"[^\w-]", wanted)[0] for wanted in project["dependency-groups"]["test"]}
    assert not tools & {package.partition("==")[0] for package in running}
    wanted = {re.split(r"[^\w-]", each)[0].lower() for each in project["project"]["dependencies"]}
    assert wanted <= {package.partition("==")[0].partition("[")[0] for package in running}


@pytest.mark.slow
def test_no_installed_package_has_a_module_of_our_names():
    assert not {*OURS, "tests", "bench", "lab", "dev"} & set(importlib.metadata.packages_distributions())


def imports_of(file: Path) -> set[str]:
    """Return the top-level packages a file imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").split(".")[0])
    return found


@pytest.mark.slow
def test_s36_every_package_that_the_product_imports_is_declared():
    """S-36: what comes along with another package today need not tomorrow."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    declared = {re.split(r"[^\w-]", each)[0].lower() for each in wanted}
    providers, missing = importlib.metadata.packages_distributions(), set()
    for file in itertools.chain(*((ROOT / room).rglob("*.py") for room in OURS)):
        for name in imports_of(file) - {*sys.stdlib_module_names, *OURS, "", "_typeshed"}:
            known = {provider.lower().replace("_", "-") for provider in providers.get(name, [name])}
            if not known & declared:
                missing.add(name)
    assert not missing, "imported, and not declared in pyproject.toml"


OUTSIDE = set("asyncio os secrets shutil socket sqlite3 subprocess tempfile threading time urllib".split())


@pytest.mark.slow
def test_the_domain_imports_the_standard_library_and_msgspec_and_nothing_of_the_outside():
    allowed = (sys.stdlib_module_names - OUTSIDE) | {"domain", "msgspec"}
    files = sorted((ROOT / "domain").rglob("*.py"))
    assert files
    found = {str(file.relative_to(ROOT)): imports_of(file) - allowed for file in files}
    assert {file: names for file, names in found.items() if names} == {}


@pytest.mark.slow
def test_the_domain_has_no_chance_of_its_own():
    """It uses generators that it is given, and makes one only from a seed."""
    for file in sorted((ROOT / "domain").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Import():
                    assert "random" not in {alias.name for alias in node.names}, file
                case ast.ImportFrom(module="random"):
                    assert [alias.name for alias in node.names] == ["Random"], file
                case ast.Call(func=ast.Name(id="Random")):
                    assert node.args, f"{file}:{node.lineno} makes a generator without a seed"


FOLDERS_THAT_NAME = ("domain", "service", "workers", "config")
NO_NAMES = {"one", "it", "more", "said", "what", "of", "mine"}


def bound_by_loops(file: Path) -> Iterator[ast.Name]:
    """Each variable a `for` statement or a comprehension of a file binds."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            targets = ast.walk(node.target)
            yield from (name for name in targets if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store))


@pytest.mark.slow
def test_loops_name_what_they_go_over():
    """A seat, a clause, an event: a pronoun sends whoever reads the loop back to where its list was made."""
    files = [file for folder in FOLDERS_THAT_NAME for file in sorted((ROOT / folder).rglob("*.py"))]
    assert files
    bound = ((file, name) for file in files for name in bound_by_loops(file) if name.id in NO_NAMES)
    found = [f"{file.relative_to(ROOT)}:{name.lineno} {name.id}" for file, name in bound]
    assert not found, "\n".join(["these loops do not name what they go over:", *found])


ROWS_BY_NAME = {"mappings", "_mapping", "_asdict"}
"""What SQLAlchemy has to make a mapping of a row: without it a row cannot be subscripted by a name."""
MAY_NAME_COLUMNS = {"service/store/across/personal_data.py"}
"""Gives out every column of any table, for the personal export."""


@pytest.mark.slow
def test_rows_are_records_and_no_mappings():
    """A field that is misspelt is found by the type checker, a key by whoever reads the row first."""
    files = [*(ROOT / "service").rglob("*.py"), *(ROOT / "workers").rglob("*.py")]
    nodes = ((file, node) for file in files for node in ast.walk(ast.parse(file.read_text())))
    found = {
        str(file.relative_to(ROOT))
        for file, node in nodes
        if isinstance(node, ast.Attribute) and node.attr in ROWS_BY_NAME
    }
    assert found == MAY_NAME_COLUMNS


LOCKS = {"lock", "locked", "lock_for"}
MAY_LOCK_STREAMS = {"service/games/commit.py", "service/integrity/halt.py"}
"""Both make outages good first; the second also gives back the time in which a game was stopped."""


@pytest.mark.slow
def test_q9_a_game_is_locked_where_outages_are_made_good():
    found: set[str] = set()
    for file in [*(ROOT / "service").rglob("*.py"), *(ROOT / "workers").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute) and node.attr in LOCKS and "streams" in ast.unparse(node.value):
                found.add(str(file.relative_to(ROOT)))
    assert found == MAY_LOCK_STREAMS


HOLDS_MESSAGES = {"eta", "countdown", "rate_limit", "autoretry_for", "retry_backoff", "max_retries"}


@pytest.mark.slow
def test_no_task_is_delayed_inside_the_queue():
    """Such messages stay unacknowledged and are delivered again and again: due times live in tables."""
    for file in [*(ROOT / "service").rglob("*.py"), *(ROOT / "workers").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call):
                used = {keyword.arg for keyword in node.keywords} & HOLDS_MESSAGES
                assert not used, f"{file.relative_to(ROOT)}:{node.lineno} uses {used}"


# Time


@pytest.mark.slow
def test_a_model_built_while_time_is_frozen_reads_real_and_frozen_times():
    real = datetime(2031, 1, 2, tzinfo=UTC)
    with freeze_time("2031-01-01"):
        reads = TypeAdapter(datetime)
        assert reads.validate_python(datetime.now(UTC)).year == 2031
    assert reads.validate_python(real) == real
