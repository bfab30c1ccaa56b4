"""`deploy/bin/wardroom`, the command of a host: what it hands to the program, and what it refuses. `test_hosting.py`
runs it as it is."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.processes import ROOT

Run = Callable[..., subprocess.CompletedProcess[str]]


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def etc(tmp_path: Path) -> Path:
    for name, text in (
        ("wardroom.env", "# settings\nWARDROOM_PORT=8123\nWARDROOM_DATA_DIR=/var/lib/wardroom\n"),
        ("credentials/secret_key", "k" * 32),
        ("credentials/secret_key~", "an editor's copy"),
        ("owner/database_owner_url", "postgresql://…"),
    ):
        (tmp_path / "etc" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "etc" / name).write_text(text)
    return tmp_path / "etc"


@pytest.fixture
def run(tmp_path: Path, etc: Path) -> Run:
    """The command on other folders, with a program that prints its words and settings, and nobody who is changed to."""
    text = (ROOT / "deploy" / "bin" / "wardroom").read_text(encoding="utf-8")
    for there, here in (("=/etc/wardroom", f"={etc}"), ("=/opt/wardroom", f"={tmp_path}/opt")):
        assert text.count(there) == 1
        text = text.replace(there, here)
    program(tmp_path / "wardroom", text.partition("\n")[2])
    program(tmp_path / "opt" / "bin" / "wardroom", 'echo "$@"; env | grep ^WARDROOM_ | sort; umask')
    program(tmp_path / "bin" / "setpriv", 'echo "$1 $2 $3"; shift 3; exec "$@"')

    def types(*words: str, uid: int = 0, **variables: str) -> subprocess.CompletedProcess[str]:
        program(tmp_path / "bin" / "id", f"echo {uid}")
        environ = {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", **variables}
        command = [str(tmp_path / "wardroom"), *words]
        return subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True, check=False)

    return types


def test_the_program_gets_settings_and_credentials_as_its_user(run, etc):
    assert run("mail", "list", "--limit", "3").stdout.splitlines() == [
        "--reuid=wardroom --regid=wardroom --init-groups",
        "mail list --limit 3",
        f"WARDROOM_DATABASE_OWNER_URL_FILE={etc}/owner/database_owner_url",
        "WARDROOM_DATA_DIR=/var/lib/wardroom",
        "WARDROOM_PORT=8123",
        f"WARDROOM_SECRET_KEY_FILE={etc}/credentials/secret_key",
        "0077",
    ]


def test_a_word_with_blanks_stays_one(run):
    assert "mail ingest --to a b" in run("mail", "ingest", "--to", "a b").stdout


def test_whoever_is_not_root_is_told_what_to_type(run):
    done = run("doctor", "--audit", uid=1000)
    assert (done.returncode, done.stdout) == (os.EX_NOPERM, "")
    assert done.stderr.endswith("so type: sudo wardroom doctor --audit\n")


def test_without_settings_nothing_is_run(run, etc):
    (etc / "wardroom.env").unlink()
    done = run("doctor")
    assert (done.returncode, done.stdout) == (os.EX_CONFIG, "")
    assert done.stderr == f"wardroom: there are no settings: put them into {etc}/wardroom.env\n"


@pytest.mark.parametrize("words", [(), ("--help",), ("--version",)])
def test_help_and_version_need_neither_root_nor_settings(run, etc, words):
    (etc / "wardroom.env").unlink()
    assert run(*words, uid=1000).stdout.splitlines()[:1] == [" ".join(words)]


def test_a_shell_that_completes_words_needs_neither_root_nor_settings(run):
    assert run("mail", uid=1000, _WARDROOM_COMPLETE="bash_complete").stdout.splitlines()[:1] == ["mail"]
