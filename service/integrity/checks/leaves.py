"""Leaves: there is one for each that an event seals, its owner's, under its key, and it says what was committed to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from domain.engine.game import NOBODY
from domain.history.envelope import commitment
from service.integrity.checks.findings import Finding, Place
from service.kernel.encryption import KEY_ID_BYTES, Unreadable
from service.store.across.audit_rows import AuditedLeaf, Rows
from service.store.event_store.streams import Streams


@dataclass(frozen=True, slots=True)
class Opened:
    """The leaves of a game: what each says ({"data", "salt"}); of those whose key is not at hand, its id."""

    contents: dict[Place, dict[str, Any]]
    lost: dict[Place, bytes]
    findings: list[Finding]


def open_all(streams: Streams, rows: Rows, entries: Sequence[dict[str, Any]]) -> Opened:
    """Open all leaves of a game whose chain holds, and compare them with what its events seal."""
    kept = {(row.version, row.number): row for row in rows.leaves}
    done = Opened({}, {}, [])
    for entry in entries:
        for number, leaf in enumerate(entry["sealed"]):
            place = (entry["version"], number)
            row = kept.pop(place, None)
            missing = [("", "The event seals it, and it is missing.")]
            faults = missing if row is None else _faults(streams, rows, row, leaf, done)
            done.findings.extend(_finding(rows, place, *fault) for fault in faults)
    done.findings.extend(_finding(rows, place, "", "No event seals it.") for place in kept)
    return done


def _finding(rows: Rows, place: Place, column: str, sentence: str) -> Finding:
    return Finding("history", rows.game, "leaves", f"{place[0]}/{place[1]}", column, sentence, place[0])


def _faults(
    streams: Streams, rows: Rows, row: AuditedLeaf, leaf: dict[str, Any], done: Opened
) -> Iterator[tuple[str, str]]:
    owner = NOBODY if row.owner is None else row.owner
    if owner != leaf["for"]:
        yield "owner", f"The event seals it for {_whom(leaf['for'])}."
    place = (row.version, row.number)
    key = bytes(row.sealed[:KEY_ID_BYTES])
    if key not in streams.sealer.masters:
        done.lost[place] = key
    try:
        contents = streams.open_leaf(rows.game, *place, row.sealed)
        fits = commitment(bytes.fromhex(contents["salt"]), contents["data"]) == leaf["commitment"]
    except Unreadable as error:
        yield "sealed", f"It cannot be opened: {error}."
    except (msgspec.MsgspecError, ValueError, KeyError, TypeError):
        yield "sealed", "What it holds is no leaf."
    else:
        done.contents[place] = contents
        if not fits:
            yield "sealed", "What it says does not fit the commitment of its event."


def against(rows: Rows, opening: Mapping[Place, int | None]) -> Iterator[Finding]:
    """Whether each is opened to everybody by the event that did so in the history, and by no other."""
    for row in rows.leaves:
        place = (row.version, row.number)
        right = opening[place]
        if row.opened == right:
            continue
        found = _finding(
            rows, place, "opened", "The history opens it to nobody." if right is None else f"Event {right} opened it."
        )
        yield replace(found, weight="projection") if row.opened is None else found


def _whom(owner: Any) -> str:
    return "nobody" if owner == NOBODY else f"seat {owner}"
