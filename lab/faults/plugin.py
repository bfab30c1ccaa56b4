"""A plugin of pytest that compiles faults into the product, and says which tests reach and which find them.

The folder named by `LAB_FAULTS` has `faults.json`. Without `LAB_FAULTS_PART` the tests run as usual, and the faults
that each one reaches are written to the folder. With it, a forked process for each fault runs the tests that reach it.
"""

import ast
import builtins
import importlib.abc
import importlib.machinery
import json
import os
import random
import select
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol

from lab.faults.mutator import ROOTS, with_switches
from lab.faults.planted import Planted, plant

FOLDER: Final = Path(os.environ["LAB_FAULTS"])
PART: Final = os.environ.get("LAB_FAULTS_PART")
ROOT: Final = Path.cwd()
SECONDS: Final = 6.0
"""What the tests run against one fault may take together, as they took without it."""
MOST: Final = 16
WIDER: Final = 8
"""So many times as much for a planted fault: a test that reaches its function need not reach its line."""
PATIENCE: Final = 120.0
"""A fault for which they take longer than this is found: it makes something wait or turn for ever."""

FAULTS: Final[dict[str, Any]] = json.loads((FOLDER / "faults.json").read_text())
reached: set[int] = set()
active = -1


def _fault(number: int) -> bool:
    reached.add(number)
    return number == active


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a module with its faults, and keeps no bytecode of it."""

    def path_stats(self, path: Any) -> Any:
        raise OSError("no bytecode is cached")

    def source_to_code(self, data: Any, path: Any, *args: Any, **options: Any) -> Any:
        source, name = bytes(data).decode(), str(Path(path).relative_to(ROOT))
        places = {int(place): number for place, number in FAULTS["mutants"].get(name, {}).items()}
        tree = with_switches(ast.parse(source), places)
        for number, fields in FAULTS["planted"].get(name, []):
            plant(tree, source, Planted(**fields), number)
        return super().source_to_code(tree, path, *args, **options)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name.partition(".")[0] not in ROOTS:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec and isinstance(spec.loader, importlib.machinery.SourceFileLoader) and spec.origin:
            spec.loader = _Loader(name, spec.origin)
        return spec


builtins.__fault__ = _fault  # type: ignore[attr-defined]
sys.meta_path.insert(0, _Finder())


# Which test reaches which fault

_written: list[dict[str, Any]] = []


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: Any) -> Iterator[None]:
    if fixturedef.scope == "function":
        return (yield)
    before = set(reached)
    reached.clear()
    try:
        return (yield)
    finally:
        _written.append({"module": request.node.nodeid.partition("::")[0], "reached": sorted(reached)})
        reached.update(before)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    reached.clear()
    start = time.perf_counter()
    result = yield
    _written.append({"test": item.nodeid, "reached": sorted(reached), "seconds": time.perf_counter() - start})
    return result


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed and PART is None:
        _written.append({"failed": report.nodeid})


def pytest_sessionfinish(session: pytest.Session) -> None:
    if PART is None and _written:
        name = os.environ.get("PYTEST_XDIST_WORKER", "main")
        (FOLDER / f"reach-{name}.json").write_text(json.dumps(_written))


# Which fault is found


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    if PART is None:
        return None
    part, parts = map(int, PART.split("/"))
    hunt = _Hunt(session)
    with (FOLDER / f"found-{part}.jsonl").open("a") as file:
        for number in FAULTS["numbers"][part::parts]:
            file.write(json.dumps({"number": number, **hunt.tried(number)}) + "\n")
            file.flush()
    return True


class _Hunt:
    """Runs tests against faults, each time in a forked process."""

    def __init__(self, session: pytest.Session) -> None:
        self.session: Any = session  # as the next item it keeps what the session has set up, and nothing else
        self.items = {item.nodeid: item for item in session.items}
        self.modules: defaultdict[str, list[str]] = defaultdict(list)
        for name in self.items:
            self.modules[name.partition("::")[0]].append(name)
        self.seconds: dict[str, float] = {}
        self.reaching: defaultdict[int, dict[str, bool]] = defaultdict(dict)
        self.left_out: set[str] = set()
        self.sound: set[str] = set()
        for entry in (entry for path in FOLDER.glob("reach-*.json") for entry in json.loads(path.read_text())):
            self._note(entry)
        self._warm()

    def _note(self, entry: dict[str, Any]) -> None:
        if "failed" in entry:
            self.left_out.add(entry["failed"])
        if "test" in entry:
            self.seconds[entry["test"]] = entry["seconds"]
        names = [entry["test"]] if "test" in entry else self.modules[entry.get("module", "")]
        for number in entry.get("reached", ()):
            for name in names:
                self.reaching[number].setdefault(name, True)

    def _warm(self) -> None:
        """Set up in this process what a session has once: the processes forked from it share the servers."""
        for fixture in ("sqlite_template", "postgres_template", "redis_url"):
            users = (item for item in self.items.values() if fixture in getattr(item, "fixturenames", ()))
            quick = min(users, key=lambda item: self.seconds.get(item.nodeid, 99), default=None)
            if quick is not None:
                runtestprotocol(quick, log=False, nextitem=self.session)

    def chosen(self, number: int) -> list[str]:
        """The tests against a fault: the quickest case of each function first."""
        known = [name for name in self.reaching[number] if name in self.items and name in self.seconds]
        by_function: defaultdict[str, list[str]] = defaultdict(list)
        for name in sorted(set(known) - self.left_out, key=lambda name: (self.seconds[name], name)):
            by_function[name.partition("[")[0]].append(name)
        rows = sorted(
            (rank, self.seconds[name], name) for group in by_function.values() for rank, name in enumerate(group)
        )
        names, spent, wide = [], 0.0, WIDER if number in FAULTS["planted_numbers"] else 1
        for _, seconds, name in rows[: MOST * wide]:
            if names and spent + seconds > SECONDS * wide:
                continue
            names.append(name)
            spent += seconds
        return names

    def tried(self, number: int) -> dict[str, Any]:
        """Say whether a fault is found, by which test, and how many tests were run against it."""
        while True:
            names = self.chosen(number)
            if not names:
                return {"state": "unreached"}
            found = self._run(names, number)
            if found is None:
                return {"state": "survived", "tests": len(names)}
            if found == "" or found in self.sound or self._run([found], -1) is None:
                self.sound.add(found)
                return {"state": "found" if found else "endless", "by": found}
            self.left_out.add(found)

    def _run(self, names: list[str], number: int) -> str | None:
        """Run tests in a forked process. Returns the first that fails, "" if they do not end, None if all pass."""
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            self._run_and_exit(names, number, writer)
        os.close(writer)
        try:
            done, _, _ = select.select([reader], [], [], PATIENCE)
            said = os.read(reader, 10_000).decode() if done else ""
        finally:
            os.close(reader)
            try:
                os.killpg(child, signal.SIGKILL)
            except ProcessLookupError:
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        return None if said == "passed" else said

    def _run_and_exit(self, names: list[str], number: int, writer: int) -> None:
        global active
        os.setpgid(0, 0)
        active, said = number, "passed"
        random.seed(number)
        for name in names:
            item = self.items[name]
            try:
                if any(report.failed for report in runtestprotocol(item, log=False, nextitem=self.session)):
                    said = name
                    break
            except BaseException:
                said = name
                break
        os.write(writer, said.encode())
        os._exit(0)
