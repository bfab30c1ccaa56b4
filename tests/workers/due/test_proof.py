"""Deadlines under faults, on an accelerated clock: short runs of `tests/simulation`, which finds what is wrong.

`python -m tests.simulation --database postgres` runs it on PostgreSQL, and as long as one likes.
"""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.workers.office import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
LAST_SUNDAY_OF_MARCH = "2031-03-29T00:00:00+00:00"
"""Its night is the one in which Paris loses an hour; New York and Santiago are out of step with it."""


def simulated(*words: str, deadlines: int = 200) -> dict[str, Any]:
    """What one run came to."""
    given = ["--deadlines", str(deadlines), "--days", "1.5", "--start", LAST_SUNDAY_OF_MARCH, "--quiet", *words]
    command = [sys.executable, "-W", "ignore", "-m", "tests.simulation", *given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_g11_i09_under_faults_each_deadline_is_answered_or_acts_once_and_none_is_early():
    """Two beats, four workers whose clocks are wrong by up to ten minutes, deaths, kill -9, freezes, messages that
    come twice, mail servers that put off and lose answers, outages, a clock that jumps, silent beats, summer time."""
    found = simulated()
    assert found["wrong"] == {}, found["examples"]
    assert found["deadlines"] >= 200
    assert found["acted"] > 15
    assert found["answered"] > 50
    assert found["lateness"]["p50"] <= 5, "two beats every five seconds"
    befell = {"outage": 3, "jump": 1, "silence of the beats": 2, "frozen beat": 2}
    assert befell.items() <= found["faults"].items()
    assert sum(found["faults"].values()) - sum(befell.values()) > 10, "what befalls workers"
    assert found["letters"] > 200


def test_g02_a_bug_that_is_planted_is_found():
    """No second look before a letter goes: the checker sees what was false when it was handed over."""
    assert any(simulated("--bug", "claim unchecked", "--seed", str(seed))["wrong"].get("false") for seed in (1, 2, 3))
