"""What hosts install: the wheel has the same bytes each time and all that the code reads."""

import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.release import ROOT, release
from tests.package.build import PACKAGES, build

pytestmark = pytest.mark.slow

SAFELY = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # the Python of Debian 12 has it not
NOT_INSTALLED = {"*/__pycache__/*": "made again by whoever imports"}
"""Files of the four packages that the wheel has not, and why."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the wheel, its sources and the lock, made by the command that a release is made with."""
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def inside(wheel: Path) -> dict[str, bytes]:
    """What the wheel holds, by its names."""
    with zipfile.ZipFile(wheel) as files:
        return {name: files.read(name) for name in files.namelist()}


def test_the_wheel_has_the_same_bytes_from_its_own_sources(built, wheel, tmp_path):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as sources:
        sources.extractall(tmp_path / "with blanks", **SAFELY)
    (unpacked,) = (tmp_path / "with blanks").iterdir()
    command = [sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again"]
    subprocess.run(command, cwd=unpacked, check=True, capture_output=True)
    (again,) = (tmp_path / "again").iterdir()
    assert (again.name, again.read_bytes()) == (wheel.name, wheel.read_bytes())


def test_the_archive_of_sources_has_the_same_bytes_twice(built, tmp_path):
    (archive,) = built.glob("*.tar.gz")
    (again,) = build(tmp_path, "-t", "sdist").glob("*.tar.gz")
    assert (again.name, again.read_bytes()) == (archive.name, archive.read_bytes())


def ours() -> Iterator[str]:
    """Every file of the packages as they lie here."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*"):
            name = path.relative_to(ROOT)
            if path.is_file() and not any(name.match(pattern) for pattern in NOT_INSTALLED):
                yield name.as_posix()


def test_the_wheel_holds_every_file_of_the_packages_as_it_is(inside):
    found = {name for name in inside if not name.startswith("wardroom-")}
    assert found == {*ours(), "config/release.json"}
    assert [name for name in ours() if inside[name] != (ROOT / name).read_bytes()] == []


def test_the_wheel_holds_what_hosts_copy_and_read(inside):
    (prefix,) = {name.partition("/share/")[0] for name in inside if ".data/data/share/" in name}
    given = runpy.run_path(str(ROOT / "hatch_build.py"))["FOR_HOSTS"]
    wanted = {
        file for name in given for file in ((ROOT / name).rglob("*") if (ROOT / name).is_dir() else [ROOT / name])
    }
    files = {f"{prefix}/share/wardroom/{file.relative_to(ROOT)}" for file in wanted if is_given(file)}
    assert files == {name for name in inside if name.startswith(f"{prefix}/share/")}
    assert f"{prefix}/share/wardroom/docs/hosting.md" in files


def is_given(path: Path) -> bool:
    return path.is_file() and path.parent.name != "__pycache__"


def test_it_says_of_itself_what_the_project_says(inside):
    (metadata,) = (text.decode() for name, text in inside.items() if name.endswith("/METADATA"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for line in (f"Version: {project['version']}", "License-Expression: MIT", "Requires-Python: >=3.11"):
        assert line in metadata.splitlines()
    assert metadata.count("\nRequires-Dist: ") == len(project["dependencies"]) + sum(
        len(extra) for extra in project["optional-dependencies"].values()
    )
    assert inside["config/release.json"].decode() == release().as_json()


def test_the_lock_is_beside_it(built):
    assert (built / "requirements.lock").read_bytes() == (ROOT / "requirements.lock").read_bytes()


@pytest.mark.skipif(
    not (shutil.which("git") and (ROOT / ".git").exists()), reason="only a checkout with git knows which files are kept"
)
def test_no_file_that_is_kept_is_ignored(inside):
    """A file that .gitignore names is in no package, however it came to be kept."""
    listed = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(listed.stdout.splitlines()) <= set(inside)
