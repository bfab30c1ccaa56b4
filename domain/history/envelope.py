"""The envelope every event is stored in: canonical form, hash chain, sealed leaves.

What is hashed is the canonical JSON of the envelope without its own hash and without the contents of its leaves, so a
history with leaves left out still verifies.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from domain.engine.canonical import NotCanonical, canonical, read_json
from domain.engine.game import NOBODY, Seat

GENESIS: Final = "0" * 64
"""What stands for the previous hash in a game's first event."""
EVENT_PREFIX: Final = b"wardroom-event-v1\n"
"""What stands in front of an event where it is hashed, as nothing else that is hashed begins."""
SALT_BYTES: Final = 32
HASH_BYTES: Final = 32
TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
HOUR_AT: Final = 11
"""Where the hour stands in a time."""
FIELDS: Final = frozenset(
    {"game", "version", "type", "schema", "actor", "cause", "at", "data", "sealed", "previous", "hash"}
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """Data sealed for one owner (a seat, or NOBODY), and the salt that keeps its commitment from being guessed."""

    owner: Seat | str
    data: dict[str, Any]
    salt: bytes

    @property
    def commitment(self) -> str:
        """SHA-256 hex over salt and canonical data: tells nothing, binds for ever (T-4A)."""
        return commitment(self.salt, self.data)


def commitment(salt: bytes, data: Mapping[str, Any]) -> str:
    """What an envelope shows of a leaf: SHA-256 hex over its salt and its canonical data."""
    return hashlib.sha256(b"wardroom-leaf-v1\n" + salt + canonical(data)).hexdigest()


def event_hash(body: bytes) -> str:
    """The hash of an event, hex, from the canonical bytes of its envelope."""
    return hashlib.sha256(EVENT_PREFIX + body).hexdigest()


def hashed_part(event: Mapping[str, Any]) -> bytes:
    """The canonical bytes of an event as exported: all but its hash and its leaves' contents."""
    bare = {key: value for key, value in event.items() if key != "hash"}
    bare["sealed"] = [{"for": leaf["for"], "commitment": leaf["commitment"]} for leaf in event["sealed"]]
    return canonical(bare)


class BrokenHistory(Exception):
    """A history that does not verify. `version` is the first bad event, None for the file around it."""

    def __init__(self, version: int | None, reason: str) -> None:
        super().__init__(reason if version is None else f"event {version}: {reason}")
        self.version = version
        self.reason = reason


def read_export(lines: Iterable[str | bytes]) -> list[dict[str, Any]]:
    """The events of an export, chain and opened leaves checked, in order.

    Raises BrokenHistory naming the first bad event: not canonical JSON, unknown or missing fields, a gap, a broken
    chain, a leaf that does not fit its commitment, an end line that tells another story (DESIGN 3, S-40, T-4B).
    """
    entries, faults = survey(lines)
    for fault in faults:
        raise fault
    return entries


def survey(lines: Iterable[str | bytes]) -> tuple[list[Any], list[BrokenHistory]]:
    """What stands in the lines of an export, the end line aside, and all that is wrong with it, one fault an event.

    An entry that is not even JSON is None, and what follows it is checked all the same.
    """
    entries: list[Any] = []
    faults: list[BrokenHistory] = []
    end: Any = None
    ended = False
    for line in lines:
        if ended:
            faults.append(BrokenHistory(None, "there is something after the end line"))
            break
        version = len(entries) + 1
        try:
            entry = _read(line)
        except NotCanonical as error:
            faults.append(BrokenHistory(version, str(error)))
            entry = None
        if isinstance(entry, dict) and set(entry) == {"end"}:
            end, ended = entry["end"], True
            continue
        if entry is not None or not faults or faults[-1].version != version:
            for reason in _faults(entry, version, entries[-1] if entries else None):
                faults.append(BrokenHistory(version, reason))
                break
        entries.append(entry)
    if not entries:
        faults.append(BrokenHistory(None, "there is no event in it"))
    elif not ended or not _closes(end, entries):
        reason = "it does not close with the end line of its last event: it was cut or lengthened"
        faults.append(BrokenHistory(None, reason))
    return entries, faults


def _read(line: str | bytes) -> Any:
    line = line.encode(errors="surrogatepass") if isinstance(line, str) else line
    entry = read_json(line)
    if canonical(entry) != line.removesuffix(b"\n"):
        raise NotCanonical("it is JSON, but not in its canonical form")
    return entry


def _closes(end: Any, entries: list[Any]) -> bool:
    last = entries[-1]["hash"] if is_event(entries[-1]) else None
    return canonical(end) == canonical({"version": len(entries), "hash": last})


def is_event(entry: Any) -> bool:
    """Whether it has exactly the fields of an event."""
    return isinstance(entry, dict) and set(entry) == FIELDS


def _faults(entry: Any, version: int, before: Any) -> Iterator[str]:
    """What is wrong with an event at its place; `before` is the entry before it, which may be none of an event's."""
    if not is_event(entry):
        yield "it does not have exactly the fields of an event"
        return
    if type(entry["version"]) is not int or entry["version"] != version:
        yield f"its version is {str(entry['version'])[:20]}"
    for name, fits in FORMS.items():
        if not fits(entry[name]):
            yield f"its “{name}” has the wrong form"
    follows = is_event(before)
    if follows and entry["game"] != before["game"]:
        yield "it belongs to another game"
    if entry["previous"] != (before["hash"] if follows else GENESIS) and (follows or version == 1):
        yield "it does not follow the hash of the event before it"
    for number, leaf in enumerate(entry["sealed"]):
        yield from (f"leaf {number}: {fault}" for fault in _leaf_faults(leaf))
    if entry["hash"] != event_hash(hashed_part(entry)):
        yield "its hash is not the hash of what it says"
    if follows and isinstance(before["at"], str) and entry["at"] < before["at"]:
        yield "it is older than the event before it"


def _leaf_faults(leaf: Any) -> Iterator[str]:
    shape = set(leaf) if isinstance(leaf, dict) else set()
    if shape not in ({"for", "commitment"}, {"for", "commitment", "data", "salt"}):
        yield "it does not have the fields of a leaf"
    elif leaf["for"] != NOBODY and not (type(leaf["for"]) is int and leaf["for"] >= 0):
        yield "it is for no seat"
    elif not _is_hex(leaf["commitment"], HASH_BYTES):
        yield "its commitment has the wrong form"
    elif "salt" in leaf:
        if not _is_hex(leaf["salt"], SALT_BYTES) or not isinstance(leaf["data"], dict):
            yield "its salt or its data has the wrong form"
        elif leaf["commitment"] != commitment(bytes.fromhex(leaf["salt"]), leaf["data"]):
            yield "what it says does not fit its commitment"


def _is_hex(value: Any, size: int) -> bool:
    return isinstance(value, str) and len(value) == 2 * size and set(value) <= set("0123456789abcdef")


def is_time(value: Any) -> bool:
    """Whether a value is a time as events have it: one that calendar and clock know, without leap seconds."""
    if not isinstance(value, str) or TIME.fullmatch(value) is None:
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return not value.startswith("24", HOUR_AT)  # midnight by another name, where Python reads it


def is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_actor(value: Any) -> bool:
    if not isinstance(value, dict) or len(value) != 1:
        return False
    ((who, which),) = value.items()
    return who in ACTORS and ACTORS[who](which)


def is_number(value: Any) -> bool:
    return type(value) is int and value >= 0


ACTORS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "seat": is_number,
    "chance": is_number,
    "clock": lambda value: value is True,
    "host": is_text,
    "operator": lambda value: value is True,
}
FORMS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "game": is_text,
    "type": is_text,
    "schema": is_number,
    "actor": _is_actor,
    "cause": is_text,
    "at": is_time,
    "data": lambda value: isinstance(value, dict),
    "sealed": lambda value: isinstance(value, list),
}
"""What the fields of an event look like, besides those that the chain checks (S-40)."""
