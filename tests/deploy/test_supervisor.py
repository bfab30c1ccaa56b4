"""`deploy/supervisor/wardroom.conf`: the Procfile's processes, each started again however it ends."""

import configparser
import contextlib
import os
import shlex
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.acceptance.processes import BIN, ROOT, Program, answers, environment, procfile, until
from tests.ports import free_port
from tests.servers import RedisServer
from tests.smtp_sink import SmtpSink

FILE: Final = ROOT / "deploy" / "supervisor" / "wardroom.conf"
OPT: Final = "/opt/wardroom/bin"


def programs() -> dict[str, configparser.SectionProxy]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(FILE, encoding="utf-8")
    return {name.removeprefix("program:"): parser[name] for name in parser.sections() if name.startswith("program:")}


def test_it_starts_what_the_procfile_starts():
    started = {
        name: ["env", *shlex.split(program.get("environment", "")),
               *shlex.split(program["command"].replace("%%", "%").replace(f"{OPT}/", ""))]
        for name, program in programs().items()
    }  # fmt: skip
    assert started == {name: words for name, words in procfile().items() if name != "release"}


def test_every_process_is_started_again_for_ever_and_ended_whole():
    for program in programs().values():
        assert (program["autorestart"], program["killasgroup"]) == ("true", "true")
        assert int(program["startretries"]) > 100_000


@pytest.fixture
def supervised(tmp_path: Path) -> Iterator[tuple[Program, int]]:
    """All processes under supervisord, and the port of web."""
    port, data = free_port(), tmp_path / "data"
    data.mkdir()
    (tmp_path / "supervisor.conf").write_text(FILE.read_text(encoding="utf-8").replace(OPT, str(BIN)))
    with RedisServer() as redis, SmtpSink() as sink:
        environ = environment(
            DATA_DIR=str(data), REDIS_URL=redis.url, SMTP_URL=sink.url, SECRET_KEY="s" * 40, PORT=f"{port}",
            NEWS=f"127.0.0.1:{free_port()}", MAIL_IN=f"smtp://127.0.0.1:{free_port()}", THREADS="4",
        )  # fmt: skip
        with Program([*procfile()["release"]], environ, tmp_path / "release.log") as release:
            assert release.wait() == 0, release.output
        words = ["supervisord", "-c", str(tmp_path / "supervisor.conf")]
        with Program(words, environ, tmp_path / "supervisor.log") as program:
            until(lambda: answers(port) and answers(port, "/readyz"), "the service", 120)
            yield program, port
            members = groups_of(program)
            program.signal(signal.SIGTERM)
            assert program.wait(120) == 0
            assert [group for group in members if alive(group)] == []


def groups_of(program: Program) -> list[int]:
    return [os.getpgid(child) for child in program.children()]


def alive(group: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, 0)
        return True
    return False


@pytest.mark.long
@pytest.mark.skipif(shutil.which("supervisord") is None, reason="supervisord is not here: Debian's supervisor has it")
def test_a_process_that_is_killed_is_started_again_and_the_others_live_on(supervised):
    program, port = supervised
    first = program.children()
    assert len(first) == len(programs())
    for child in first:
        others = set(program.children()) - {child}
        os.killpg(os.getpgid(child), signal.SIGKILL)
        until(lambda killed=child: killed not in program.children(), "its end", 60)
        until(lambda: len(program.children()) == len(first), "another one", 60)
        assert others <= set(program.children())
    until(lambda: answers(port) and answers(port, "/readyz"), "the service again", 120)
