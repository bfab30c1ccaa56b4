"""Parts of what spoils a bundle: other values in its fields, and digests and hashes that fit again."""

import json
from collections.abc import Iterator
from typing import Any

from domain.audit.bundle.archive import DIGESTED, MANIFEST, archive
from domain.audit.bundle.write import digest, document
from domain.engine.canonical import canonical
from domain.history.envelope import GENESIS, commitment, event_hash, hashed_part

Path = tuple[str | int, ...]


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """Where something stands in a JSON value that can be changed: every scalar and every empty container."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = list(items)
    if not found:
        yield at
    for name, inner in found:
        yield from paths(inner, (*at, name))


def other(value: Any) -> Any:
    """Something else in its place, of the same kind and as long where that can be."""
    match value:
        case bool() | None:
            return not value
        case int():
            return value - 1 if value % 10 else value + 1
        case str():
            return value[:-1] + ("0" if value[-1] != "0" else "1") if value else "x"
        case _:
            return ["x"]


def refitted(files: dict[str, bytes]) -> bytes:
    """Files in an archive with digests that fit; what only the host can sign is as it was."""
    manifest = json.loads(files[MANIFEST]) | {"files": {name: digest(files[name]) for name in DIGESTED}}
    return archive(files | {MANIFEST: document(manifest)})


def rehashed(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A history whose commitments and hashes fit what it says now, as its keeper would make it."""
    made: list[dict[str, Any]] = json.loads(canonical(entries))
    previous = GENESIS
    for event in made:
        for leaf in event["sealed"]:
            if "salt" in leaf:
                leaf["commitment"] = commitment(bytes.fromhex(leaf["salt"]), leaf["data"])
        event["previous"] = previous
        event["hash"] = previous = event_hash(hashed_part(event))
    return made
