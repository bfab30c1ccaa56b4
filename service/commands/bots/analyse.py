"""What else could have been done in a game, from its export: `wardroom analyse FILE`, without a server."""

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

import click

from service.commands.terminal.exits import Failure

if TYPE_CHECKING:
    from domain.teacher.course import Course
    from domain.teacher.findings import Finding

EVERY = 2.0
"""Seconds from one line of progress to the next."""


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--seat", type=click.IntRange(0), help="Only this seat: 0 is the first.")
@click.option("--strength", type=click.IntRange(1, 3), default=2, show_default=True, help="Of the bot that judges.")
@click.option("--json", "as_json", is_flag=True, help="All that was found, as JSON.")
def analyse(file: BinaryIO, seat: int | None, strength: int, as_json: bool) -> None:
    """Say what else could have been done in a finished game, decision by decision, offline.

    FILE is an export or an audit bundle of the game, - for standard input. Each decision is judged from what its seat
    knew then. Who judges the same file at the same strength finds the same.

    Example: wardroom analyse game.ndjson --seat 0 (docs/playing.md)
    """
    from domain.teacher.summary import summary

    game, school = _read(file.read())
    if seat is not None and seat >= school.seats:
        raise click.BadParameter(f"The game has the seats 0 to {school.seats - 1}.", param_hint="--seat")
    seats = range(school.seats) if seat is None else [seat]
    findings = _study(school, strength, seats)
    if as_json:
        import msgspec

        document = {
            "game": game,
            "ruleset": school.rules.kind,
            "strength": strength,
            "seats": summary(findings, seats),
            "findings": findings,
        }
        click.echo(msgspec.json.format(msgspec.json.encode(document)).decode())
        return
    from service.games.analysis_text import prose

    names = [pawn.capitalize() for pawn in school.rules.notation.pawns[: school.seats]]
    click.echo(prose(school.rules, findings, seats, names, str), nl=False)


def _read(content: bytes) -> "tuple[str, Course]":
    """The game of a file, and the questions it answers. Raises Failure in a sentence."""
    from domain.audit.bundle.archive import EVENTS, NoArchive, unpack
    from domain.audit.bundle.verify import is_bundle
    from domain.audit.verify_history import read_entries
    from domain.history.envelope import BrokenHistory, read_export
    from domain.teacher.course import NothingToLearn, course

    try:
        lines = (unpack(content)[EVENTS] if is_bundle(content) else content).splitlines(keepends=True)
        kept, entries, _ = read_entries(lines)
        game = str(read_export(lines)[0]["game"])
        if kept.rules.guidance is None:
            title = kept.rules.presentation.title
            raise Failure(os.EX_DATAERR, f"Games of {title} cannot be analysed: no bot can think about it.")
        return game, course(kept.rules, entries)
    except NoArchive as none:
        raise Failure(os.EX_DATAERR, f"This bundle is broken: {none}.") from none
    except BrokenHistory as broken:
        raise Failure(os.EX_DATAERR, f"This history is broken: {broken}. `wardroom verify` says more.") from broken
    except NothingToLearn as nothing:
        raise Failure(os.EX_DATAERR, str(nothing)) from nothing


def _study(school: "Course", strength: int, seats: Sequence[int]) -> "list[Finding]":
    """Everything found about these seats, with progress on standard error."""
    from domain.teacher.effort import STUDY_EFFORTS
    from domain.teacher.study import study

    questions = [question for question in school.questions if getattr(question, "seat", seats[0]) in seats]
    found: list[Finding] = []
    began = last = time.monotonic()
    for number, question in enumerate(questions, 1):
        found += study(school, question, STUDY_EFFORTS[strength])
        if time.monotonic() - last > EVERY:
            last = time.monotonic()
            left = (last - began) / number * (len(questions) - number)
            click.echo(f"{number} of {len(questions)} questions, some {left:.0f} s to go", err=True)
    click.echo(f"{len(questions)} questions in {time.monotonic() - began:.1f} s", err=True)
    sys.stderr.flush()
    return found
