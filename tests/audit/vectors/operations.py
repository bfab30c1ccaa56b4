"""Ways to spoil a good bundle, as values: what is changed, who makes it fit again, and the verdict that follows."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Final

from domain.audit.bundle.archive import (
    CHECKPOINTS,
    DIGESTED,
    EVENTS,
    KEYS,
    MANIFEST,
    NOTICES,
    SIGNATURE,
    archive,
    unpack,
)
from domain.audit.bundle.write import SIGNED, digest, document, ndjson
from domain.engine.canonical import canonical
from tests.audit.bundles import HOST, Host
from tests.audit.spoiling import other, rehashed
from tests.audit.vectors.bases import stored

Files = dict[str, Any]
"""The files of a bundle: JSON as values, README.txt and events.ndjson as bytes."""
Change = Callable[[Any], object]
"""A change in place; bytes or a list that it returns stand instead."""
HISTORY: Final = "history"
ARCHIVE: Final = "archive"
THIEF: Final = Host("thief")


class Verdict(Enum):
    """What a verifier must say."""

    HOLDS = "holds"
    BROKEN = "broken"
    RULES = "broken, as only those can tell who play the game again"


class Maker(Enum):
    """Who makes the bundle fit again around the change, and how far."""

    NOBODY = "the archive fits"
    ANYBODY = "the digests of the manifest fit, too"
    HOST = "commitments, hashes and signatures fit, too"


@dataclass(frozen=True)
class Spoiling:
    """A change of the history, a file or the archive of a base, and what follows from it.

    `words` are those of the page that it breaks, or say what was done. `named` is a pattern that a verifier's broken
    lines match. `also` are changes of other files. `kept` are receipts and signed heads that somebody kept, `noted` the
    host's keys as they were noted.
    """

    words: str
    stage: str
    change: Change
    named: str = ""
    base: str = "over"
    verdict: Verdict = Verdict.BROKEN
    maker: Maker = Maker.HOST
    host: Host = HOST
    also: Sequence[tuple[str, Change]] = ()
    kept: Sequence[str | Mapping[str, Any]] = ()
    noted: Sequence[Mapping[str, Any]] | None = None

    def bundle(self) -> bytes:
        """Make the spoiled bundle."""
        if self.stage == ARCHIVE:
            changed = self.change(stored(self.base))
            assert isinstance(changed, bytes)
            return changed
        changes = {self.stage: self.change, **dict(self.also)}
        return remade(self.base, changes, self.maker, self.host)


def remade(base: str, changes: Mapping[str, Change], maker: Maker = Maker.HOST, host: Host = HOST) -> bytes:
    """The bundle of a base in which its history, files of it, its manifest or its signature were changed."""
    raw = unpack(stored(base))
    files = _parsed(raw)
    if HISTORY in changes:
        events = [json.loads(line) for line in files[EVENTS].splitlines()[:-1]]
        changed = changes[HISTORY](events)
        _history(files, rehashed(changed if isinstance(changed, list) else events), host)
    for name in DIGESTED:
        _apply(files, name, changes.get(name, nothing))
    raw = {name: _raw(files[name]) for name in DIGESTED}
    if maker is not Maker.NOBODY:
        files[MANIFEST]["files"] = {name: digest(raw[name]) for name in DIGESTED}
    _apply(files, MANIFEST, changes.get(MANIFEST, nothing))
    raw[MANIFEST] = _raw(files[MANIFEST])
    if maker is Maker.HOST:
        files[SIGNATURE] = {"key": host.id, "signature": host.sign(SIGNED + raw[MANIFEST])}
    _apply(files, SIGNATURE, changes.get(SIGNATURE, nothing))
    return archive(raw | {SIGNATURE: _raw(files[SIGNATURE])})


def _parsed(raw: Mapping[str, bytes]) -> Files:
    return {name: json.loads(text) if name.endswith(".json") else text for name, text in raw.items()}


def _history(files: Files, events: list[dict[str, Any]], host: Host) -> None:
    """Put a history there, and what follows from it."""
    files[EVENTS] = ndjson(events)
    points = files[CHECKPOINTS]["checkpoints"]
    ends = sorted({min(point["version"], len(events)) for point in points[:-1]} | {len(events)})
    files[CHECKPOINTS]["checkpoints"] = [host.checkpoint(events[end - 1]) for end in ends]
    notices = files[NOTICES]["notices"]
    files[NOTICES]["notices"] = [notice for notice in notices if notice["version"] <= len(events)]
    files[KEYS]["keys"] = host.keys()
    last = events[-1]
    files[MANIFEST] |= {"at": last["at"], "game": last["game"], "hash": last["hash"], "version": len(events)}


def _apply(files: Files, name: str, change: Change) -> None:
    changed = change(files[name])
    if isinstance(changed, bytes):
        files[name] = changed


def _raw(value: Any) -> bytes:
    return value if isinstance(value, bytes) else document(value)


@cache
def events_of(base: str) -> list[dict[str, Any]]:
    """The events of a base."""
    return [json.loads(line) for line in unpack(stored(base))[EVENTS].splitlines()[:-1]]


@cache
def files_of(base: str) -> dict[str, bytes]:
    """The files of a base."""
    return unpack(stored(base))


# Operations on JSON: fields, rows, events


def nothing(value: Any) -> None:
    """Leave all as it is."""


def puts(*path: Any, **fields: Any) -> Change:
    """Set fields of the object at a path."""
    return at(path, lambda value: value.update(fields))


def drops(*path: Any) -> Change:
    """Leave out what stands at a path."""
    *way, last = path
    return at(way, lambda value: value.__delitem__(last))


def turns(*path: Any) -> Change:
    """Put something else of the same kind in the place of what stands at a path."""
    *way, last = path
    return at(way, lambda value: value.__setitem__(last, other(value[last])))


def appends(row: Any, *path: Any) -> Change:
    """Append a row to the list at a path."""
    return at(path, lambda rows: rows.append(row))


def repeats(source: int, to: int, *path: Any) -> Change:
    """Insert a row of the list at a path once more."""
    return at(path, lambda rows: rows.insert(to, rows[source]))


def reverses(*path: Any) -> Change:
    """Reverse the list at a path."""
    return at(path, list.reverse)


def pops(*path: Any) -> Change:
    """Drop the last row of the list at a path."""
    return at(path, list.pop)


def clears(*path: Any) -> Change:
    """Empty what stands at a path."""
    return at(path, lambda value: value.clear())


def at(path: Sequence[Any], change: Change) -> Change:
    """Change what stands at a path."""

    def changes(value: Any) -> None:
        for step in path:
            value = value[step]
        change(value)

    return changes


def both(*changes: Change) -> Change:
    """Make one change after the other."""

    def change(value: Any) -> None:
        for step in changes:
            step(value)

    return change


def resigns(place: int, **fields: Any) -> Change:
    """Set fields of a checkpoint and sign it, whatever it says."""

    def change(value: Any) -> None:
        point = value["checkpoints"][place] | fields
        head = {name: point[name] for name in ("game", "hash", "time", "version")}
        value["checkpoints"][place] = signed_head(head)

    return change


def signed_head(head: Mapping[str, Any], host: Host = HOST) -> dict[str, Any]:
    """A head under a host's signature."""
    return {**head, "key": host.id, "signature": host.sign(b"wardroom-checkpoint-v1\n" + canonical(dict(head)))}


