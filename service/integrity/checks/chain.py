"""Events: each says what it was hashed with, they follow one another without a gap, and the head is the last."""

from collections.abc import Iterator
from typing import Any, Final

from domain.engine.canonical import NotCanonical, canonical, read_json
from domain.history.envelope import FIELDS, GENESIS, TIME, event_hash
from service.integrity.checks.findings import Finding
from service.store.across.audit_rows import AuditedEvent, Rows, raw

BODY: Final = FIELDS - {"hash"}
NOT_CANONICAL: Final = "not in its canonical form"


def entry_of(row: AuditedEvent) -> Any:
    """The event in a stored body. Raises NotCanonical."""
    body = raw(row.body)
    entry = read_json(body)
    if canonical(entry) != body:
        raise NotCanonical(NOT_CANONICAL)
    return entry


def entries(rows: Rows) -> list[dict[str, Any]]:
    """The events of a game whose chain holds, as they were hashed."""
    return [entry_of(row) for row in rows.events]


def findings(rows: Rows) -> Iterator[Finding]:
    """The first fault of each event of a game."""
    previous: str | None = GENESIS
    due = 1
    at = ""
    for place, row in enumerate(rows.events):
        version = row.version
        if version != due:
            several = f"Events {due} to {version - 1} are" if version > due + 1 else f"Event {due} is"
            yield _finding(rows, due, "", f"{several} missing.")
            previous = None
        entry = _read(row)
        column, sentence = _fault(rows, place, entry, previous, at)
        if sentence:
            yield _finding(rows, version, column, sentence)
        previous, due = row.hash, version + 1
        at = _time_of(entry) or at
    if not rows.events:
        yield _finding(rows, 1, "", "There is not one event of this game.")


def _finding(rows: Rows, version: int, column: str, sentence: str) -> Finding:
    return Finding("history", rows.game, "events", f"{version}", column, sentence, version)


def _read(row: AuditedEvent) -> Any:
    """What a stored body says, in canonical form or not; what is wrong with it where it cannot be hashed."""
    try:
        return read_json(raw(row.body))
    except NotCanonical as error:
        return error


def _fault(rows: Rows, place: int, entry: Any, previous: str | None, at: str) -> tuple[str, str]:
    """The column and what is wrong with it; `entry` is what the body says as `_read` tells it, `previous` is None after
    a gap, where nothing can be said of it."""
    row = rows.events[place]
    digest = event_hash(raw(row.body))
    if digest != row.hash:
        if _known_hash(rows, place) == digest:
            return "hash", "It was changed: what the event says has another hash, to which the next one testifies."
        return "body", "It was changed: it does not have the hash it was kept with."
    if isinstance(entry, NotCanonical):
        return "body", f"It is {entry}."
    if canonical(entry) != raw(row.body):
        return "body", f"It is {NOT_CANONICAL}."
    if not isinstance(entry, dict) or set(entry) != BODY:
        return "body", "It does not have exactly the fields of an event."
    if entry["version"] != row.version:
        return "version", f"What it says is event {str(entry['version'])[:20]}."
    if entry["game"] != rows.game:
        return "game_id", f"What it says belongs to game {str(entry['game'])[:80]}."
    if entry["type"] != row.type:
        return "type", f"What it says is a {str(entry['type'])[:80]}."
    if previous is not None and entry["previous"] != previous:
        return "body", "It does not follow the hash of the event before it: what stood before it was another."
    if not isinstance(entry["at"], str) or TIME.fullmatch(entry["at"]) is None or entry["at"] < at:
        return "body", "Its time is none, or is before that of the event before it."
    return "", ""


def _known_hash(rows: Rows, place: int) -> Any:
    """The hash that others know of an event: the next one, or the head and its checkpoint."""
    if place + 1 < len(rows.events):
        try:
            following = read_json(raw(rows.events[place + 1].body))
        except NotCanonical:
            return None
        return following.get("previous") if isinstance(following, dict) else None
    return None if rows.head is None else rows.head.hash


def _time_of(entry: Any) -> str | None:
    at = entry.get("at") if isinstance(entry, dict) else None
    return at if isinstance(at, str) else None
