"""The pages for authors of programs: the reference loads nothing from elsewhere, and its programs run."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
import wardroom_client
from werkzeug.serving import make_server

from service.api.http import streaming
from service.web.http.assets import FOLDER
from tests.service.api.table import Api

pytestmark = pytest.mark.slow

TEMPLATES = FOLDER.parent / "templates"


def test_the_reference_has_no_script_but_ours_and_a_policy_that_holds_it_to_that(sqlite_api):
    page = sqlite_api.get("//docs/reference").ok()
    policy = dict(part.strip().split(" ", 1) for part in page.headers["Content-Security-Policy"].split(";"))
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["default-src"] == "'none'"
    assert page.text.count("<script") == page.text.count("></script>") == 2, "nothing stands in them"
    assert 'data-url="/api/v1/openapi.json"' in page.text
    assert "MIT License" in (FOLDER / "scalar" / "LICENSE").read_text()


PROGRAMS = ("first_bot.txt", "follow.txt", "client_bot.txt", "typescript_bot.txt")
"""The programs of the page; the one in TypeScript runs in test_generators."""


def test_the_programs_of_the_page_are_those_that_run_here(sqlite_api):
    page = sqlite_api.get("//docs").ok().text
    shown = [unescape(part.partition("</pre>")[0]) for part in page.split('<pre tabindex="0">') if part[:6] == "import"]
    assert shown == [source(name) for name in PROGRAMS]


def test_the_first_bot_of_the_page_plays_a_game(served):
    with running(served, "first_bot.txt", served.api.player("ann").token) as program:
        out, _ = program.communicate(timeout=100)
    assert program.returncode == 0
    assert "'mayor': " in out


def test_the_program_of_the_page_follows_and_comes_back_to_its_place(served, monkeypatch):
    monkeypatch.setattr(streaming, "LIFE", 0.2)
    monkeypatch.setattr(streaming, "PAUSE", 0.05)
    table = served.api.begin(*served.api.players("ann bob cyd"))
    player = table.awaited
    with running(served, "follow.txt", player.token) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == f"turn {table.id}\n"
        table.move(player, "place 14 14", "end")
        assert program.stdout.readline() == f"move {table.id}\n"
        program.terminate()


def test_the_program_of_the_page_plays_with_the_client(served):
    table = served.api.begin(*served.api.players("ann bob cyd"))
    before = table.position()["version"]
    with running(served, "client_bot.txt", table.awaited.token) as program:
        assert program.stdout is not None
        assert int(program.stdout.readline()) > before
        program.terminate()


@dataclass
class Served:
    """The API over HTTP."""

    api: Api
    base: str
    folder: Path


@pytest.fixture
def served(sqlite_api: Api, tmp_path: Path) -> Iterator[Served]:
    server = make_server("127.0.0.1", 0, sqlite_api.app, threaded=True)
    server.daemon_threads = False  # none outlives the database
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Served(sqlite_api, f"http://127.0.0.1:{server.server_port}", tmp_path)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def source(name: str) -> str:
    return (TEMPLATES / name).read_text().rstrip("\n")


def running(served: Served, name: str, token: str) -> subprocess.Popen[str]:
    """A program of the page, as a reader saves and starts it."""
    (served.folder / "program.py").write_text(source(name))
    given = {"BASE": served.base, "TOKEN": token, "PYTHONPATH": str(Path(wardroom_client.__file__).parents[1])}
    command = [sys.executable, "program.py"]
    return subprocess.Popen(command, cwd=served.folder, env=given, stdout=subprocess.PIPE, text=True)
