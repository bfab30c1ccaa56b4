"""The numbers of a game as tables: for spreadsheets (RFC 4180), and for the eye."""

import csv
import io
import unicodedata
from typing import Any, Final

FORMULA: Final = "=+-@"
"""What a cell must not begin with: a spreadsheet would take it for a formula."""
TABLES: Final = ("periods", "standings", "bids", "lead", "clock")
"""What can be had as a table; the first where none is named."""
Cell = int | float | str | bool | None


def table(shown: dict[str, Any], name: str = TABLES[0]) -> str:
    """A table of a document as CSV: one header, then one line a row, none of them a formula."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows(
        [[_cell(cell) for cell in line] for line in lines(shown, name)]
    )
    return written.getvalue()


def text(shown: dict[str, Any]) -> str:
    """A document for the eye: aligned columns, numbers to the right, "-" for nothing, then what each column counts."""
    rows = [[str(cell) or "-" for cell in line] for line in lines(shown, TABLES[0])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    player = 2  # the one column of words
    aligned = [
        "  ".join(
            cell.ljust(width) if place == player else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    meanings = [f"{name}: {meaning}" for name, meaning in shown["columns"].items()]
    return "\n".join([*aligned, "", *meanings]) + "\n"


def lines(shown: dict[str, Any], name: str) -> list[list[Cell]]:
    """The names of the columns of a table, then the cells of each row."""
    unit = shown["unit"]
    match name:
        case "standings":
            names = ["rank", "seat", "player", "won", "score", "for", "points"]
            rows = [seat | line for seat in shown["standings"] for line in seat["lines"] or [{"for": "", "points": 0}]]
        case "bids":
            names = ["version", unit, "prize", "seat", "player", "contested", "won", *shown["bids"]["columns"]]
            rows = shown["bids"]["rows"]
        case "lead":
            names = ["version", unit, "seat", "player", "leads", "standing"]
            rows = [change | seat for change in shown["lead"]["changes"] for seat in change["seats"]]
        case "clock":
            names = ["seat", "player", "answers", "mean", "longest", "missed"]
            rows = shown["clock"]
        case _:
            names, rows = [unit, "seat", "player", *shown["columns"]], shown["rows"]
    return [list(names), *([row[name] for name in names] for row in rows)]


def _cell(cell: Cell) -> Cell:
    match cell:
        case bool():
            return "yes" if cell else "no"
        case str():
            return harmless(cell)
        case _:
            return "" if cell is None else cell


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: with an apostrophe before it where it would."""
    starts = unicodedata.normalize("NFKC", cell).lstrip()[:1]
    return f"'{cell}" if starts in [*FORMULA] or cell[:1] in ("\t", "\r") else cell
