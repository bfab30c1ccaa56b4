"""The rules as a library: the wheel is whole and the same each time, runs alone, and so does its page."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import dev

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "clients" / "rules"
PAGE = (PROJECT / "README.md").read_text(encoding="utf-8")
EFFORT = "actions=6, games=5"
NAMES = "Position RULESETS ruleset RuleViolation OrderNotUnderstood Bot STRENGTHS TEMPERS Line Thought think".split()

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the wheel and its sources, made by the command that developers run."""
    folder = tmp_path_factory.mktemp("dist")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dev, "ensure_venv", lambda: None)
        patch.setattr(dev, "BIN", Path(sys.executable).parent)
        dev.wheel(["-d", str(folder)])
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("wardroom_rules-*.whl")
    return found


@pytest.fixture(scope="module")
def python(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment in which there are the wheel and msgspec, nothing else, not even pip."""
    home = tmp_path_factory.mktemp("alone")
    venv.create(home, symlinks=True)
    (packages,) = home.glob("lib/python*/site-packages")
    for file in metadata.files("msgspec") or ():
        (packages / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file.locate(), packages / file)
    python = home / "bin" / "python"
    offline = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "--python", python]
    install = ["install", "-q", "--no-index", "--find-links", built, "wardroom-rules"]
    subprocess.run([*pip, *install], env=offline, check=True)
    return python


def run(python: Path, code: str) -> str:
    """What a program prints that knows of nothing but the environment it runs in."""
    done = subprocess.run([python, "-I", "-c", code], cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def imported(python: Path, statement: str) -> set[str]:
    """The modules that a statement imports."""
    return set(json.loads(run(python, f"{statement}\nimport sys, json; print(json.dumps(sorted(sys.modules)))")))


# What is built


def test_the_wheel_has_the_same_bytes_twice_and_from_its_own_sources(built, wheel, tmp_path):
    (archive,) = built.glob("wardroom_rules-*.tar.gz")
    with tarfile.open(archive) as sources:
        sources.extractall(tmp_path)
    (unpacked,) = tmp_path.iterdir()
    build = [sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again"]
    subprocess.run(build, cwd=unpacked, check=True, capture_output=True)
    (again,) = (tmp_path / "again").iterdir()
    assert (again.name, again.read_bytes()) == (wheel.name, wheel.read_bytes())


def test_the_wheel_holds_the_whole_domain_under_one_name(wheel):
    with zipfile.ZipFile(wheel) as files:
        found = {name for name in files.namelist() if ".dist-info/" not in name}
    domain = {str(path.relative_to(ROOT)) for path in (ROOT / "domain").rglob("*.*") if path.suffix != ".pyc"}
    assert found == {"wardroom_rules/py.typed", *(name.replace("domain/", "wardroom_rules/", 1) for name in domain)}


def test_the_package_says_of_itself_what_the_project_says():
    own = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (own["version"], own["requires-python"]) == (whole["version"], whole["requires-python"])
    assert own["dependencies"] == [wanted for wanted in whole["dependencies"] if wanted.startswith("msgspec")]
    assert (PROJECT / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


# What is installed


def test_there_is_no_domain_where_it_is_installed_and_every_module_can_be_imported(python):
    code = """
import importlib, importlib.util, pkgutil, wardroom_rules
assert importlib.util.find_spec("domain") is None
for module in pkgutil.walk_packages(wardroom_rules.__path__, "wardroom_rules."):
    importlib.import_module(module.name)
    print(module.name)
"""
    assert len(run(python, code).splitlines()) > 100


def test_the_package_alone_is_next_to_nothing_to_import(python):
    """Programs that ask little wait little: importing is counted in modules, as a clock tells of the machine."""
    found = imported(python, "import wardroom_rules") - imported(python, "import importlib, typing")
    assert found == {"wardroom_rules"}


@pytest.mark.parametrize("game, other", [("tammany_hall", "city_hall"), ("city_hall", "tammany_hall")])
def test_one_game_is_imported_without_the_other(python, game, other):
    found = imported(python, f"import wardroom_rules.{game}")
    assert not any(name.startswith(f"wardroom_rules.{other}") for name in found)


SLOW = {"asyncio", "email", "http", "logging", "multiprocessing", "socket", "sqlite3", "subprocess", "unittest", "xml"}
"""Of the standard library, what takes long to import and plays no game."""


def test_positions_and_bots_need_msgspec_and_little_of_the_standard_library(python):
    found = imported(python, "from wardroom_rules import Position, think")
    others = {name for name in found if not name.startswith(("wardroom_rules", "__main__"))}
    packages = {name.partition(".")[0] for name in others} - {"msgspec", "sitecustomize"}
    assert packages <= sys.stdlib_module_names
    assert not packages & SLOW
    assert len(others) < 160


def test_every_name_of_the_interface_is_there_and_no_other(python):
    code = f"""
import wardroom_rules
from wardroom_rules import *
assert sorted(wardroom_rules.__all__) == sorted({NAMES!r})
assert all(name in globals() and name in dir(wardroom_rules) for name in wardroom_rules.__all__)
assert Position.__module__ == "wardroom_rules.search.position"
assert Bot is wardroom_rules.Bot
print(hasattr(wardroom_rules, "nonsense"))
"""
    assert run(python, code).strip() == "False"


# The page


def blocks() -> list[str]:
    """The programs of the page, which follow from one another."""
    return re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_bot_of_the_page_has_15_lines():
    (bot,) = (block for block in blocks() if block.startswith("def bot"))
    assert len([line for line in bot.splitlines() if line.strip()]) <= 15


def test_every_program_of_the_page_runs_and_its_bot_plays_both_games(python):
    """With fewer trials than the page shows, as it is run to see that it comes to an end."""
    assert PAGE.count(EFFORT) == 1
    lines = run(python, "\n".join(blocks()).replace(EFFORT, "actions=2, games=1")).splitlines()
    assert [line.partition(" ")[0] for line in lines[:2]] == ["tammany-hall", "city-hall"]
    assert all("winners" in line for line in lines[:4])
    assert lines[4].startswith("already-placed TH-")
    assert 0 <= float(lines[5].partition(" ")[0]) <= 1
    assert len(lines) == 6
