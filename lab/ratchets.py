"""Counts that may only shrink: `python3 dev.py ratchets [--lower]`.

`tests/ratchets.json` has the limits. A test fails if a count is above its limit. The suite itself counts its cases and
the processes that it starts, at the end of a whole run.
"""

import ast
import json
import sys
from typing import Final

from lab.english import contorted, product
from lab.trips import LAYERS, measure
from tests.closing import LIMITS, read_limits

OF_THE_SUITE: Final = ("cases", "processes")


def syntax_nodes() -> int:
    """Return the size of the product: nodes of its syntax trees, two fewer for each docstring."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    total = 0
    for _, tree in product():
        for node in ast.walk(tree):
            total += 1
            if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
                total -= 2
    return total


def counted() -> dict[str, int]:
    """Return every count but those of the suite. Takes about ten seconds."""
    counts = {"contorted docstrings": contorted(), "syntax nodes": syntax_nodes()}
    trips = measure()
    for name, trip in trips.items():
        counts |= {f"modules of {name}, {layer}": trip.count(layer) for layer in LAYERS}
    for name in ("POST moves", "GET the page of a game"):
        counts[f"statements of {name}"] = trips[name].statements
    return counts


def grown(counts: dict[str, int], limits: dict[str, int]) -> list[str]:
    """Return a sentence for each count above its limit."""
    return [
        f"{name}: {count}, and tests/ratchets.json allows {limits.get(name, 0)}"
        for name, count in counts.items()
        if count > limits.get(name, 0)
    ]


def main() -> None:
    """Print every count beside its limit; with `--lower`, write down those that have shrunk."""
    if set(sys.argv[1:]) - {"--lower"}:
        sys.exit("usage: dev.py ratchets [--lower]")
    limits, counts = read_limits(), counted()
    for name, count in counts.items():
        print(f"{count:8} of {limits.get(name, 0):8}  {name}")
    if "--lower" in sys.argv:
        lower = {name: min(count, limits.get(name, count)) for name, count in counts.items()}
        kept = {name: limits[name] for name in OF_THE_SUITE}
        LIMITS.write_text(json.dumps(lower | kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
