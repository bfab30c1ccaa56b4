"""The end of a run of the suite: one line with cases, minutes and the slowest files, and what was left out and why.

With pytest-xdist the workers count what they start and leave out, and the process that prints adds it up.
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

LIMITS: Final = Path(__file__).with_name("ratchets.json")
RANKED: Final = 3
REASONS: Final = {
    "long": "long drills: --long",
    "slow": "slow: dev.py test",
    "postgres": "with PostgreSQL: dev.py test",
}
"""The markers by which tests are left out, and how to run them."""


def read_limits() -> dict[str, int]:
    """Return what each count may be at most."""
    limits: dict[str, int] = json.loads(LIMITS.read_text())
    return limits


class Closing:
    """Counts of one process. A plugin of pytest, registered in `conftest.py`."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.begun = time.monotonic()
        self.processes = 0
        self.left_out: Counter[str] = Counter()
        self.cases: set[str] = set()
        self.seconds: Counter[str] = Counter()
        sys.addaudithook(self._hear)

    def _hear(self, event: str, _arguments: Any) -> None:
        if event == "subprocess.Popen":
            self.processes += 1

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        for item in items:
            self.left_out[next((name for name in REASONS if item.get_closest_marker(name)), "by name")] += 1

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.cases.add(report.nodeid)
        self.seconds[report.nodeid.partition("::")[0]] += report.duration

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add what a worker counted; each left the same tests out."""
        counted = getattr(node, "workeroutput", {}).get("closing")
        if counted:
            self.processes += counted["processes"]
            self.left_out |= Counter(counted["left_out"])

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["closing"] = {"processes": self.processes, "left_out": dict(self.left_out)}
        elif self.is_whole() and self.too_many() and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def is_whole(self) -> bool:
        """Return whether this was the whole suite: nothing was given that chooses tests."""
        chosen = ("markexpr", "keyword", "deselect", "ignore", "ignore_glob", "lf", "first")
        named = any(getattr(self.config.option, option, None) for option in chosen)
        return not named and self.config.args == self.config.getini("testpaths")

    def too_many(self) -> list[str]:
        """Return a sentence for each count of the suite that grew."""
        limits, now = read_limits(), {"cases": len(self.cases), "processes": self.processes}
        return [
            f"{name}: {count}, and tests/ratchets.json allows {limits[name]} (CONTRIBUTING: ratchets)"
            for name, count in now.items()
            if count > limits[name]
        ]

    def pytest_unconfigure(self) -> None:
        if not self.cases or hasattr(self.config, "workeroutput"):
            return
        print(self.line())
        if self.is_whole():
            print("".join(f"FAILED: {sentence}\n" for sentence in self.too_many()), end="")

    def line(self) -> str:
        """Return the closing line."""
        slowest = ", ".join(f"{file} {seconds:.0f} s" for file, seconds in self.seconds.most_common(RANKED))
        reasons = [f"{count} {REASONS.get(name, name)}" for name, count in self.left_out.items()]
        left_out = f" Left out: {'; '.join(reasons)}." if reasons else ""
        minutes = (time.monotonic() - self.begun) / 60
        ran = f"{len(self.cases)} cases in {minutes:.1f} minutes, {self.processes} processes"
        return f"{ran}; slowest: {slowest}.{left_out}"
