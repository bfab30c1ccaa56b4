"""Clients that are generated from the description are typed, and bots written on them play whole games.

The tools stand below `.tools`, or where WARDROOM_TOOLS says; without them these tests are skipped:

    npm install --prefix .tools/typescript (the packages of clients/typescript/package.json)
    python3 -m venv .tools/openapi-python-client; its pip installs openapi-python-client and mypy
"""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.serving import make_server

from service.web.http.assets import FOLDER
from tests.service.api.description import exchanges
from tests.service.api.table import Api

ROOT = Path(__file__).parents[4]
TOOLS = Path(os.environ.get("WARDROOM_TOOLS", ROOT / ".tools"))
NODE = TOOLS / "typescript" / "node_modules"
PYTHON = TOOLS / "openapi-python-client" / "bin"
CLIENT = ROOT / "clients" / "typescript"
BOTS = Path(__file__).parent / "bots"
SEATS = {"city-hall": "ann bob", "tammany-hall": "ann bob cyd"}
has_node = pytest.mark.skipif(
    shutil.which("node") is None or not NODE.exists(), reason=f"no node, or not its packages in {NODE}"
)
has_generator = pytest.mark.skipif(not PYTHON.exists(), reason=f"no openapi-python-client in {PYTHON}")


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    """What a program says, which must succeed."""
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the description in `openapi.json`."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_text(exchanges.describe())
    return folder


@pytest.fixture
def address(sqlite_api: Api) -> Iterator[str]:
    """The address of a server that runs for the test."""
    server = make_server("127.0.0.1", 0, sqlite_api.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def tokens(api: Api, kind: str) -> list[str]:
    return [player.token for player in api.players(SEATS[kind])]


TYPED = ("openapi-typescript", "tsc")
SPECTRAL = """extends: ["spectral:oas"]
rules:
  oas3-operation-security-defined: off
"""
"""The rule looks for scopes in the scheme itself, where a bearer's has no place for them: OpenAPI 3.1 allows their
names in the requirements all the same. Redocly checks that the schemes are defined."""


@has_node
@pytest.mark.long
def test_redocly_finds_nothing(described):
    said = run(NODE / ".bin" / "redocly", "lint", "openapi.json", folder=described, REDOCLY_TELEMETRY="off")
    assert "Your API description is valid" in said
    assert "You have" not in said  # … 2 warnings


@has_node
@pytest.mark.long
def test_spectral_finds_nothing(described):
    (described / ".spectral.yaml").write_text(SPECTRAL)
    said = run(NODE / ".bin" / "spectral", "lint", "openapi.json", "--fail-severity", "hint", folder=described)
    assert "No results with a severity of 'hint' or higher found!" in said


@has_node
@pytest.mark.long
def test_a_bot_in_typescript_is_strictly_typed_and_plays_both_games(described, sqlite_api, address):
    shutil.copytree(CLIENT, described, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "out"))
    (described / "node_modules").symlink_to(NODE)
    options = ("-o", "api.ts", "--default-non-nullable", "false")
    said = run(NODE / ".bin" / "openapi-typescript", "openapi.json", *options, folder=described)
    assert "warn" not in said.lower()
    run(NODE / ".bin" / "tsc", folder=described)
    _the_program_of_the_page_plays(described, address, sqlite_api.player("eve").token)
    for kind in SEATS:
        assert run("node", "out/bot.js", address, kind, *tokens(sqlite_api, kind), folder=described).startswith(
            "finished ["
        )


def _the_program_of_the_page_plays(described: Path, address: str, token: str) -> None:
    """As its reader saves it, by the commands that stand beside it."""
    commands = (FOLDER.parent / "templates" / "docs.html").read_text()
    generate, compile_it = (re.findall(rf"npx {tool} (.+?)(?:</pre>)?$", commands, re.M)[0] for tool in TYPED)
    assert all(option in generate for option in ("-o api.ts", "--default-non-nullable false"))
    shutil.copy(FOLDER.parent / "templates" / "typescript_bot.txt", described / "page.ts")
    run(NODE / ".bin" / "tsc", *compile_it.replace("bot.ts", "page.ts").split(), folder=described)
    assert "mayor: " in run("node", "page.js", folder=described, BASE=address, TOKEN=token)


@has_generator
@pytest.mark.long
def test_a_bot_in_python_is_strictly_typed_and_plays_both_games(described, sqlite_api, address):
    config = ("--config", BOTS / "openapi-python-client.yaml", "--meta", "none", "--output-path", "wclient")
    path = f"{PYTHON}{os.pathsep}{os.environ['PATH']}"
    said = run(
        PYTHON / "openapi-python-client", "generate", "--path", "openapi.json", *config, folder=described, PATH=path
    )
    assert said.strip() == "Generating wclient"
    shutil.copy(BOTS / "bot.py", described)
    run(PYTHON / "mypy", "--strict", "--follow-imports=silent", "bot.py", folder=described)
    for kind in SEATS:
        assert run(PYTHON / "python", "bot.py", address, kind, *tokens(sqlite_api, kind), folder=described).startswith(
            "finished ["
        )
