"""Check decisions: question, player and deadline against the history, the other columns against bounds."""

from collections.abc import Iterator
from typing import Any

from domain.table.clock import Question
from service.clocks.hours import Hours
from service.clocks.policy import EARLIER, REMIND_AGAIN, Policy, policy
from service.clocks.seat_clocks import ALWAYS
from service.integrity.checks.findings import Finding
from service.integrity.checks.history_walk import Walk
from service.kernel.clock import from_text, text
from service.store.across.audit_rows import Rows
from service.store.clocks.decisions import Decision

Wrong = tuple[str, str]
"""A column, and what is wrong with it."""


def findings(rows: Rows, walk: Walk) -> Iterator[Finding]:
    """Yield the faults of the decisions of a game."""
    kept = {row.seat: row for row in rows.decisions}
    clock = policy(walk.table.clock)
    for seat in sorted(walk.last.keys() | kept.keys()):
        if seat not in kept:
            yield _finding(rows, seat, "", f"It is missing: the answer is owed since event {walk.last[seat].since}.")
        elif seat not in walk.last:
            yield _finding(rows, seat, "", "Nothing is owed by this seat.")
        else:
            asked, row = walk.last[seat], kept[seat]
            wrong = [*_check_history(row, asked)] or [*_check_rest(row, clock, rows.now)]
            yield from (_finding(rows, seat, *fault) for fault in wrong)


def from_history(asked: Question) -> dict[str, Any]:
    """Return the columns of a decision that the history tells, times in microseconds."""
    return {
        "decision": asked.decision,
        "since": asked.since,
        "player_id": asked.player,
        "began_at": from_text(asked.began),
        "due_at": None if asked.due is None else from_text(asked.due),
    }


def _check_history(row: Decision, asked: Question) -> Iterator[Wrong]:
    """Yield columns that differ from the history."""
    for column, value in from_history(asked).items():
        if getattr(row, column) != value:
            shown = text(value) if column.endswith("_at") and value is not None else value
            yield column, f"By the history it is {shown}."


def _check_rest(row: Decision, clock: Policy, now: int) -> Iterator[Wrong]:
    """Yield columns of the person and the sweep that are out of bounds; nothing tells them exactly."""
    if _hours(row, clock) is None:
        yield "hours", "They are none, or the game has no such hours."
    due, acts = row.due_at, row.acts_at
    if (due is None) != (acts is None):
        yield "acts_at", "The caretaker acts where a deadline is, and nowhere else."
    elif due is None:
        yield from _check_stopped(row, clock)
    else:
        yield from _check_running(row, clock, due, acts or 0, now)


def _check_stopped(row: Decision, clock: Policy) -> Iterator[Wrong]:
    for column in ("remind_at", "bank_from"):
        if getattr(row, column) is not None:
            yield column, "The clock stands."
    for column, most in (("left", None), ("left_bank", clock.bank)):
        left = getattr(row, column)
        if left is None or left < 0 or (most is not None and left > most + clock.per_move):
            yield column, "It is not what can be left while the clock stands."


def _check_running(row: Decision, clock: Policy, due: int, acts: int, now: int) -> Iterator[Wrong]:
    for column in ("stopped_at", "left", "left_bank"):
        if getattr(row, column) is not None:
            yield column, "The clock runs."
    if not due + clock.grace <= acts <= max(due, now) + clock.grace + REMIND_AGAIN:
        yield "acts_at", "It is not the deadline and the grace."
    is_looked_at = row.remind_at in (None, 0)
    if not is_looked_at and not row.began_at - EARLIER <= (row.remind_at or 0) <= max(due, now) + REMIND_AGAIN:
        yield "remind_at", "It is not while the answer is owed."
    if (row.bank_from is None) != (not clock.bank) or (row.bank_from or 0) > due:
        yield "bank_from", "It is not when the time of the move is used up."


def _hours(row: Decision, clock: Policy) -> Hours | None:
    if row.hours is None:
        return ALWAYS
    try:
        return None if clock.plain else Hours.read(row.hours)
    except (ValueError, KeyError):
        return None


def _finding(rows: Rows, seat: int, column: str, sentence: str) -> Finding:
    return Finding("projection", rows.game, "decisions", f"{seat}", column, sentence)
