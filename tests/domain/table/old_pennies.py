"""Pennies as they were written in schema 1, for tests of the upcasting of events."""

import json
import random
from typing import Any, Final

from domain.engine.canonical import canonical
from domain.history.envelope import GENESIS, Leaf, event_hash, hashed_part
from tests.archive.tables import Story
from tests.domain.table.pennies import PENNIES

HIDDEN: Final = "pennies.penny-hidden"


def played(seed: int = 1) -> list[bytes]:
    """Return the export of a game of Pennies that is over, as it is written today. PENNIES must be registered."""
    return Story(PENNIES, random.Random(seed)).begin(3).play_out().export("pennygame0")


def in_schema_1(lines: list[bytes]) -> list[bytes]:
    """Return the same history as schema 1 of a hidden penny wrote it, with its own commitments and hashes."""
    return chained([_as_schema_1(json.loads(line)) for line in lines[:-1]])


def chained(entries: list[dict[str, Any]]) -> list[bytes]:
    """Return events as an export whose hashes fit."""
    previous = GENESIS
    for entry in entries:
        entry["previous"] = previous
        entry["hash"] = previous = event_hash(hashed_part(entry))
    return [*map(canonical, entries), canonical({"end": {"version": len(entries), "hash": previous}})]


def _as_schema_1(entry: dict[str, Any]) -> dict[str, Any]:
    if entry["type"] != HIDDEN:
        return entry
    (leaf,) = entry["sealed"]
    data = {"coins" if name == "pennies" else name: value for name, value in leaf["data"].items()}
    sealed = Leaf(leaf["for"], data, bytes.fromhex(leaf["salt"]))
    shut = {"data": data, "commitment": sealed.commitment}
    return entry | {"schema": 1, "data": {"player": entry["data"]["seat"]}, "sealed": [leaf | shut]}
