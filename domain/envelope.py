"""The envelope every event is stored in: canonical form, hash chain, sealed leaves.

What is hashed is the canonical JSON of the envelope without its own hash and without the contents of its leaves, so a
history with leaves left out still verifies.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from domain.canonical import NotCanonical, canonical, read_json
from domain.decider import NOBODY, Seat

GENESIS: Final = "0" * 64
"""What stands for the previous hash in a game's first event."""
SALT_BYTES: Final = 32
HASH_BYTES: Final = 32
TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
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
    return hashlib.sha256(b"wardroom-event-v1\n" + body).hexdigest()


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
    events: list[dict[str, Any]] = []
    end: Any = None
    ended = False
    for line in lines:
        if ended:
            raise BrokenHistory(None, "there is something after the end line")
        version = len(events) + 1
        try:
            entry = read_json(line)
        except NotCanonical as error:
            raise BrokenHistory(version, str(error)) from error
        if isinstance(entry, dict) and set(entry) == {"end"}:
            end, ended = entry["end"], True
        else:
            _check(entry, version, events[-1] if events else None)
            events.append(entry)
    if not events:
        raise BrokenHistory(None, "there is no event in it")
    if not ended or canonical(end) != canonical({"version": len(events), "hash": events[-1]["hash"]}):
        raise BrokenHistory(None, "it does not close with the end line of its last event: it was cut or lengthened")
    return events


def _check(entry: Any, version: int, before: dict[str, Any] | None) -> None:
    if not isinstance(entry, dict) or set(entry) != FIELDS:
        raise BrokenHistory(version, "it does not have exactly the fields of an event")
    for reason in _faults(entry, version, before):
        raise BrokenHistory(version, reason)


def _faults(entry: dict[str, Any], version: int, before: dict[str, Any] | None) -> Iterator[str]:
    if type(entry["version"]) is not int or entry["version"] != version:
        yield f"its version is {str(entry['version'])[:20]}"
    for name, fits in FORMS.items():
        if not fits(entry[name]):
            yield f"its “{name}” has the wrong form"
    if before is not None and entry["game"] != before["game"]:
        yield "it belongs to another game"
    if entry["previous"] != (before["hash"] if before else GENESIS):
        yield "it does not follow the hash of the event before it"
    for number, leaf in enumerate(entry["sealed"]):
        yield from (f"leaf {number}: {fault}" for fault in _leaf_faults(leaf))
    if entry["hash"] != event_hash(hashed_part(entry)):
        yield "its hash is not the hash of what it says"
    if before is not None and entry["at"] < before["at"]:
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


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_actor(value: Any) -> bool:
    return isinstance(value, dict) and len(value) == 1 and set(value) <= {"seat", "chance", "clock", "host"}


FORMS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "game": _is_text,
    "type": _is_text,
    "schema": lambda value: type(value) is int,
    "actor": _is_actor,
    "cause": _is_text,
    "at": lambda value: isinstance(value, str) and TIME.fullmatch(value) is not None,
    "data": lambda value: isinstance(value, dict),
    "sealed": lambda value: isinstance(value, list),
}
"""What the fields of an event look like, besides those that the chain checks (S-40)."""
