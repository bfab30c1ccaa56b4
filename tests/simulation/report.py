"""What is told in the end: one document, and the same as a table."""

import json
import os
import resource
from collections import Counter
from pathlib import Path
from typing import Any

from service.kernel.clock import SECOND
from tests.simulation.found import Found
from tests.simulation.habits import DAY
from tests.simulation.told import Told


def summary(told: Told, found: Found, folder: Path, start: int, simulated: float, wall: float) -> dict[str, Any]:
    """The numbers of one run."""
    late = sorted(found.late)
    counts = found.counts
    return {
        "deadlines": counts["deadlines"],
        "acted": counts["acted"],
        "answered": counts["answered"],
        "over with the game": counts["over"],
        "open at the end": counts["open"],
        "games": counts["games"],
        "events": counts["events"],
        "letters": counts["letters"],
        "letters twice, after a fault": counts["letters twice"],
        "notices": {
            name.partition(" ")[2]: count for name, count in sorted(counts.items()) if name.startswith("notices ")
        },
        "early": found.wrong["early"],
        "double": found.wrong["double"],
        "missed": found.wrong["missed"],
        "false": found.wrong["false"],
        "lateness": {name: quantile(late, share) / SECOND for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1))},
        "late for a reason": counts["late for a reason"],
        "faults": dict(sorted((told.faults + _befell(counts)).items())),
        "habits": dict(sorted(told.habits.items())),
        "deeds": dict(sorted(told.deeds.items())),
        "logged": logged(folder),
        "moments": told.moments,
        "tasks": dict(sorted(told.tasks.items())),
        "days": round((told.over - start) / DAY, 1),
        "seconds": round(simulated),
        "seconds with the check": round(wall),
        "processor seconds": round(sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])),
        "load": round(os.getloadavg()[0], 1),
        "wrong": dict(found.wrong),
        "examples": dict(found.examples),
    }


def _befell(counts: Counter[str]) -> Counter[str]:
    return Counter(
        {name.removeprefix("worker "): count for name, count in counts.items() if name.startswith("worker ")}
    )


def quantile(values: list[int], share: float) -> int:
    """The value below which that share lies; 0 of none."""
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0


def logged(folder: Path) -> dict[str, int]:
    """What the processes logged as errors, and how often."""
    found: Counter[str] = Counter()
    for file in folder.glob("*.log"):
        for line in file.read_text(errors="replace").splitlines():
            if line.startswith("{"):
                found[json.loads(line).get("event", "?")] += 1
            elif line.startswith("Traceback"):
                found["traceback"] += 1
    return dict(found)


def table(result: dict[str, Any]) -> str:
    """The same for people."""
    lines = [f"{name:<30} {json.dumps(value) if isinstance(value, dict) else value}" for name, value in result.items()]
    return "\n".join(lines)
