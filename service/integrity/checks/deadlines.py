"""Decisions: who is awaited is who the history awaits, and each deadline follows from what was kept with it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from domain.engine.game import Seat
from domain.table.state import Chair
from service.clocks.hours import Hours, scaled
from service.clocks.policy import EARLIER, REMIND_AGAIN, Policy, policy
from service.clocks.seat_clocks import ALWAYS, shown_for
from service.integrity.checks.checkpoints import signed_deadlines
from service.integrity.checks.findings import MENDED, Finding
from service.integrity.checks.history_walk import Owed, Walk
from service.kernel.clock import SECOND, from_text, text
from service.store.across.audit_rows import Rows
from service.store.clocks.decisions import Decision

GIVEN_AGAIN: Final = {"undelivered", "told-late"}
WHATS: Final = GIVEN_AGAIN | {
    MENDED, "paused", "resumed", "extended", "credited", "halted", "leave", "mending", "taken-back",
}  # fmt: skip
SAID: Final = frozenset({"what", "at", "was", "due", "left", "left_bank", "seconds", "alone", "since", "until"})
"""The fields of a change of a clock as it is written down."""
Change = Mapping[str, Any]
"""A change of a clock as it is written down, by SAID."""
Wrong = tuple[str, str]
"""A column, and what is wrong with it."""


def findings(rows: Rows, entries: Sequence[Any], walk: Walk) -> Iterator[Finding]:
    """Rows that are not what they should be."""
    kept = {row.seat: row for row in rows.decisions}
    clock = policy(walk.table.clock)
    for seat in sorted(walk.last.keys() | kept.keys()):
        if seat not in kept:
            yield _finding(rows, seat, "", f"It is missing: the answer is owed since event {walk.last[seat].since}.")
        elif seat not in walk.last:
            yield _finding(rows, seat, "", "Nothing is owed by this seat.")
        else:
            owed, row = walk.last[seat], kept[seat]
            began = from_text(entries[owed.since - 1]["at"])
            wrong = [*_check_owed(row, owed, walk.table.chairs[seat])] or [
                *_check_clock(rows, row, owed, clock, began, walk.table.paused)
            ]
            yield from (_finding(rows, seat, *fault) for fault in wrong)
            yield from () if wrong else _check_checkpoints(rows, row, owed)


def _check_checkpoints(rows: Rows, row: Decision, owed: Owed) -> Iterator[Finding]:
    """Checkpoints that tell of a deadline there never was, of a clock that is as it should be."""
    changes = read_changes(row.changes) or []
    if any(change["what"] == MENDED for change in changes):
        return
    trail = [due for both in _trail(row, changes) for due in both] or [row.due_at]
    known = {None if due is None else text(due) for due in trail}
    for version, due in signed_deadlines(rows, row.seat, owed.since):
        if due not in known:
            sentence = f"The deadline of seat {row.seat} was never {due}."
            yield Finding("witness", rows.game, "checkpoints", f"{version}", "deadlines", sentence, version)


def _check_owed(row: Decision, owed: Owed, chair: Chair) -> Iterator[Wrong]:
    right = {"decision": owed.decision, "since": owed.since, "player_id": chair.player}
    for column, value in right.items():
        if getattr(row, column) != value:
            yield column, f"By the history it is {value}."


def _check_clock(rows: Rows, row: Decision, owed: Owed, clock: Policy, began: int, paused: bool) -> Iterator[Wrong]:
    """The columns that do not follow: from when it began, from what has moved it since, from what checkpoints tell."""
    changes = read_changes(row.changes)
    if changes is None:
        yield "changes", "It cannot be read: it was changed."
        return
    done = {change["what"] for change in changes}
    if row.began_at != began and "taken-back" not in done:
        yield "began_at", f"By the history it is {text(began)}."
        return
    yield from _check_flags(row, done)
    if (hours := _hours(row, clock)) is None:
        yield "hours", "They are none, or the game has no such hours."
        return
    if (row.due_at is None) != paused:
        yield "due_at", "The clock stands." if paused else "The clock runs, and nothing is due."
        return
    trail = [*_trail(row, changes)]
    ends = trail[-1][1] if trail else row.due_at
    if ends != row.due_at or any(was != due for (_, due), (was, _) in pairwise(trail)):
        yield "due_at", "It is not where the last change of it has moved it."
        return
    first = trail[0][0] if trail else row.due_at
    yield from _check_first(rows, row, owed, clock, hours, first, [due for _, due in trail], done)
    if changes and changes[-1]["what"] == MENDED and row.due_at is not None:
        anew = shown_for(hours, changes[-1]["at"], clock.per_move, 0).bank_from
        yield from _check_times(row, row.due_at + clock.grace, anew if clock.bank else None)
    yield from _check_left(row, owed, clock, changes)
    yield from _check_bounds(row, clock, changes, rows.now)


def _check_flags(row: Decision, done: set[str]) -> Iterator[Wrong]:
    for column, kinds in (("extended", GIVEN_AGAIN), ("graced", {"mending"})):
        if bool(getattr(row, column)) != bool(done & kinds):
            yield column, "It is not what the changes of this clock say."


def _hours(row: Decision, clock: Policy) -> Hours | None:
    if row.hours is None:
        return ALWAYS
    try:
        return None if clock.plain else Hours.read(row.hours)
    except (ValueError, KeyError):
        return None


def _trail(row: Decision, changes: Sequence[Change]) -> Iterator[tuple[int | None, int | None]]:
    """From what to what each change has moved the deadline."""
    for change in changes:
        if "due" in change:
            yield change["was"], change["due"]


def _check_first(
    rows: Rows, row: Decision, owed: Owed, clock: Policy, hours: Hours, first: Any, later: Sequence[Any], done: set[str]
) -> Iterator[Wrong]:
    """The first deadline: of plain clocks that which the policy gives, of any one that which a checkpoint tells."""
    known = [due for _, due in signed_deadlines(rows, row.seat, owed.since)][:1]
    shown = {None if due is None else text(due) for due in (first, *later)}
    if owed.paused or MENDED in done:
        return
    if clock.plain and first is not None and "taken-back" not in done:
        bank = clock.bank if owed.bank is None else scaled(owed.bank * SECOND, clock.quiet_hours)
        right = shown_for(hours, row.began_at, clock.per_move, bank)
        if first != right.due:
            yield "due_at", f"When it began to be owed it was {text(right.due)}."
        elif not done:
            yield from _check_times(row, right.due + clock.grace, right.bank_from if clock.bank else None)
    elif known and known[0] not in shown:
        yield "due_at", f"When it began to be owed it was {known[0]}."


def _check_times(row: Decision, acts_at: int, bank_from: int | None) -> Iterator[Wrong]:
    if row.acts_at != acts_at:
        yield "acts_at", f"By the clock of the game it is {text(acts_at)}."
    elif row.bank_from != bank_from:
        yield "bank_from", "It is not when the time of the move is used up."


def _check_left(row: Decision, owed: Owed, clock: Policy, changes: Sequence[Change]) -> Iterator[Wrong]:
    told = [(change["left"], change["left_bank"]) for change in changes if "left" in change]
    if row.due_at is not None:
        right: Any = (None, None)
    elif told:
        right = told[-1]
    else:
        right = (clock.per_move, clock.bank if owed.bank is None else scaled(owed.bank * SECOND, clock.quiet_hours))
    for column, value in zip(("left", "left_bank"), right, strict=True):
        if getattr(row, column) != value:
            yield column, "It is not what was left when the clock was stopped."


def _check_bounds(row: Decision, clock: Policy, changes: Sequence[Change], now: int) -> Iterator[Wrong]:
    """Check the columns that the sweep works with: within their bounds only, nothing tells them to the microsecond."""
    due, acts = row.due_at, row.acts_at
    if (due is None) != (acts is None):
        yield "acts_at", "The caretaker acts where a deadline is, and nowhere else."
        return
    if due is None or acts is None:
        if row.remind_at is not None or row.bank_from is not None:
            yield "remind_at" if row.remind_at is not None else "bank_from", "The clock stands."
    else:
        times = [
            due,
            *(change[name] for change in changes for name in ("at", "until", "due", "was") if change.get(name)),
        ]
        if not due + clock.grace <= acts <= max(times) + clock.grace:
            yield "acts_at", "It is not the deadline and the grace."
        if (
            row.remind_at not in (None, 0)
            and not row.began_at - EARLIER <= row.remind_at <= max(due, now) + REMIND_AGAIN
        ):
            yield "remind_at", "It is not while the answer is owed."
        if (row.bank_from is None) != (not clock.bank) or (row.bank_from or 0) > due:
            yield "bank_from", "It is not when the time of the move is used up."


def read_changes(kept: Any) -> list[Change] | None:
    """The changes that moved a deadline since it was begun or made anew; None where the list was tampered with."""
    changes: list[Change] = []
    try:
        for line in kept.splitlines(keepends=True):
            change = json.loads(line)
            if json.dumps(change, separators=(",", ":"), sort_keys=True) + "\n" != line or not _is_known(change):
                return None
            changes.append(change)
    except (ValueError, TypeError, AttributeError, KeyError):
        return None
    return changes


def _is_known(change: Change) -> bool:
    """Whether a change is one that is ever written."""
    numbers = all(value is None or type(value) is int for name, value in change.items() if name != "what")
    return change["what"] in WHATS and change.keys() <= SAID and numbers and ("due" in change) == ("was" in change)


def _finding(rows: Rows, seat: Seat, column: str, sentence: str) -> Finding:
    return Finding("projection", rows.game, "decisions", f"{seat}", column, sentence)
