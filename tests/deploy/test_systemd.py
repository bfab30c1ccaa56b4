"""The units of `deploy/systemd/`: they say what they mean, are closed as far as they can be, and start what the
Procfile starts. `test_hosting.py` boots them."""

import configparser
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from config import settings
from tests.acceptance.processes import ROOT, procfile

UNITS: Final = ROOT / "deploy" / "systemd"
SERVICES: Final = ["web", "worker", "bots", "beat", "news", "mail"]
ALL: Final = sorted(path.stem.removeprefix("wardroom-") for path in UNITS.glob("*.service"))
BIN: Final = "/opt/wardroom/bin"
MOST_EXPOSED: Final = 20
"""In tenths, as `systemd-analyze security` counts, of 100. What is left are the network and the names of users."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="units are checked by systemd-analyze, and this machine has none"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A file system with the units where a host puts them, and programs that they start."""
    shutil.copytree(UNITS, tmp_path / "etc" / "systemd" / "system")
    (tmp_path / BIN[1:]).mkdir(parents=True)
    for program in ("gunicorn", "celery", "python", "wardroom"):
        (tmp_path / BIN[1:] / program).write_text("#!/bin/sh\n")
        (tmp_path / BIN[1:] / program).chmod(0o755)
    of_systemd = tmp_path / "usr" / "lib" / "systemd" / "system"
    of_systemd.mkdir(parents=True)
    for target in Path("/usr/lib/systemd/system").glob("*.target"):
        shutil.copy(target, of_systemd)
    return tmp_path


def analyze(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", f"--root={root}", "--man=no", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def unit(name: str) -> configparser.SectionProxy:
    """The section [Service] of a unit."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNITS / f"wardroom-{name}.service", encoding="utf-8")
    return parser["Service"]


def started(name: str) -> list[str]:
    """The words of what a unit starts, settings in front as in a Procfile; that looks into the working directory."""
    section = unit(name)
    nice = ["nice", "-n", section["Nice"]] if "Nice" in section else []
    command = shlex.split(section["ExecStart"].replace("%%", "%").replace("python -P ", "python "))
    return ["env", *shlex.split(section.get("Environment", "")), *nice, *command]


@needs_systemd
def test_the_units_say_nothing_that_systemd_does_not_know(root):
    names = [f"wardroom-{name}.service" for name in ALL]
    found = analyze(root, "verify", "wardroom.target", *names)
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


@needs_systemd
@pytest.mark.parametrize("name", ALL)
def test_a_unit_is_closed_as_far_as_it_can_be(root, name):
    words = ("security", "--offline=true", f"--threshold={MOST_EXPOSED}", f"wardroom-{name}.service")
    found = analyze(root, *words)
    assert found.returncode == 0, found.stdout + found.stderr


def test_there_is_a_unit_for_every_process_of_the_procfile():
    assert {*SERVICES} == procfile().keys() - {"release"}
    assert set(ALL) == {*SERVICES, "embedded", "backup"}


@pytest.mark.parametrize("name", SERVICES)
def test_a_unit_starts_what_the_procfile_starts(name):
    assert [word.removeprefix(f"{BIN}/") for word in started(name)] == procfile()[name]


def test_the_settings_to_begin_with_are_settings_and_hold_no_secret(tmp_path):
    """They are read by systemd and by a shell, which agree on lines as plain as these."""
    lines = (ROOT / "deploy" / "wardroom.env").read_text(encoding="utf-8").splitlines()
    said = [line for line in lines if line and not line.startswith("#")]
    assert all(shlex.split(line, comments=True) == [line] and "$" not in line for line in said)
    environ = dict(line.split("=", 1) for line in said)
    assert settings.unknown(environ) == []
    secret = {f"WARDROOM_{each.name.upper()}" for each in settings.fields(settings.Settings) if not each.repr}
    assert not secret & environ.keys()
    loaded = settings.load({**environ, "WARDROOM_DATA_DIR": str(tmp_path), "WARDROOM_SECRET_KEY": "k" * 32})
    assert loaded.trusted_proxies == 1