# Operations on the history


def of(number: int, **fields: Any) -> Change:
    """Set fields of an event."""
    return puts(number - 1, **fields)


def data(number: int, **fields: Any) -> Change:
    """Set fields of the data of an event."""
    return puts(number - 1, "data", **fields)


def leaf(number: int, **fields: Any) -> Change:
    """Set fields of what a leaf says."""
    return puts(number - 1, "sealed", 0, "data", **fields)


def of_type(kind: str, **fields: Any) -> Change:
    """Set fields of the data of the first event of a type."""
    return lambda events: next(event for event in events if event["type"] == kind)["data"].update(fields)


def shuts(number: int) -> Change:
    """Shut the leaves of an event."""

    def change(events: Any) -> None:
        for sealed in events[number - 1]["sealed"]:
            del sealed["data"], sealed["salt"]

    return change


def moves(source: int, to: int) -> Change:
    """Put one event in the place of another; all are numbered and dated anew."""

    def change(events: Any) -> None:
        times = [event["at"] for event in events]
        events.insert(to - 1, events.pop(source - 1))
        for number, (event, time) in enumerate(zip(events, times, strict=True), 1):
            event.update(version=number, at=time)

    return change


def inserts(place: int, event: Mapping[str, Any], **fields: Any) -> Change:
    """Insert an event after that of a number; all are numbered anew."""

    def change(events: Any) -> None:
        events.insert(place, {**event, "at": events[place - 1]["at"], **fields})
        for number, following in enumerate(events, 1):
            following["version"] = number

    return change


def twice(number: int) -> Change:
    """Tell an event twice."""
    return lambda events: inserts(number, events[number - 1])(events)


def leaves_out(number: int) -> Change:
    """Leave an event out and number the others anew."""

    def change(events: Any) -> None:
        del events[number - 1]
        for place, event in enumerate(events, 1):
            event["version"] = place

    return change


def ends_before(number: int) -> Change:
    """End the history before an event."""
    return lambda events: events[: number - 1]


def causes_from(number: int) -> Change:
    """Give the causes of all events from a number on other names, which no rule forbids."""

    def change(events: Any) -> None:
        for event in events[number - 1 :]:
            event["cause"] = f"another-{event['cause']}"

    return change


# Operations on bytes


def becomes(content: bytes) -> Change:
    """Put other bytes there."""
    return lambda value: content


def replaces(old: bytes, new: bytes) -> Change:
    """Replace bytes in one place."""

    def change(content: bytes) -> bytes:
        assert old in content
        return content.replace(old, new, 1)

    return change


def rewrites(old: bytes, new: bytes) -> Change:
    """Replace bytes in one place of a JSON file as it is written."""

    def change(value: Any) -> bytes:
        return document(value).replace(old, new, 1)

    return change


def flips(place: int, bit: int) -> Change:
    """Flip a bit."""
    return lambda raw: raw[:place] + bytes([raw[place] ^ 1 << bit]) + raw[place + 1 :]


def cuts(end: int) -> Change:
    """Keep the bytes before a place."""
    return lambda raw: raw[:end]


def line(number: int, change: Callable[[bytes], bytes]) -> Change:
    """Change the line of an event as it is written."""

    def changes(content: bytes) -> bytes:
        lines = content.split(b"\n")
        lines[number - 1] = change(lines[number - 1])
        return b"\n".join(lines)

    return changes


def lines(change: Callable[[list[bytes]], object]) -> Change:
    """Change the list of all lines."""

    def changes(content: bytes) -> bytes:
        found = content.split(b"\n")
        change(found)
        return b"\n".join(found)

    return changes


def edits(number: int, change: Change) -> Change:
    """Change an event in its line, canonical as before, and make nothing fit."""

    def changed(text: bytes) -> bytes:
        event = json.loads(text)
        change(event)
        return canonical(event)

    return line(number, changed)
