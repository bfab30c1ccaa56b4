"""The house log: every game that was opened or ended, in a list that only grows (docs/audit/log.md).

Who kept two heads of it can tell that nothing was taken out in between.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn

from domain.audit.merkle import extends, includes, leaf_hash
from domain.audit.signing_keys import Genuine
from domain.engine.canonical import canonical
from domain.history.envelope import is_time

HEADER: Final = "Wardroom-Log"
OPENED: Final = "opened"
ENDED: Final = "ended"
_FORMS: Final = {
    "v": re.compile("1"),
    "size": re.compile("[1-9][0-9]{0,15}"),
    "time": re.compile(".+"),
    "root": re.compile("[0-9a-f]{64}"),
    "key": re.compile("[0-9a-f]{16}"),
    "signature": re.compile("[0-9a-f]{128}"),
}


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A game was opened, with event 1, or ended, with its last event; `time` is that event's."""

    what: Literal["opened", "ended"]
    game: str
    version: int
    hash: str
    time: str

    def document(self) -> dict[str, Any]:
        """Its JSON form, which is hashed."""
        return {name: getattr(self, name) for name in ("game", "hash", "time", "version", "what")}

    def leaf(self) -> bytes:
        """Its hash in the tree."""
        return leaf_hash(canonical(self.document()))


@dataclass(frozen=True, slots=True)
class LogHead:
    """The log at one size: its root in hex, when it had that size, and the host's signature under a key."""

    size: int
    time: str
    root: str
    key: str = ""
    signature: str = ""

    def message(self) -> bytes:
        """What a signature of it is made of."""
        return b"wardroom-log-v1\n" + canonical({"root": self.root, "size": self.size, "time": self.time})

    def document(self) -> dict[str, Any]:
        """Its JSON form."""
        return {name: getattr(self, name) for name in ("key", "root", "signature", "size", "time")}

    def header(self) -> str:
        """What a mail says of it in its header, on one line; it may be folded after any semicolon."""
        said = {"v": 1, **{name: getattr(self, name) for name in list(_FORMS)[1:]}}
        return "; ".join(f"{name}={value}" for name, value in said.items())


def read_log_header(value: str) -> LogHead:
    """The head in a mail's header, folded or not. Raises ValueError with a sentence."""
    pairs = [field.partition("=")[::2] for field in "".join(value.split()).split(";")]
    return _read(dict(pairs)) if len(pairs) == len(_FORMS) else _refuse()


def read_log_head(document: Any) -> LogHead:
    """The head in what /.well-known/wardroom-log answered. Raises ValueError with a sentence."""
    said = document.get("head", document) if isinstance(document, dict) else None
    if not isinstance(said, dict) or type(said.get("size")) is not int:
        return _refuse()
    return _read({"v": "1", **{name: str(value) for name, value in said.items()}})


def _read(said: Mapping[str, str]) -> LogHead:
    forms = said.keys() == _FORMS.keys() and all(form.fullmatch(said[name]) for name, form in _FORMS.items())
    if not forms or not is_time(said["time"]):
        return _refuse()
    return LogHead(int(said["size"]), said["time"], said["root"], said["key"], said["signature"])


def _refuse() -> NoReturn:
    raise ValueError(f"This is no head of a house log: save a mail with its header {HEADER}, or what the host answers "
                     "at /.well-known/wardroom-log, as it is.")  # fmt: skip


Check = tuple[str, str]
"""A verdict ("verified", "broken" or "unchecked") and a sentence."""


def check_head(head: LogHead, publics: Mapping[str, str] | None, genuine: Genuine) -> Check:
    """Whether the host signed a head, by the keys that count; None where none were noted."""
    name = f"the head of {head.size} entries of {head.time}"
    if publics is None:
        return "unchecked", f"{name}: give --keys to see whether the host signed it."
    if head.key not in publics or not genuine(publics[head.key], head.message(), head.signature):
        return "broken", f"{name} is not signed by a key you noted: it proves nothing."
    return "verified", f"{name} is signed by key {head.key}."


def check_growth(old: LogHead, new: LogHead, proof: Sequence[str]) -> Check:
    """Whether the log of one head is the beginning of the log of another, by the proof the host gave."""
    if old.size > new.size:
        return "broken", f"the log had {old.size} entries, and has {new.size}: it was cut, or the newer head is older."
    try:
        path = [bytes.fromhex(step) for step in proof]
    except (ValueError, TypeError):
        path = [b""]
    if not extends(old.size, new.size, path, bytes.fromhex(old.root), bytes.fromhex(new.root)):
        return (
            "broken",
            f"the log of {old.size} entries does not begin the one of {new.size}: it was rewritten.",
        )
    return "verified", f"the first {old.size} of {new.size} entries are as they were: none was taken out or changed."


def check_entry(entry: LogEntry, place: int, proof: Sequence[str], head: LogHead) -> Check:
    """Whether an entry is at its place in the log, by the proof the host gave."""
    name = f"entry {place}, that game {entry.game} was {entry.what} with event {entry.version},"
    try:
        path = [bytes.fromhex(step) for step in proof]
    except (ValueError, TypeError):
        path = [b""]
    if not includes(entry.leaf(), place, head.size, path, bytes.fromhex(head.root)):
        return "broken", f"{name} is not in the log."
    return "verified", f"{name} is in the log."


def check_log(
    log: Mapping[str, Any],
    head: LogHead,
    kept: Sequence[LogHead],
    publics: Mapping[str, str] | None,
    genuine: Genuine,
) -> Iterator[Check]:
    """Everything that the host's answer, with its `head`, shows about heads that were kept before."""
    for told in (*kept, head):
        yield check_head(told, publics, genuine)
    for old in kept:
        if old.size not in (log.get("from"), head.size):
            yield "broken", f"the host was not asked with ?from={old.size}: its answer proves nothing about that head."
        else:
            yield check_growth(old, head, log.get("consistency", []) if log.get("from") == old.size else [])
    for row in log.get("entries", []):
        yield _check_row(row, head)
    yield "unchecked", "that the host shows everybody this log: compare heads with the others at your table."


def _check_row(row: Any, head: LogHead) -> Check:
    try:
        entry = LogEntry(**row["entry"])
        if type(row["place"]) is int and isinstance(row["inclusion"], list):
            return check_entry(entry, row["place"], row["inclusion"], head)
    except (KeyError, TypeError):
        pass
    return "broken", "an entry of it is none."
