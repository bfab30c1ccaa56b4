"""Which release runs, and of which commit: from the build, from git, or unknown."""

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from config.release import ROOT, Release, is_checkout, read_release, release
from service.cli import main

GIT = shutil.which("git")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with a version and nothing else."""
    folder = tmp_path / "the sources"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nname = "wardroom"\nversion = "7.1"\n')
    return folder


def git(folder: Path, *words: str) -> str:
    names = ["-c", "user.name=Ann", "-c", "user.email=ann@x.example", "-c", "commit.gpgsign=false"]
    command = ["git", "-C", folder, *names, *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_the_build_is_believed_before_the_folder_it_lies_in(sources, tmp_path):
    built = Release("7.0", "ab" * 20)
    (tmp_path / "release.json").write_text(built.as_json())
    assert read_release(tmp_path / "release.json", sources) == built


def test_sources_without_git_know_their_version_alone(sources, tmp_path):
    assert read_release(tmp_path / "none", sources) == Release("7.1", "")


@pytest.mark.skipif(GIT is None, reason="there is no git here to ask")
def test_a_checkout_is_of_its_commit_and_says_where_it_differs(sources, tmp_path):
    git(sources, "init", "-q")
    git(sources, "add", ".")
    git(sources, "commit", "-q", "-m", "The first.")
    git(sources, "tag", "-a", "v7", "-m", "A name that stands in no commit's place.")
    commit = git(sources, "rev-parse", "HEAD")
    assert read_release(tmp_path / "none", sources) == Release("7.1", commit)
    (sources / "pyproject.toml").write_text('[project]\nversion = "7.2"\n')
    assert read_release(tmp_path / "none", sources) == Release("7.2", f"{commit}+")


@pytest.mark.parametrize(
    "known, line",
    [
        (Release("7.1", "ab" * 20), f"wardroom 7.1, commit {'ab' * 20}"),
        (Release("7.1", f"{'ab' * 20}+"), f"wardroom 7.1, commit {'ab' * 20}, with changes"),
        (Release("7.1", ""), "wardroom 7.1, of a commit that nobody noted"),
    ],
)
def test_a_release_in_a_line(known, line):
    assert str(known) == line


def test_wardroom_says_its_release():
    done = CliRunner().invoke(main, ["--version"])
    assert (done.exit_code, done.output) == (0, f"{release()}\n")


def test_the_tests_run_in_a_checkout():
    assert is_checkout()
    assert not (ROOT / "config" / "release.json").exists()
