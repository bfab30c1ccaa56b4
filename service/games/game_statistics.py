"""A game that is over in numbers, as a document and as a table (RFC 4180)."""

import csv
import io
import unicodedata
from collections.abc import Sequence
from typing import Any, Final

from domain.engine.statistics import Statistics
from domain.table.evolve import taken_back
from service.container import Services
from service.games.seat_names import shown_names
from service.store.database import Connection
from service.store.event_store.streams import Head

FORMULA: Final = "=+-@"
"""What a cell must not begin with: a spreadsheet would take it for a formula."""


def document(services: Services, connection: Connection, head: Head, count: Statistics[Any]) -> dict[str, Any]:
    """The numbers of a game that is over, as `count` counts its rules; what was taken back does not count."""
    events = list(services.streams.facts_seen(connection, head.game, head.rules, None, after=0, upto=head.version))
    gone = taken_back(events)
    facts = [fact for place, fact in enumerate(events) if place not in gone and type(fact) in head.rules.decider.evolve]
    table, names = head.table, shown_names(connection, head)
    started = table.game is not None
    counts = count.rows(head.rules.decider.initial(len(table.chairs), table.options), facts) if started else []
    return {
        "ruleset": table.ruleset,
        "version": head.version,
        "hash": head.hash,
        "unit": count.unit,
        "columns": dict(count.columns),
        "rows": [
            {count.unit: line[count.unit], "seat": line["seat"], "player": names[int(line["seat"])], **line}
            for line in counts
        ],
    }


def table(shown: dict[str, Any]) -> str:
    """A document as CSV: one header, then one line a row, none of them a formula."""
    written = io.StringIO()
    _write(written, _lines(shown))
    return written.getvalue()


def text(shown: dict[str, Any]) -> str:
    """A document for the eye: aligned columns, numbers to the right, "-" for nothing, then what each column counts."""
    lines = [[str(cell) or "-" for cell in line] for line in _lines(shown)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    player = 2  # the one column of words
    aligned = [
        "  ".join(
            cell.ljust(width) if place == player else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    ]
    meanings = [f"{name}: {meaning}" for name, meaning in shown["columns"].items()]
    return "\n".join([*aligned, "", *meanings]) + "\n"


def _lines(shown: dict[str, Any]) -> list[list[int | str]]:
    """The names of the columns, then the cells of each row."""
    names = [shown["unit"], "seat", "player", *shown["columns"]]
    return [names, *([row[name] for name in names] for row in shown["rows"])]


def _write(written: io.StringIO, rows: Sequence[Sequence[int | str]]) -> None:
    lines = csv.writer(written, lineterminator="\r\n")
    lines.writerows([[harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows])


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: with an apostrophe before it where it would."""
    return f"'{cell}" if unicodedata.normalize("NFKC", cell).lstrip()[:1] in [*FORMULA] else cell
