"""The journal of the operator's acts: no line is missing, no reason is another than was written, and journal and
histories tell of the same acts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from domain.table.record import OPERATOR
from service.integrity.checks.findings import Finding
from service.store.across.audit_rows import Rows
from service.store.database import Connection
from service.store.running import operator_acts


def findings(connection: Connection) -> Iterator[Finding]:
    """One for each gap in the numbers, and for each reason that its line does not vouch for."""
    expected = 1
    for act in operator_acts.every(connection):
        if act.number != expected:
            gap = f"{expected}" if act.number == expected + 1 else f"{expected} to {act.number - 1}"
            sentence = f"The lines before it are missing: {gap}."
            yield Finding("witness", "", "operator_acts", f"{act.number}", "number", sentence)
        if not act.holds:
            sentence = "It is not the reason that was written with the act."
            yield Finding("witness", act.game_id or "", "operator_reasons", f"{act.number}", "why", sentence)
        expected = act.number + 1


def against(rows: Rows, entries: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Events of the operator in a history that no line tells of, and lines that tell of none."""
    told = {_first_event(act.outcome): act.number for act in rows.acts}
    causes: set[str] = set()
    recorded: set[int] = set()
    for entry in entries:
        if entry["actor"] == OPERATOR and entry["cause"] not in causes:
            causes.add(entry["cause"])
            recorded.add(entry["version"])
    for version in sorted(recorded - told.keys()):
        sentence = "The operator did this, and no line of the journal says who and why."
        yield Finding("witness", rows.game, "operator_acts", "", "", sentence, version)
    for version in sorted(told.keys() - recorded - {0}):
        sentence = f"It tells of an act with event {version}, which is no act of the operator's."
        yield Finding("witness", rows.game, "operator_acts", f"{told[version]}", "outcome", sentence, version)


def _first_event(outcome: str) -> int:
    """The first event of an act; 0 for one that recorded none, -1 for what cannot be read."""
    try:
        first = msgspec.json.decode(outcome).get("from", 0)
    except (msgspec.MsgspecError, AttributeError, ValueError):
        return -1
    return first if type(first) is int else -1
