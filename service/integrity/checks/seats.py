"""Seats: who sits where is what the history says."""

from collections.abc import Iterator
from typing import Any

from service.integrity.checks.findings import Finding
from service.integrity.checks.history_walk import Walk
from service.store.across.audit_rows import Rows
from service.store.games.seats import bot_columns

COLUMNS = ("player_id", "bot", "strength", "temper", "vacant", "strikes")


def project(rows: Rows, walk: Walk) -> dict[int, dict[str, Any]]:
    """The rows as they should be, by seat."""
    return {
        seat: {
            "player_id": chair.player,
            **bot_columns(chair.bot),
            "vacant": chair.vacant,
            "strikes": chair.strikes,
        }
        for seat, chair in enumerate(walk.table.chairs)
    }


def findings(rows: Rows, walk: Walk) -> Iterator[Finding]:
    """Rows that are not what they should be."""
    right, kept = project(rows, walk), {row.seat: row for row in rows.seats}
    for seat in sorted(right.keys() | kept.keys()):
        if seat not in kept:
            yield _finding(rows, seat, "", "It is missing.")
        elif seat not in right:
            yield _finding(rows, seat, "", "There is no such seat at this table.")
        else:
            for column in COLUMNS:
                if getattr(kept[seat], column) != right[seat][column]:
                    yield _finding(rows, seat, column, f"By the history it is {right[seat][column]}.")


def _finding(rows: Rows, seat: int, column: str, sentence: str) -> Finding:
    return Finding("projection", rows.game, "seats", f"{seat}", column, sentence)
