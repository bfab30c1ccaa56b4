"""What all commands have in common: an example and a page in their help, --json, completion, and no colour."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner

from service.cli import main
from service.commands.terminal import facts
from tests.acceptance.processes import ROOT, environment
from tests.service.clock_tables import sqlite_clock_tables
from tests.service.commands import commanded
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock

__all__ = ["manual_clock", "sqlite_clock_tables"]
HOSTING: Final = ROOT / "docs" / "hosting.md"
EXAMPLE: Final = re.compile(r"Example: (wardroom .+?)(?: \(|\. See ).*?((?:docs/[\w/-]+|CONTRIBUTING)\.md)")
NO_FACTS: Final = {
    "arena": "has it",
    "clock accept": "changes",
    "database sql": "prints SQL",
    "demo": "plays",
    "erase": "changes",
    "export": "prints JSON, a line an event, or a file",
    "fit": "prints a file",
    "healthcheck": "answers by its exit code",
    "mail flush": "changes",
    "mail ingest": "changes",
    "mail retry": "changes",
    "migrate": "changes",
    "play": "begins a game",
    "queue flush": "changes",
    "script play": "prints JSON",
    "script write": "prints a file",
    "serve": "serves",
    "token": "prints a token",
}
"""Commands without --json, and why they need none: those that change something say so in one sentence."""


def leaves(command: click.Command, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that does something, by its words."""
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield words, command
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from leaves(inner, *words, name)


COMMANDS: Final = {" ".join(words): command for words, command in leaves(main) if words}
SHOWN: Final = sorted(COMMANDS.keys() - {"serve"})  # whose help is the server's own


@pytest.mark.parametrize("words", SHOWN)
def test_every_help_has_an_example_that_can_be_typed_and_names_the_page_that_tells_more(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = EXAMPLE.search(" ".join((COMMANDS[words].help or "").split()))
    assert found, f"the help of wardroom {words} ends without Example: wardroom {words} … (docs/PAGE.md)"
    typed, page = found.groups()
    assert (ROOT / page).is_file()
    pages = (ROOT / page).read_text(encoding="utf-8"), HOSTING.read_text(encoding="utf-8")
    tells = f"wardroom {words}" in " ".join(" ".join(pages).split())
    assert tells or words == "healthcheck", f"neither {page} nor {HOSTING.name} tells of wardroom {words}"
    given = shlex.split(typed.partition(" < ")[0])
    assert given[: 1 + len(words.split())] == ["wardroom", *words.split()]
    rest = given[1 + len(words.split()) :]
    for name in rest:
        if "." in name and "/" not in name and "@" not in name:
            Path(name).touch()
    COMMANDS[words].make_context(words, rest).close()


@pytest.mark.parametrize("words", SHOWN)
def test_every_command_that_prints_facts_prints_them_for_programs_too(words):
    has_json = any("--json" in parameter.opts for parameter in COMMANDS[words].params)
    assert has_json or words in NO_FACTS or "--why" in {word for each in COMMANDS[words].params for word in each.opts}


def test_lists_are_an_object_a_line_and_nothing_is_no_line(sqlite_clock_tables: Tables, monkeypatch):
    wardroom = commanded.on(sqlite_clock_tables.services, monkeypatch)
    for words in (("players", "list"), ("mail", "list")):
        assert wardroom(*words, "--json").stdout == ""
    sqlite_clock_tables.player("ann")
    (line,) = wardroom("players", "list", "--json").stdout.splitlines()
    assert json.loads(line)["name"] == "ann"
    assert json.loads(wardroom("clock", "--json").stdout)["held"] is None
    (key,) = wardroom("keys", "--json").stdout.splitlines() or ["{}"]
    assert isinstance(json.loads(key), dict)


def test_a_table_that_is_too_wide_for_its_terminal_is_told_line_by_line(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "30")
    rows = [{"name": "ann\x1b[31m", "email": "ann@a-rather-long-domain.example"}]
    facts.show_list(rows, ("name", "email"), as_json=False)
    assert capsys.readouterr().out.splitlines()[0].startswith("name"), "a pipe has no width"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    facts.show_list(rows, ("name", "email"), as_json=False)
    told = capsys.readouterr().out
    assert told.splitlines()[:2] == [
        "name   ann\N{REPLACEMENT CHARACTER}[31m",
        "email  ann@a-rather-long-domain.example",
    ]
    assert "\x1b" not in told


# Completion


def completed(typed: str, shell: str = "bash", **settings: str) -> list[str]:
    """What a shell is told for a line that ends with the word that is typed."""
    words = typed.split(" ")
    asks = {"_WARDROOM_COMPLETE": f"{shell}_complete", "COMP_WORDS": typed, "COMP_CWORD": f"{len(words) - 1}"}
    if shell == "fish":
        asks |= {"COMP_CWORD": words[-1]}
    given = {f"WARDROOM_{name}": value for name, value in settings.items()}
    return CliRunner().invoke(main, [], prog_name="wardroom", env=asks | given).stdout.split()


def test_words_and_options_are_completed_for_each_shell():
    assert completed("wardroom pla") == ["plain,play", "plain,players"]
    assert completed("wardroom players sus") == ["plain,suspend"]
    assert "plain,--until" in completed("wardroom players suspend bob --u")
    assert completed("wardroom queue fl", "zsh")[:2] == ["plain", "flush"]
    assert completed("wardroom queue fl", "fish")[0].startswith("plain")


def test_ids_of_games_and_addresses_of_players_are_completed(sqlite_clock_tables: Tables):
    game = sqlite_clock_tables.begin("ann", "bob")
    ours = sqlite_clock_tables.services.settings
    given = {"DATA_DIR": str(ours.data_dir), "DATABASE_URL": ours.database_url, "SECRET_KEY": ours.secret_key}
    assert completed(f"wardroom talk hide {game[:4]}", **given) == [f"plain,{game}"]
    assert completed("wardroom players show an", **given) == ["plain,ann@people.example"]
    bob = sqlite_clock_tables.ids["bob"]
    assert completed(f"wardroom players show {bob[:8]}", **given) == [f"plain,{bob}"]


def test_wherever_a_game_is_named_its_id_is_completed():
    kinds = {"fit", "play", "demo"}  # there it is which game, not which table
    arguments = {
        " ".join(words): parameter
        for words, command in leaves(main)
        for parameter in command.params
        if isinstance(parameter, click.Argument) and parameter.name in ("game", "games")
    }
    assert {words for words, argument in arguments.items() if argument._custom_shell_complete is None} <= kinds
    assert {"games show", "seats vacate", "deadline extend", "talk hide", "export", "replay"} <= arguments.keys()


def test_where_nothing_can_be_read_nothing_is_completed_made_or_said(tmp_path):
    given = {"DATA_DIR": str(tmp_path / "none"), "SECRET_KEY": "c" * 40}
    assert completed("wardroom players show an", **given) == []
    assert completed("wardroom players show an", DATABASE_URL="nonsense") == []
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="this machine has no bash")
def test_bash_completes_by_the_script_that_is_installed(tmp_path):
    program = tmp_path / "wardroom"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m service.cli "$@"\n')
    program.chmod(0o755)
    asks = "source <(_WARDROOM_COMPLETE=bash_source wardroom); COMP_WORDS=(wardroom sta); COMP_CWORD=1; "
    asks += '_wardroom_completion wardroom; echo "${COMPREPLY[@]}"'
    environ = environment(DATA_DIR=str(tmp_path)) | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", asks], env=environ, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("stats", "")
