"""Measure what the tests find: `python -m lab.faults [--count 500] [--seed 1]`, in a checkout with its environment.

Faults of two kinds: mutants drawn by a seed, and those planted by hand. Prints the share that is found, by room.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lab.faults.mutator import draw, mutants_of
from lab.faults.planted import read_planted

TESTS = ["tests/domain", "tests/service", "tests/workers", "tests/archive", "tests/audit", "tests/clients"]
"""Tests that run in their own process. A server that a test starts has no faults in it."""


def main() -> None:
    """Draw the faults, run the tests once to see what reaches them, then hunt each, and report."""
    parser = argparse.ArgumentParser(prog="python -m lab.faults", description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="mutants to draw (500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="keep what is found out here; what is there is used again")
    parser.add_argument("tests", nargs="*", default=TESTS)
    asked = parser.parse_args()
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="faults-"))
    folder.mkdir(parents=True, exist_ok=True)
    faults = written_down(folder, asked.count, asked.seed)
    environ = {**os.environ, "LAB_FAULTS": str(folder.absolute())}
    pytest = [sys.executable, "-m", "pytest", "-p", "lab.faults.plugin", "-q", "-p", "no:cacheprovider", *asked.tests]
    if not list(folder.glob("reach-*.json")):
        shared = ["-n", str(asked.jobs), "--dist", "worksteal"]
        subprocess.run([*pytest, *shared], env=environ, check=False)
    for stale in folder.glob("found-*.jsonl"):
        stale.unlink()
    parts = [
        subprocess.Popen([*pytest, "-p", "no:xdist"], env={**environ, "LAB_FAULTS_PART": f"{part}/{asked.jobs}"})
        for part in range(asked.jobs)
    ]
    for part in parts:
        part.wait()
    print(report(folder, faults))


def written_down(folder: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """Draw the faults and write them down for the plugin. Returns one description a number."""
    root = Path.cwd()
    mutants, planted = draw(mutants_of(root), count, seed), read_planted(root)
    drawn: defaultdict[str, dict[int, int]] = defaultdict(dict)
    by_hand: defaultdict[str, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
    faults: list[dict[str, Any]] = []
    for mutant in mutants:
        drawn[mutant.path][mutant.place] = len(faults)
        faults.append(
            {"kind": "mutants", "room": mutant.room, "says": f"{mutant.path}:{mutant.line} {mutant.identity}"}
        )
    for fault in planted:
        if fault.path:
            by_hand[fault.path].append((len(faults), asdict(fault)))
        faults.append({"kind": "planted", "room": fault.room, "says": fault.name, "lost": not fault.path})
    numbers = [number for number, fault in enumerate(faults) if not fault.get("lost")]
    planted_numbers = [number for number in numbers if faults[number]["kind"] == "planted"]
    known = {"mutants": drawn, "planted": by_hand, "numbers": numbers, "planted_numbers": planted_numbers}
    (folder / "faults.json").write_text(json.dumps(known))
    return faults


def report(folder: Path, faults: list[dict[str, Any]]) -> str:
    """Return a table of what was found, by room, and a list of what was not."""
    found = {
        entry["number"]: entry
        for path in folder.glob("found-*.jsonl")
        for entry in map(json.loads, path.read_text().splitlines())
    }
    table: dict[str, Counter[str]] = {}
    missed = []
    for number, fault in enumerate(faults):
        state = found.get(number, {"state": "lost"})["state"]
        table.setdefault(fault["kind"], Counter())
        for room in (fault["room"], "all"):
            row = table.setdefault(f"{fault['kind']} {room}", Counter())
            row["all"] += 1
            row["found"] += state in ("found", "endless")
        if state not in ("found", "endless"):
            missed.append(f"{state}: {fault['kind']} {fault['says']}")
    lines = ["| room | faults | found | share |", "| --- | --- | --- | --- |"]
    for name in sorted(name for name in table if " " in name):
        row = table[name]
        lines.append(f"| {name} | {row['all']} | {row['found']} | {100 * row['found'] / row['all']:.0f} % |")
    return "\n".join([*lines, "", *sorted(missed)])


if __name__ == "__main__":
    main()
