"""Replaying all that is stored under the installed code."""

import json
import os
import sys
import time
from pathlib import Path

import click

from service.commands.terminal import completion, facts
from service.commands.terminal.exits import VERDICT, Failure
from service.commands.terminal.opening import open_services

EVERY = 2.0
"""Seconds from one line of progress to the next."""


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=completion.games)
@click.option("--all", "every", is_flag=True, help="Every stored game.")
@click.option("--against", type=click.Path(exists=True, path_type=Path), metavar="FOLDER",
              help="Exports taken before (.ndjson, .ndjson.xz, bundles): all in them must still be there.")  # fmt: skip
@click.option("--fold-only/--full", "fold_only", default=False, help="Fold the events, or decide them again, too.")
@click.option("--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, show_default="one a core",
              help="How many processes.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The report as JSON.")
def replay(
    games: tuple[str, ...], every: bool, against: Path | None, fold_only: bool, jobs: int, as_json: bool
) -> None:
    """Decide stored games again under the installed rules, and say where they would have gone otherwise.

    With --against, every event of the exports in FOLDER must be in the database the same; in a database without any
    game they are replayed by themselves. With --fold-only events are read and folded, and hashes compared as they are
    told: it takes some five milliseconds a game, where --full takes a hundred. Nothing is changed.

    Exit 0 if nothing differs, 1 if something does.

    Example: wardroom replay --all (docs/operations.md)
    """
    from service.integrity import replay as shadow
    from service.integrity.replay_report import Summary

    if not (games or every or against):
        raise click.UsageError("Name games, or give --all or --against FOLDER.")
    files = shadow.exports_in(against) if against else []
    if against and not files:
        raise Failure(os.EX_NOINPUT, f"There is no export in {against}: {', '.join(shadow.ENDINGS)}")
    with open_services() as services:
        with services.database.read() as connection:
            stored = shadow.stored_games(connection)
        missing = sorted(set(games) - set(stored))
        if missing:
            raise Failure(os.EX_NOINPUT, f"There is no game {missing[0]}.")
        chosen = stored if every else list(dict.fromkeys(games))
        tasks = [
            *(shadow.Task(game, fold_only=fold_only) for game in chosen),
            *(shadow.Task(file=file, fold_only=fold_only) for file in files),
        ]
        summary, last = Summary(), time.monotonic()
        for number, done in enumerate(shadow.replay(services.settings, tasks, jobs), 1):
            summary.add(done, may_miss=not stored)
            if time.monotonic() - last > EVERY:
                last = time.monotonic()
                differ = sum(len(group.games) for groups in summary.groups.values() for group in groups)
                click.echo(f"{number} of {len(tasks)} done, {differ} differences so far.", err=True)
    if as_json:
        click.echo(json.dumps(summary.document(), indent=2))
    else:
        for line in summary.lines():
            click.echo(facts.printable(line))
        if summary.missing:
            click.echo(f"{summary.missing} exports are of games that this database does not have.", err=True)
    if not summary.ok:
        sys.exit(VERDICT)
