"""Making anew what follows from the history: state, row of the game, seats, decisions, thoughts, leaves to be opened.

Nothing else: events, what leaves say, checkpoints, keys, and the head's number and hash are never touched.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from service.clocks import seat_clocks
from service.clocks.policy import policy
from service.clocks.seat_clocks import Shown
from service.integrity.checks import heads, seats
from service.integrity.checks.deadlines import from_history
from service.integrity.checks.findings import Finding
from service.integrity.checks.history_walk import Walk
from service.integrity.halt import LOG
from service.kernel.clock import from_text
from service.kernel.log import log
from service.store.across.audit_rows import Rows
from service.store.clocks import decisions, outages
from service.store.database import Connection
from service.store.event_store import repairs
from service.store.event_store.streams import Head, Streams
from service.store.games import thoughts


def mend(
    streams: Streams, tx: Connection, rows: Rows, entries: Sequence[Any], walk: Walk, findings: Iterable[Finding]
) -> list[Finding]:
    """Make anew what these findings say is wrong with projections; the lock of the game is held. All findings again."""
    table, told = walk.table, []
    assert rows.head is not None
    head = Head(rows.game, table.version, rows.head.hash, from_text(entries[-1]["at"]), rows.now, table, walk.kept)
    anew: set[str] = set()
    for finding in findings:
        if finding.weight != "projection":
            told.append(finding)
            continue
        what = finding.table + (finding.row if finding.table in ("decisions", "thoughts", "leaves") else finding.column)
        if what not in anew:
            anew.add(what)
            _mend(streams, tx, rows, head, entries, walk, finding)
        place = {"game": finding.game, "table": finding.table, "row": finding.row, "column": finding.column}
        log(LOG, "warning", "mended", **place, why=finding.sentence)
        told.append(finding.after_mending())
    return told


def _mend(
    streams: Streams, tx: Connection, rows: Rows, head: Head, entries: Sequence[Any], walk: Walk, finding: Finding
) -> None:
    match finding.table:
        case "games" if finding.column == "state":
            streams.rebuild(tx, head.game)
        case "games":
            assert rows.head is not None
            right = heads.project(rows, rows.head, entries, walk)
            repairs.set_column(tx, head.game, finding.column, right[finding.column])
        case "seats":
            anew_seats = [{"seat": seat, **row} for seat, row in seats.project(rows, walk).items()]
            repairs.replace_seats(tx, rows.game, anew_seats)
        case "leaves":
            version, number = map(int, finding.row.split("/"))
            repairs.open_leaf(tx, head.game, version, number, walk.opened[version, number])
        case "thoughts":
            _begin_thought_anew(tx, head, entries, walk, int(finding.row))
        case _:
            _replace_decision(tx, rows, head, walk, int(finding.row))


def _begin_thought_anew(tx: Connection, head: Head, entries: Sequence[Any], walk: Walk, seat: int) -> None:
    """Let a bot think from the beginning about what it is asked, or about nothing."""
    thinking = walk.thinking.get(seat)
    thoughts.drop(tx, head.game, seat)
    if thinking is not None:
        began = from_text(entries[thinking.since - 1]["at"])
        thoughts.put(tx, head.game, seat, thinking.asked, thinking.since, began, head.now)


def _replace_decision(tx: Connection, rows: Rows, head: Head, walk: Walk, seat: int) -> None:
    """Put what a seat owes by the history in place of what is kept; the rest follows its player's present settings."""
    old = next((row for row in rows.decisions if row.seat == seat), None)
    repairs.drop_decision(tx, rows.game, seat)
    asked = walk.last.get(seat)
    if asked is None:
        return
    row, clock, now = from_history(asked), policy(head.table.clock), rows.now
    hours, bank = seat_clocks.hours_ahead(tx, head, seat), seat_clocks.bank_of(head.table, seat, clock)
    last = outages.latest(tx)
    row |= {
        "game_id": rows.game, "seat": seat, "hours": None if hours.plain else hours.text(),
        "outage": 0 if last is None else last.number, "draft": None if old is None else old.draft,
    }  # fmt: skip
    if row["due_at"] is None:
        left = {"stopped_at": row["began_at"], "left": clock.per_move, "left_bank": bank}
        decisions.add(tx, **row | seat_clocks.STOPPED | left)
        return
    bank_from = min(row["due_at"], hours.until(row["began_at"], clock.per_move))
    decisions.add(tx, **row | seat_clocks.running(clock, Shown(bank_from, row["due_at"]), now))
