"""The row of a game: its head is the last event, the rest of it and the state beside it are the fold of the history."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import msgspec

from domain.table import events as e
from domain.table.evolve import copy
from domain.table.state import Table
from service.integrity.checks.findings import Finding, Weight
from service.integrity.checks.history_walk import Walk
from service.kernel.clock import SECOND, from_text, text
from service.kernel.encryption import Unreadable
from service.store.across.audit_rows import AuditedHead, Rows
from service.store.event_store.states import decode_state
from service.store.event_store.stream_rows import DEADLINE_MOVED
from service.store.event_store.streams import Streams


def findings(rows: Rows) -> Iterator[Finding]:
    """Whether the head is the last event: what can be said before the history is gone through."""
    if rows.head is None:
        yield _finding(rows, "history", "", "The row of the game is gone.")
    elif rows.events:
        last, head = rows.events[-1], rows.head
        if head.version != last.version:
            told = f"It is {head.version}, and the last event is {last.version}"
            yield _finding(
                rows, "history", "version", f"{told}: a restore took back one without the other, or it was changed."
            )
        elif head.hash != last.hash:
            yield _finding(rows, "history", "hash", f"It is not the hash of event {last.version}.")


def project(rows: Rows, head: AuditedHead, entries: Sequence[Mapping[str, Any]], walk: Walk) -> dict[str, Any]:
    """The columns of the row that follow from the history, as they should be."""
    table = walk.table
    until = head.paused_until
    right = {
        "ruleset": table.ruleset,
        "status": table.status,
        "public": table.public,
        "host": table.host,
        "created_at": from_text(entries[0]["at"]),
        "last_at": _last_at(entries, moved=False),
        "clock_at": _last_at(entries, moved=True),
    }
    if table.status != "running":
        return right
    stopped = next((n for n in reversed(range(len(walk.events))) if isinstance(walk.events[n], e.ClockPaused)), None)
    event = None if stopped is None else walk.events[stopped]
    if not table.paused or not isinstance(event, e.ClockPaused) or stopped is None or not event.seconds:
        return right | {"paused_until": None}
    agreed = from_text(entries[stopped]["at"]) + event.seconds * SECOND
    near = until is not None and abs(until - agreed) <= 600 * SECOND  # a clock set back by hand makes some difference
    return right | {"paused_until": until if near else agreed}


def _last_at(entries: Sequence[Mapping[str, Any]], *, moved: bool) -> int:
    """Return the time of the last event that moved deadlines alone, or of the last other one; 0 for none."""
    found = (entry for entry in reversed(entries) if (entry["type"] == DEADLINE_MOVED) == moved)
    return next((from_text(entry["at"]) for entry in found), 0)


def against(rows: Rows, head: AuditedHead, right: Mapping[str, Any]) -> Iterator[Finding]:
    """Columns that are not what they should be."""
    for column, value in right.items():
        if getattr(head, column) != value:
            shown = text(value) if column.endswith(("_at", "_until")) and value is not None else value
            yield _finding(rows, "projection", column, f"By the history it is {shown}.")


def state(streams: Streams, rows: Rows, head: AuditedHead, walk: Walk) -> Iterator[Finding]:
    """Whether the state is the fold of the history."""
    rules = walk.kept.rules
    try:
        kept = decode_state(rules, streams.sealer.open(rows.game, f"{rows.game}|state", head.state))
    except Unreadable as error:
        yield _finding(rows, "projection", "state", f"It cannot be opened: {error}.")
    except (msgspec.MsgspecError, ValueError, TypeError):
        yield _finding(rows, "projection", "state", "What it holds is no state of this ruleset.")
    else:
        others = _differences(copy(kept, rules), copy(walk.table, rules))
        if others:
            yield _finding(rows, "projection", "state", f"It is not the fold of the history: {', '.join(others)}.")


def _differences(kept: Table, right: Table) -> list[str]:
    """The names of what differs: the values may be secrets."""
    return [field.name for field in fields(Table) if getattr(kept, field.name) != getattr(right, field.name)]


def _finding(rows: Rows, weight: Weight, column: str, sentence: str) -> Finding:
    return Finding(weight, rows.game, "games", rows.game, column, sentence)
