"""The Python client as it is installed: the same wheel each time, whole, and it needs httpx and msgspec alone."""

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "clients" / "python"

pytestmark = pytest.mark.slow


def built(folder: Path) -> Path:
    """The wheel, made as `dev.py wheel` makes it."""
    command = [sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    (wheel,) = folder.iterdir()
    return wheel


def test_the_wheel_is_the_same_twice_whole_and_runs_alone(tmp_path):
    wheel = built(tmp_path / "dist")
    assert built(tmp_path / "again").read_bytes() == wheel.read_bytes()
    with zipfile.ZipFile(wheel) as files:
        found = {name for name in files.namelist() if ".dist-info/" not in name}
    package = PROJECT / "wardroom_client"
    wanted = {str(path.relative_to(PROJECT)) for path in package.rglob("*.*") if path.suffix != ".pyc"}
    assert found == wanted
    home = tmp_path / "alone"
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    offline = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "--python", python]
    install = ["install", "-q", "--no-index", "--no-deps", wheel]
    subprocess.run([*pip, *install], env=offline, check=True)
    packages = next(Path(place) for place in sys.path if place.endswith("site-packages"))
    for name in "httpx httpcore h11 anyio certifi idna sniffio msgspec typing_extensions.py".split():
        if (packages / name).exists():
            (next(home.glob("lib/python*/site-packages")) / name).symlink_to(packages / name)
    code = "import wardroom_client, json, sys; print(json.dumps([wardroom_client.__file__, *sorted(sys.modules)]))"
    shown = subprocess.run([python, "-I", "-c", code], cwd="/", check=True, capture_output=True, text=True).stdout
    place, *modules = json.loads(shown)
    assert Path(place).is_relative_to(home)
    outside = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names
    assert not outside & {"service", "domain", "flask", "wardroom_rules"}
    wr = subprocess.run([home / "bin" / "wr", "--help"], cwd="/", check=True, capture_output=True, text=True)
    assert "arena" in wr.stdout


def test_the_package_says_of_itself_what_the_project_says():
    own = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    known = {*whole["dependencies"], *whole["optional-dependencies"]["demo"]}
    assert (own["version"], own["requires-python"]) == (whole["version"], whole["requires-python"])
    assert set(own["dependencies"]) <= known
    assert (PROJECT / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert f"wardroom-client/{own['version']}" in (PROJECT / "wardroom_client" / "_async" / "session.py").read_text()
