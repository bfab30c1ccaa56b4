"""Deadlines under faults, on an accelerated clock: short runs of `tests/simulation`, which finds what is wrong.

`python -m tests.simulation --database postgres` runs it on PostgreSQL, and as long as one likes.
"""

import importlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import pytest

from tests.simulation import seeded
from tests.workers.worker_tables import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
LAST_SUNDAY_OF_MARCH = "2031-03-29T00:00:00+00:00"
"""Its night is the one in which Paris loses an hour; New York and Santiago are out of step with it."""


SMALL = 60
"""Deadlines enough for each kind of fault to happen."""


def simulated(*words: str, deadlines: int = SMALL) -> dict[str, Any]:
    """What one run came to."""
    given = ["--deadlines", str(deadlines), "--days", "1.5", "--start", LAST_SUNDAY_OF_MARCH, "--quiet", *words]
    command = [sys.executable, "-W", "ignore", "-m", "tests.simulation", *given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("deadlines", [SMALL, pytest.param(400, marks=pytest.mark.long)])
def test_g11_i09_under_faults_each_deadline_is_answered_or_acts_once_and_none_is_early(deadlines):
    """Two beats, four workers whose clocks are wrong by up to ten minutes, deaths, kill -9, freezes, messages that
    come twice, mail servers that put off and lose answers, outages, a clock that jumps, silent beats, summer time."""
    found = simulated(deadlines=deadlines)
    assert found["wrong"] == {}, found["examples"]
    assert found["deadlines"] >= deadlines
    assert found["acted"] > deadlines / 12
    assert found["answered"] > deadlines / 4
    assert found["lateness"]["p50"] <= 5, "two beats every five seconds"
    befell = {"outage": 3, "jump": 1, "silence of the beats": 2, "frozen beat": 2}
    assert befell.items() <= found["faults"].items()
    assert sum(found["faults"].values()) - sum(befell.values()) > 10, "what befalls workers"
    assert found["letters"] > deadlines


def test_g02_a_bug_that_is_planted_is_found():
    """Workers that believe their own clocks: much comes too early, and letters say what is not true."""
    assert simulated("--bug", seeded.OWN_CLOCK, "--days", "0.3", deadlines=20)["wrong"]


@pytest.mark.parametrize("name", [name for name, bug in seeded.BUGS.items() if bug.module])
def test_each_bug_can_be_planted(name):
    """The code it would spoil stands as it did when the bug was described."""
    assert seeded.source_of(seeded.BUGS[name]).count(seeded.BUGS[name].old) == 1


def _strangers(name: str) -> Iterator[str]:
    """Methods of a module with a bug in it whose `super()` is of another class than everybody knows."""
    module = importlib.import_module(seeded.BUGS[name].module)
    known = {one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__}
    seeded.plant(name)
    for owner in known:
        for method in (one for one in vars(owner).values() if isinstance(one, FunctionType)):
            if inspect.getclosurevars(method).nonlocals.get("__class__", owner) is not owner:
                yield f"{owner.__name__}.{method.__name__}"


@pytest.mark.parametrize("name", [name for name, bug in seeded.BUGS.items() if bug.module])
def test_a_module_with_a_bug_in_it_still_works(name):
    """In a process of its own, which keeps the bug."""
    child = os.fork()
    if child == 0:
        is_broken = True
        try:
            is_broken = any(_strangers(name))
        finally:
            os._exit(is_broken)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.long
@pytest.mark.parametrize("name", seeded.BUGS)
def test_each_bug_that_is_planted_is_found(name):
    found = (simulated("--bug", name, "--seed", str(seed), deadlines=400)["wrong"] for seed in (1, 2, 3))
    assert any(wrong.get(seeded.BUGS[name].found) for wrong in found)
