"""Making anew what follows from the history: state, row of the game, seats, decisions, thoughts, leaves to be opened.

Nothing else: events, what leaves say, checkpoints, keys, and the head's number and hash are never touched.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from service.clocks import seat_clocks
from service.clocks.hours import DAY
from service.clocks.policy import policy
from service.clocks.seat_clocks import Shown
from service.clocks.told import follow_moves
from service.integrity.checks import heads, seats
from service.integrity.checks.checkpoints import signed_deadlines
from service.integrity.checks.findings import MENDED, Finding
from service.integrity.checks.history_walk import Owed, Walk
from service.integrity.halt import LOG
from service.kernel.clock import from_text
from service.kernel.log import log
from service.store.across.audit_rows import Rows
from service.store.clocks import deadline_moves, decisions
from service.store.clocks.deadline_moves import DeadlineMove
from service.store.clocks.decisions import Decision
from service.store.database import Connection
from service.store.event_store import repairs
from service.store.event_store.streams import Head, Streams
from service.store.games import thoughts

LATEST: Final = 100 * DAY
"""An old deadline so long after the fresh one is none."""


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
            _replace_decision(tx, rows, head, entries, walk, int(finding.row))


def _begin_thought_anew(tx: Connection, head: Head, entries: Sequence[Any], walk: Walk, seat: int) -> None:
    """Let a bot think from the beginning about what it is asked, or about nothing."""
    thinking = walk.thinking.get(seat)
    thoughts.drop(tx, head.game, seat)
    if thinking is not None:
        began = from_text(entries[thinking.since - 1]["at"])
        thoughts.put(tx, head.game, seat, thinking.asked, thinking.since, began, head.now)


def _replace_decision(tx: Connection, rows: Rows, head: Head, entries: Sequence[Any], walk: Walk, seat: int) -> None:
    """Put what a seat owes in place of what is kept, with the time of a move from now on."""
    old = next((row for row in rows.decisions if row.seat == seat), None)
    repairs.drop_decision(tx, rows.game, seat)
    owed = walk.last.get(seat)
    if owed is not None:
        told, began = _last_told(tx, rows, seat, owed), from_text(entries[owed.since - 1]["at"])
        row = _make_decision(tx, rows, head, seat, owed, old, told, began)
        decisions.add(tx, game_id=rows.game, **row)
        if told is not None and row["due_at"] not in (None, told):
            deadline_moves.keep(tx, DeadlineMove(rows.game, seat, owed.since, rows.now, row["due_at"], told))


def _make_decision(
    tx: Connection, rows: Rows, head: Head, seat: int, owed: Owed, old: Decision | None, told: int | None, began: int
) -> dict[str, Any]:
    clock, now = policy(head.table.clock), rows.now
    hours, bank = seat_clocks.hours_ahead(tx, head, seat), seat_clocks.bank_of(head.table, seat, clock)
    row: dict[str, Any] = {
        "seat": seat, "decision": owed.decision, "since": owed.since, "player_id": head.table.chairs[seat].player,
        "began_at": began, "hours": None if hours.plain else hours.text(),
    }  # fmt: skip
    if head.table.paused:
        left = {"left": clock.per_move, "left_bank": bank}
        return row | seat_clocks.STOPPED | left | {"changes": _line_of_mending(now, **left)}
    fresh = seat_clocks.shown_for(hours, now, clock.per_move, bank)
    due = max([fresh.due, *(known for known in _known_deadlines(told, old) if known < fresh.due + LATEST)])
    running = seat_clocks.running(clock, Shown(fresh.bank_from, due), now)
    return row | running | {"changes": _line_of_mending(now, was=old.due_at if old else None, due=due)}


def _known_deadlines(told: int | None, old: Decision | None) -> list[int]:
    """The deadlines its player may know: the one kept, and the one told last."""
    kept = [old.due_at] if old is not None and isinstance(old.due_at, int) else []
    return kept if told is None else [*kept, told]


def _last_told(tx: Connection, rows: Rows, seat: int, owed: Owed) -> int | None:
    """The deadline that a checkpoint tells of, or where it was moved since without an event."""
    moves = deadline_moves.of_game(tx, rows.game, rows.now)
    signed = next((due for _, due in reversed(signed_deadlines(rows, seat, owed.since))), None)
    told = follow_moves(moves, seat, owed.since, signed)
    return None if told is None else from_text(told)


def _line_of_mending(now: int, **times: int | None) -> str:
    return seat_clocks.change_line({"what": MENDED, "at": now, **times})
