"""Facts as commands print them: on standard output, for people to read or, with --json, for programs.

With --json a command that lists prints an object a line, one for each thing, so none where there is none; every other
command prints one document, an object. Times are RFC 3339 in UTC, null is what is not there or not known; fields are
added and never renamed. Words for people go to standard error then. Nothing is printed in colour.
"""

import json
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import click

Fact = Mapping[str, Any]
json_option: Final = click.option("--json", "as_json", is_flag=True, help="For programs: JSON, an object a line.")
document_option: Final = click.option("--json", "as_json", is_flag=True, help="For programs: one JSON document.")
GAP: Final = "  "


def time_of(at: int | None) -> str | None:
    """A time in microseconds as it is printed; None for none."""
    from service.kernel.clock import text

    return None if at is None else f"{text(at)[:19]}Z"


def show_list(facts: Iterable[Fact], columns: Sequence[str], *, as_json: bool, nothing: str = "") -> None:
    """Print facts of one sort: these columns as a table or, where that is too wide for the terminal, one under the
    other. `nothing` is said to people where there are none."""
    rows = list(facts)
    if as_json:
        for row in rows:
            click.echo(json.dumps(row))
    elif rows:
        for line in _table(rows, columns):
            click.echo(line)
    elif nothing:
        click.echo(nothing, err=True)


def show(fact: Fact, lines: Iterable[str], *, as_json: bool) -> None:
    """Print one document or, for people, these lines."""
    if as_json:
        click.echo(json.dumps(fact, indent=2))
        return
    for line in lines:
        click.echo(printable(line))


def printable(text: str) -> str:
    """A text that somebody else wrote, made unable to steer a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def table(rows: Sequence[Sequence[object]]) -> list[str]:
    """Rows with their columns one under the other."""
    cells = [[printable(_shown(cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def _table(rows: Sequence[Fact], columns: Sequence[str]) -> list[str]:
    lines = table([columns, *([row[column] for column in columns] for row in rows)])
    if not sys.stdout.isatty() or max(map(len, lines)) <= shutil.get_terminal_size().columns:
        return lines
    return [line for row in rows for line in (*table([(column, row[column]) for column in columns]), "")]


def _shown(value: object) -> str:
    if value is None or value == []:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
