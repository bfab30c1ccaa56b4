"""Bundles of real games that are changed at one place and made again around it, as their host could: every commitment,
hash, digest and signature fits, so that only the sentence of the page that was broken can tell."""

import json
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from domain.audit.bundle.archive import CHECKPOINTS, DIGESTED, EVENTS, MANIFEST, NOTICES, SIGNATURE, archive, unpack
from domain.audit.bundle.write import SIGNED, Beside, bundle, digest, document, ndjson
from domain.engine.canonical import canonical
from tests.audit.bundles import HOST
from tests.audit.spoiling import rehashed

GAMES: Final = Path(__file__).parents[1] / "archive" / "games"
Files = dict[str, Any]
"""The files of a bundle: JSON as values, README.txt and events.ndjson as bytes."""
Change = Callable[[Any], object]
OPENING: Final = "tammany-hall.bids-revealed"
LASTING: Final = ("table.orders-filed", "table.orders-dropped")


@dataclass(frozen=True)
class Base:
    """An archived game, up to an event if it is to run on, as a reader has it; `ends` are its signed events."""

    file: str
    upto: int | None = None
    reader: int | None = None

    def all_events(self) -> list[dict[str, Any]]:
        """The events with every leaf open."""
        lines = lzma.decompress((GAMES / f"{self.file}.ndjson.xz").read_bytes()).splitlines()[:-1]
        return [json.loads(line) for line in lines[: self.upto]]

    def events(self) -> list[dict[str, Any]]:
        """The events as the reader has them."""
        return self.all_events() if self.upto is None else list(redacted(self.all_events(), self.reader))

    def files(self) -> Files:
        return parsed(_bundle(self))


BASES: Final = {
    "over": Base("tammany-hall-troubled-3"),
    "order": Base("city-hall-deserted-3"),
    "bots": Base("city-hall-bots-0"),
    "running": Base("tammany-hall-troubled-9", 80, 1),
    "watched": Base("tammany-hall-troubled-9", 80, None),
}


def redacted(events: list[dict[str, Any]], reader: int | None) -> Iterator[dict[str, Any]]:
    """The events of a running game as a reader has them, by the page."""
    last: dict[int, int] = {}
    stood, opened = {0: last}, set()
    for event in events:
        if event["type"] not in LASTING:
            last = last | {leaf["for"]: event["version"] for leaf in event["sealed"] if leaf["for"] != "nobody"}
        if event["type"] == OPENING:
            opened, last = opened | set(last.values()), {}
        last = stood[event["version"]] = stood[event["data"]["to"]] if event["type"] == "table.rewound" else last
    for event in events:
        sealed = [
            leaf if leaf["for"] == reader or event["version"] in opened else {n: leaf[n] for n in ("commitment", "for")}
            for leaf in event["sealed"]
        ]
        yield event | {"sealed": sealed}


@cache
def _bundle(base: Base) -> bytes:
    events = base.events()
    ends = (5, len(events))
    notices = [
        {"kind": "your-turn", "queued": at, "seat": seat, "sent": at, "state": "sent", "version": version}
        for version, at, seat in (
            (event["version"], event["at"], base.reader or 0) for event in (events[6], events[-2], events[-1])
        )
        if base.upto is None or base.reader is not None
    ]
    points = [HOST.checkpoint(events[end - 1]) for end in ends]
    beside = Beside(notices=notices, checkpoints=points, keys=HOST.keys())
    return bundle(events, base.reader, beside, HOST.id, HOST.sign)


def parsed(data: bytes) -> Files:
    files: Files = dict(unpack(data))
    return {name: json.loads(raw) if name.endswith(".json") else raw for name, raw in files.items()}


def remade(base: Base, stage: str, change: Change) -> bytes:
    """The bundle of a game in which `change` was made to its history, a file of it, its manifest or its signature."""
    files = base.files()
    if stage == "history":
        events = [json.loads(line) for line in files[EVENTS].splitlines()[:-1]]
        changed = change(events)
        _history(files, rehashed(changed if isinstance(changed, list) else events))
    elif stage not in (MANIFEST, SIGNATURE):
        _apply(files, stage, change)
    raw = {name: _raw(files[name]) for name in DIGESTED}
    files[MANIFEST]["files"] = {name: digest(raw[name]) for name in DIGESTED}
    if stage == MANIFEST:
        _apply(files, stage, change)
    raw[MANIFEST] = _raw(files[MANIFEST])
    files[SIGNATURE] = {"key": HOST.id, "signature": HOST.sign(SIGNED + raw[MANIFEST])}
    if stage == SIGNATURE:
        _apply(files, stage, change)
    return archive(raw | {SIGNATURE: _raw(files[SIGNATURE])})


def _history(files: Files, events: list[dict[str, Any]]) -> None:
    """Put a history there, and what follows from it."""
    files[EVENTS] = ndjson(events)
    points = files[CHECKPOINTS]["checkpoints"]
    ends = [point["version"] for point in points[:-1]] + [len(events)]
    files[CHECKPOINTS]["checkpoints"] = [HOST.checkpoint(events[end - 1]) for end in ends if end <= len(events)]
    notices = files[NOTICES]["notices"]
    files[NOTICES]["notices"] = [notice for notice in notices if notice["version"] <= len(events)]
    last = events[-1]
    files[MANIFEST] |= {"at": last["at"], "game": last["game"], "hash": last["hash"], "version": len(events)}


def _apply(files: Files, name: str, change: Change) -> None:
    changed = change(files[name])
    if isinstance(changed, bytes):
        files[name] = changed


def _raw(value: Any) -> bytes:
    return value if isinstance(value, bytes) else document(value)


def signed_point(point: dict[str, Any]) -> dict[str, Any]:
    """A checkpoint under the host's signature, whatever it says."""
    head = {name: point[name] for name in ("game", "hash", "time", "version")}
    return point | {"key": HOST.id, "signature": HOST.sign(b"wardroom-checkpoint-v1\n" + canonical(head))}
