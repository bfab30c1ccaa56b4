"""Every command that README and docs/ show is one, and does what it says when it is typed as it stands there."""

import html
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import click
import httpx
import pytest
from click.testing import CliRunner

from service.cli import main
from tests.acceptance.processes import BIN, ROOT, Program, answers, environment, until
from tests.acceptance.test_commands import Run, played, shelf, wardroom
from tests.domain.city_hall.test_script import E36
from tests.ports import free_port
from tests.service.store.test_roles import Cluster, cluster

__all__ = ["cluster", "played", "shelf", "wardroom"]

PAGES: Final = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
HISTORY: Final = ROOT / "docs" / "decisions"

FILLED: Final[dict[str, tuple[str, int]]] = {
    "wardroom analyse FILE": ("analyse {bundle} --seat 0 --strength 1", 0),
    "wardroom backup": ("backup one.tar.gz", 0),
    "wardroom backup - | gpg --encrypt --recipient backup@games.example | "
    "ssh backup@other.example 'cat > wardroom.tar.gz.gpg'": ("backup -", 0),
    "wardroom backup FILE": ("backup one.tar.gz", 0),
    "wardroom backup FILE --with-key": ("backup one.tar.gz --with-key", 0),
    "wardroom clock": ("clock", 0),
    "wardroom clock accept": ("clock accept", 0),
    "wardroom database sql": ("database sql", 78),  # a SQLite file has no roles
    "wardroom database sql | runuser -u postgres -- psql": ("database sql", 78),  # tests/deploy/test_hosting.py
    "wardroom deadline extend GAME SEAT 48 --why REASON": ("deadline extend {running} {seat} 48 --why ill", 0),
    "wardroom doctor": ("doctor", 0),
    "wardroom doctor --audit": ("doctor --audit", 0),
    "wardroom doctor --audit [--game ID] [--dry-run] [--json]": ("doctor --audit --game {over} --dry-run --json", 0),
    "wardroom erase --again --yes": ("erase --again --yes", 0),
    "wardroom erase EMAIL|PLAYER_ID": ("erase bob@people.example --yes", 0),
    "wardroom export ID --bundle": ("export {over} --bundle --output copy.zip", 0),
    "wardroom games": ("games --help", 0),
    "wardroom games end GAME --why REASON": ("games end {running} --why over", os.EX_USAGE),  # there is nobody to ask
    "wardroom games end GAME --why REASON --yes": ("games end {running} --why over --yes", 0),
    "wardroom games list --status running --waiting 72": ("games list --status running --waiting 72", 0),
    "wardroom games pause GAME --hours 72 --why REASON": ("games pause {running} --hours 72 --why ill", 0),
    "wardroom games resume GAME --why REASON": ("games resume {running} --why well", os.EX_DATAERR),  # it runs
    "wardroom games show GAME": ("games show {running}", 0),
    "wardroom journal": ("journal", 0),
    "wardroom keys": ("keys", 0),
    "wardroom mail flush": ("mail flush", 0),
    "wardroom mail ingest --to ADDRESS --from SENDER < message": ("mail ingest --to nobody@localhost --from x@y.z", 67),
    "wardroom mail list": ("mail list", 0),
    "wardroom mail list --state quarantined": ("mail list --state quarantined", 0),
    "wardroom mail retry N": ("mail retry 1", os.EX_NOINPUT),  # there is none
    "wardroom migrate": ("migrate", 0),
    "wardroom migrate --back --accept-loss": ("migrate --back --accept-loss", os.EX_USAGE),  # there is one release
    "wardroom migrate --back --dry-run": ("migrate --back --dry-run", os.EX_USAGE),  # the same
    "wardroom migrate --dry-run": ("migrate --dry-run", 0),
    "wardroom migrate --to RELEASE": ("migrate --to 0.2.0", 0),
    "wardroom play": ("play chess", os.EX_USAGE),  # it would serve
    "wardroom players list [SEARCH]": ("players list ann", 0),
    "wardroom players rename ID NAME --why REASON": ("players rename bob Robert --why Because. --yes", 0),
    "wardroom players show ID": ("players show ann", 0),
    "wardroom players suspend ID --until P14D --why REASON": (
        "players suspend bob --until P14D --why Insults. --yes",
        0,
    ),
    "wardroom players tokens revoke ID --all --why REASON": ("players tokens revoke bob --all --why Lost. --yes", 0),
    "wardroom queue flush": ("queue flush", 0),
    "wardroom queue list": ("queue list", 0),
    "wardroom stats": ("stats", 0),
    "wardroom talk hide GAME MESSAGE --why REASON": ("talk hide {over} 1 --why Because. --yes", os.EX_NOINPUT),
    "wardroom talk unhide GAME MESSAGE --why REASON": ("talk unhide {over} 1 --why Because. --yes", os.EX_NOINPUT),
    "wardroom replay --all": ("replay --all", 0),
    "wardroom restore": ("restore one.tar.gz", 66),  # it is not there
    'wardroom restore --check "$(ls /var/backups/wardroom/*.tar.gz | tail -n 1)"': ("restore --check {backup}", 0),
    "wardroom restore --check FILE": ("restore --check {backup}", 0),
    "wardroom restore FILE": ("restore {backup}", 73),  # there are games in this folder
    'wardroom restore FILE --why "The disk broke."': ('restore {backup} --why "The disk broke."', 73),
    "wardroom restore FILE --nothing-lost": ("restore {backup} --nothing-lost", 73),
    'wardroom restore --recovered --why "A table was dropped by mistake."': ("restore --recovered --why Oh.", 0),
    "wardroom restore FILE --sign-out": ("restore {backup} --sign-out", 73),
    "wardroom restore --recovered": ("restore --recovered", 0),
    "wardroom script play city-hall FILE": ("script play city-hall {script}", 0),
    "wardroom script write game.ndjson": ("script write {export}", os.EX_DATAERR),  # this game has no script format
    "wardroom seats invite GAME SEAT dan@example.org --why REASON": (
        "seats invite {running} {seat} dan@example.org --why new",
        os.EX_DATAERR,  # somebody plays there
    ),
    "wardroom seats vacate GAME SEAT --why REASON": ("seats vacate {running} {seat} --why gone --yes", 0),
    "wardroom token ann@example.org": ("token ann@example.org", 0),
    "wardroom verify": ("verify {export}", 0),
    "wardroom verify FILE": ("verify {bundle}", 0),
}
"""What is typed for each documented command on a folder with a game that is over, and how it ends."""
LEFT: Final = {
    "wardroom arena --report": "takes hours: tests/service/commands/test_arena.py, with toys",
    "wardroom arena --report PAGE": "the same",
    "wardroom arena --report docs/bots.md --seed 1": "the same",
    "wardroom arena 2 1 --game <kind> --seats 3 --tables 40": "takes minutes: tests/service/commands/test_arena.py",
    "wardroom doctor --mail": "wants a mail server: tests/acceptance/test_mail_servers.py, with Postfix",
    "wardroom demo": "takes a minute: tests/acceptance/test_commands.py",
    "wardroom fit <kind> --out domain/<package>/search/weights.toml": "the same: tests/service/commands/test_fit.py",
    "wardroom serve": "runs until it is stopped: tests/acceptance/test_commands.py",
    "wardroom verify-log": "reads what a client has saved: tests/service/integrity/test_house_log.py",
    "wardroom verify-log LOG.json --head MAIL --keys KEYS.json": "the same",
}


