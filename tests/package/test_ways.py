"""The page for hosts, section 2, typed as it stands, where packages come from a mirror, past a proxy or from a folder;
and the package with each Python that it says it runs with."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import dev
from config.release import ROOT, release
from tests.package import indexes
from tests.package.build import PACKAGES, build
from tests.package.host import BARE, host, interpreters, other_user, runs
from tests.package.test_installed import NO_WHEELS, serves_and_plays

pytestmark = pytest.mark.timeout(1800)  # environments are built, and thousands of tests run in some

PAGE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
VERSIONS = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if "Python :: 3." in each]
NO_INDEX = "no package index answers here, and the packages of this Python are fetched from it"


def commands(heading: str) -> list[str]:
    """What a section has to be typed."""
    section = PAGE.partition(f" {heading}\n")[2].partition("\n#")[0]
    return re.findall(r"^ {4}(.*)$", section, re.MULTILINE)


def test_the_page_names_the_pythons_it_runs_with():
    section = PAGE.partition("## 2. Install\n")[2].partition("\n## ")[0]
    assert [version for version in VERSIONS if version not in section] == []
    assert VERSIONS[0] == PROJECT["requires-python"].removeprefix(">=")


@pytest.fixture
def place() -> Iterator[SimpleNamespace]:
    """A folder with a release, and how something is typed there; `/opt/wardroom` is a folder in it."""
    with tempfile.TemporaryDirectory(prefix="a release ") as name:
        folder, python = Path(name), interpreters(f"3.{sys.version_info.minor}")[0]
        build(folder)
        (folder / "bin").mkdir()
        (folder / "bin" / "python3").symlink_to(python)
        known = BARE | {"PATH": f"{folder}/bin:{BARE['PATH']}", "HOME": name, "PIP_CONFIG_FILE": os.devnull}

        def types(*lines: str, **more: str) -> str:
            text = "\n".join(line.replace("/opt/wardroom", '"$HERE/opt wardroom"') for line in lines)
            done = subprocess.run(
                ["bash", "-ec", text], cwd=folder, env=known | {"HERE": name, "PIP_NO_CACHE_DIR": "1", **more},
                capture_output=True, text=True, check=False, timeout=600,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            return done.stdout

        yield SimpleNamespace(folder=folder, types=types)


def install() -> list[str]:
    """The commands that begin section 2, to where its files are, but for what Debian installs."""
    typed = commands("2. Install")
    goes_there = typed.index("cd /opt/wardroom/share/wardroom")
    assert typed[1] == "apt-get install -y python3-venv"
    return [typed[0], *typed[2 : goes_there + 1], "ls deploy docs/hosting.md"]


@pytest.mark.long
@pytest.mark.skipif(not (dev.WHEELS / "lock.sha256").exists(), reason=NO_WHEELS)
@pytest.mark.parametrize("way", ["mirror", "proxy", "folder"])
def test_a_host_without_the_index_installs_as_the_page_says(place, way):
    index = place.folder / "index"
    indexes.lay_out(dev.WHEELS, index)
    asked = through_proxy(place, index) if way == "proxy" else from_mirror(place, index, folder=way == "folder")
    assert f"{release()}\n" in asked


def from_mirror(place: SimpleNamespace, index: Path, *, folder: bool) -> str:
    """With the mirror all along, or only to fetch a folder of packages with."""
    proxied, mirrored, *fetching, offline = commands("Without internet, with a mirror, behind a proxy")
    assert (proxied.partition("=")[0], mirrored.partition("=")[0]) == ("export HTTPS_PROXY", "export PIP_INDEX_URL")
    assert offline == "export PIP_NO_INDEX=1 PIP_FIND_LINKS=wheels"
    with indexes.mirror(index) as port:
        there = mirrored.replace("https://mirror.example", f"http://127.0.0.1:{port}")
        if not folder:
            return str(place.types(there, *install()))
        place.types(there, *fetching)
    return str(place.types(offline, *install()))


def through_proxy(place: SimpleNamespace, index: Path) -> str:
    """A mirror whose name nobody can look up but the proxy."""
    proxied, mirrored, *_ = commands("Without internet, with a mirror, behind a proxy")
    known = indexes.certificate(indexes.NAME, place.folder)
    with indexes.mirror(index, known) as port, indexes.proxy(indexes.NAME, port) as (door, asked):
        through = proxied.replace("proxy.example:3128", f"127.0.0.1:{door}")
        printed = place.types(through, mirrored, *install(), PIP_CERT=str(known))
    assert {line.split()[1] for line in asked} == {f"{indexes.NAME}:443"}
    return str(printed)


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS[1:])
def test_the_package_runs_with_every_python_that_it_names(version, tmp_path):
    found = interpreters(version)
    if not found:
        pytest.skip(f"there is no Python {version} here, as /usr/bin/python{version} or from pyenv")
    wheels = fetched(found[0], "requirements.lock", tmp_path / "wheels")
    with host(found[0], {}, wheels) as club:
        assert club.run("python", "-c", "import sys; print(*sys.version_info[:2], sep='.')").strip() == version
        serves_and_plays(club)


@pytest.mark.long
@pytest.mark.parametrize("version", VERSIONS[1:])
def test_the_rules_hold_with_every_python(version, tmp_path):
    """The tests of the domain, with warnings of what will be gone as errors."""
    found = interpreters(version)
    if not found:
        pytest.skip(f"there is no Python {version} here, as /usr/bin/python{version} or from pyenv")
    wheels = fetched(found[0], "requirements-dev.lock", tmp_path / "wheels")
    home = tmp_path / "environment"
    subprocess.run([found[0], "-m", "venv", "--without-pip", home], check=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--isolated",
        "--python",
        home / "bin" / "python",
        "install",
        "-q",
        "--no-index",
    ]
    subprocess.run([*pip, "--no-deps", "--find-links", wheels, "-r", ROOT / "requirements-dev.lock"], check=True)
    tests = ["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not slow and not long", "tests/domain"]
    done = subprocess.run([home / "bin" / "python", *tests], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


def fetched(python: Path, lock: str, folder: Path) -> Path:
    """The packages of a lock for a Python, as files. Skips where no index has them."""
    environment = folder.with_name("fetching")
    subprocess.run([python, "-m", "venv", environment], check=True)
    options = ["-qq", "--require-hashes", "--only-binary", ":all:", "--no-deps", "-d", folder, "-r", ROOT / lock]
    if subprocess.run([environment / "bin" / "pip", "download", *options], check=False).returncode:
        pytest.skip(NO_INDEX)
    return folder


@pytest.mark.long
def test_dev_py_works_in_a_folder_with_blanks_for_somebody_who_is_not_root():
    other = other_user()
    shared = [python for python in interpreters(f"3.{sys.version_info.minor}") if runs(python, **other)]
    if not shared:
        pytest.skip("no Python of this version here can be started by another user")
    with tempfile.TemporaryDirectory(prefix="a checkout ") as name:
        folder = Path(name, "ward room")
        for part in (*PACKAGES, "dev.py", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            folder.mkdir(exist_ok=True)
            copy(ROOT / part, folder / part)
        if other:
            for path in (Path(name), *Path(name).rglob("*")):
                os.chown(path, other["user"], other["group"])
        kept = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "HTTP", "SSL"))}
        command = [shared[0], "dev.py", "wardroom", "migrate"]
        done = subprocess.run(
            command, cwd=folder, env=BARE | kept | {"HOME": name}, capture_output=True, text=True, check=False, **other
        )
        if "is this machine online?" in done.stderr:
            pytest.skip(NO_INDEX)
        assert done.returncode == 0, done.stderr
        assert done.stderr.splitlines()[-1].startswith("The database is at ")
        assert (folder / "var" / "wardroom.sqlite").exists()
