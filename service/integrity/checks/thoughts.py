"""Thoughts: the bots that think are those the history asks, about what it asks."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from service.clocks.hours import DAY
from service.integrity.checks.findings import Finding
from service.integrity.checks.history_walk import Thinking, Walk
from service.kernel.clock import from_text
from service.store.across.audit_rows import Rows
from service.store.games.thoughts import Thought

WORK: Final = ("turn_at", "not_before", "lease_until")
"""When a worker takes it up, and how long it has it: no farther ahead than a day."""


def findings(rows: Rows, entries: Sequence[Any], walk: Walk) -> Iterator[Finding]:
    """Rows that are not what they should be."""
    kept = {row.seat: row for row in rows.thoughts}
    for seat in sorted(walk.thinking.keys() | kept.keys()):
        if seat not in kept:
            since = walk.thinking[seat].since
            yield _finding(rows, seat, "", f"It is missing: the bot is asked since event {since}.")
        elif seat not in walk.thinking:
            yield _finding(rows, seat, "", "No bot is asked here.")
        else:
            yield from _check(rows, kept[seat], walk.thinking[seat], entries)


def project(thinking: Thinking, entries: Sequence[Any]) -> dict[str, Any]:
    """The columns that follow from the history."""
    bot = thinking.asked.bot
    return {
        "since": thinking.since,
        "decision": thinking.asked.decision,
        "strength": bot.strength,
        "temper": bot.temper,
        "began_at": from_text(entries[thinking.since - 1]["at"]),
    }


def _check(rows: Rows, row: Thought, thinking: Thinking, entries: Sequence[Any]) -> Iterator[Finding]:
    for column, value in project(thinking, entries).items():
        if getattr(row, column) != value:
            yield _finding(rows, row.seat, column, f"By the history it is {value}.")
    for column in WORK:
        when = getattr(row, column)
        if not isinstance(when, int) or not 0 <= when <= rows.now + DAY:
            yield _finding(rows, row.seat, column, "It is more than a day ahead: no worker would ever take it up.")


def _finding(rows: Rows, seat: int, column: str, sentence: str) -> Finding:
    return Finding("projection", rows.game, "thoughts", f"{seat}", column, sentence)