def documented() -> set[str]:
    """The `wardroom` commands on all pages but those that tell how things came to be."""
    found = set()
    for page in PAGES:
        if HISTORY not in page.parents:
            text = page.read_text(encoding="utf-8")
            quoted = re.findall(r"`(?:python3 dev\.py )?(wardroom [a-z][^`]*)`", text)
            blocks = re.findall(r"^ {4,}(?:python3 dev\.py )?(wardroom [a-z][^#\n]*)", text, re.MULTILINE)
            found |= {part.strip() for line in (*quoted, *blocks) for part in " ".join(line.split()).split("&&")}
    return found


def leaves(command: click.Command, *words: str) -> Iterator[tuple[str, ...]]:
    """Every command, by its words."""
    yield words
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from leaves(each, *words, name)


@pytest.mark.parametrize("words", [words for words in leaves(main) if words != ("serve",)], ids=" ".join)
def test_every_command_has_help(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(main, [*words, "--help"], prog_name="wardroom")
    assert done.exit_code == 0
    assert done.output.startswith(" ".join(["Usage: wardroom", *words]))


def test_every_documented_command_is_run_here() -> None:
    assert documented() == {*FILLED, *LEFT}


@pytest.mark.slow
@pytest.mark.parametrize("command", FILLED)
def test_a_documented_command_does_what_it_says(
    wardroom: Run, played: SimpleNamespace, tmp_path: Path, command: str
) -> None:
    words, code = FILLED[command]
    (tmp_path / "script.txt").write_text(E36)
    files = {"script": "script.txt", "over": played.over, "export": "game.ndjson", "bundle": "game.zip"}
    files |= {"backup": "backup.tar.gz", "running": played.running, "seat": played.seat}
    if "{export}" in words or "{bundle}" in words:
        (tmp_path / "game.ndjson").write_text(wardroom("export", played.over).stdout)
        wardroom("export", played.over, "--bundle", "--output", "game.zip").check_returncode()
    if "{backup}" in words:
        wardroom("backup", "backup.tar.gz").check_returncode()
    done = wardroom(*shlex.split(words.format_map(files)), stdin="Subject: hello\n\nhello\n")
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    assert done.stdout or done.stderr or words.split()[-2:] == ["--output", "copy.zip"] or "ingest" in words


LAST: Final = ("players tokens", "players suspend", "players rename", "seats vacate", "games end", "erase")
"""Commands after which earlier ones would have nothing to act on, in this order."""
ELSEWHERE: Final = ("analyse", "games --help", "play", "restore --check", "script", "verify")
"""Commands that open no database."""
ON_ONE_DATABASE: Final = {
    "database sql": 0,  # it has roles
    "games resume {running} --why well": 0,  # it was paused before
    "restore --recovered --why Oh.": os.EX_CONFIG,  # it was put right a moment ago
}
"""Exit codes that differ if every command acts on one database on PostgreSQL."""


def in_order(filled: tuple[str, int]) -> tuple[int, str]:
    """Sort commands so that none takes away what a later one needs."""
    return next((place for place, last in enumerate(LAST, 1) if filled[0].startswith(last)), 0), filled[0]


@pytest.mark.slow
@pytest.mark.postgres
def test_s33_every_documented_command_works_under_the_documented_roles(
    wardroom: Run, played: SimpleNamespace, cluster: Cluster, tmp_path: Path
) -> None:
    """Operations, "PostgreSQL": the service logs in as a member of wardroom_app, and another role owns the tables."""
    (tmp_path / "script.txt").write_text(E36)
    (tmp_path / "game.ndjson").write_text(wardroom("export", played.over).stdout)
    wardroom("export", played.over, "--bundle", "--output", "game.zip").check_returncode()
    wardroom("backup", "backup.tar.gz").check_returncode()
    roles = {"DATABASE_URL": cluster.login, "DATABASE_OWNER_URL": cluster.owner, "DATA_DIR": str(tmp_path / "roles")}
    made = cluster.psql(wardroom("database", "sql", **roles).stdout)
    assert (made.returncode, made.stderr) == (0, "")
    wardroom("restore", "backup.tar.gz", **roles).check_returncode()
    cluster.does("DELETE FROM heartbeats WHERE name = 'sweep'")  # as if the service had been stopped for a minute
    files = {"script": "script.txt", "over": played.over, "export": "game.ndjson", "bundle": "game.zip"}
    files |= {"backup": "backup.tar.gz", "running": played.running, "seat": played.seat}
    wrong = []
    on_database = {filled for filled in FILLED.values() if not filled[0].startswith(ELSEWHERE)}
    for words, code in sorted(on_database, key=in_order):
        for name in ("one.tar.gz", "copy.zip"):
            (tmp_path / name).unlink(missing_ok=True)
        done = wardroom(*shlex.split(words.format_map(files)), stdin="Subject: hello\n\nhello\n", **roles)
        if "Traceback" in done.stderr or done.returncode != ON_ONE_DATABASE.get(words, code):
            wrong.append((words, done.returncode, done.stdout, done.stderr))
    assert not wrong


# The tour of the pages for programs


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SimpleNamespace]:
    """The service as `python3 dev.py run` starts it, on a port of its own."""
    port = free_port()
    environ = environment(DATA_DIR=str(tmp_path / "data"), PORT=f"{port}", LOG_LEVEL="error")
    with Program([sys.executable, "-m", "workers.processes.embedded"], environ, tmp_path / "log") as program:
        until(lambda: answers(port) or program.process.poll() is not None, "the service")
        yield SimpleNamespace(port=port, mailbox=tmp_path / "data" / "mailbox")
        program.signal(15)
        assert program.wait() == 0, program.output


def commands(page: str, section: str) -> list[str]:
    """The shell commands in the indented blocks of a section, or of a whole page, in order."""
    text = page.split(f"\n## {section}\n")[1].split("\n## ")[0] if section else page
    lines = "\n".join(line[4:] for line in text.splitlines() if line.startswith("    "))
    return [line for line in lines.replace("\\\n", "").splitlines() if line.startswith(("curl ", "python3 ", "until "))]


def shown_steps(page: str) -> list[str]:
    """The commands of the page for programs that look at a game and wait for one's turn."""
    shown = re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)
    lines = "\n".join(map(html.unescape, shown)).replace("\\\n", "").splitlines()
    found = [line for line in lines if "GAME" in line and "moves" not in line]
    assert [line.split()[0] for line in found] == ["until", "curl", "curl"]
    return found


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="the pages play with curl, and this machine has none")
def test_the_first_steps_of_programs_can_be_followed_to_the_proof(server: SimpleNamespace, tmp_path: Path) -> None:
    steps, check = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("programs.md", "checking.md"))
    known = {"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(tmp_path)}

    def types(command: str) -> str:
        here = command.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}").replace("docs/audit", f"{ROOT}/docs/audit")
        for name, value in (("THE-CODE", known.get("CODE", "")), ("THE-REQUEST", known.get("REQUEST", ""))):
            here = here.replace(name, value)
        done = subprocess.run(
            ["bash", "-c", here], env=known, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
        )
        return done.stdout

    sign_up, sign_in, opens, waits, board, actions, move = commands(steps, "Play a turn with curl")
    known["REQUEST"] = json.loads(types(sign_up) or "{}").get("request", "")
    letter = until(lambda: next((server.mailbox / "new").glob("*.eml"), None), "the mail with the code")
    known["CODE"] = letter.read_text().partition("Your code for Wardroom: ")[2].split()[0]
    known["TOKEN"] = json.loads(types(sign_in))["token"]
    known["GAME"] = json.loads(types(opens))["id"]
    assert types(waits) == "", "the bots have answered"
    assert types(board)
    assert json.loads(types(actions))["actions"]
    assert json.loads(types(move))["version"] > 1
    docs = httpx.get(f"http://127.0.0.1:{server.port}/docs", headers={"Accept": "text/html"}).text
    here = [step.replace("TOKEN", known["TOKEN"]).replace("GAME", known["GAME"]) for step in shown_steps(docs)]
    waited, board, actions = map(types, here)
    assert (waited, board[:1] != "{", bool(json.loads(actions)["actions"])) == ("", True, True)
    fetch, verify = commands(check, "")
    types(fetch)
    assert "It holds." in types(verify)
