"""`wardroom arena`: one bot against another, at many tables."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from service.commands.terminal.exits import INTERRUPTED, VERDICT, unwritable

if TYPE_CHECKING:
    from domain.search.standing import Pairing, Standing

USUAL: Final = 200
MOST_TABLES: Final = 10_000
MOST_JOBS: Final = 64


@click.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--game", default="tammany-hall", show_default=True, help="Which game.")
@click.option("--seats", type=int, help="How many play; as few as can, if nothing is said.")
@click.option("--tables", type=click.IntRange(1, MOST_TABLES), help=f"How many games; {USUAL} if nothing is said.")
@click.option("--jobs", type=click.IntRange(1, MOST_JOBS), default=2, show_default=True, help="How many processes.")
@click.option("--seed", default="1", show_default=True, help="What all chance is made from.")
@click.option("--resume", type=click.Path(dir_okay=False, writable=True, path_type=Path), metavar="FILE",
              help="Finished tables: those in it are not played again, others are appended.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
@click.option("--report", type=click.Path(dir_okay=False, writable=True, path_type=Path), metavar="PAGE",
              help="Instead of A and B: all that bots must be worth, written as this page.")  # fmt: skip
def arena(
    a: str | None,
    b: str | None,
    game: str,
    seats: int | None,
    tables: int | None,
    jobs: int,
    seed: str,
    resume: Path | None,
    as_json: bool,
    report: Path | None,
) -> None:
    """Let A play alone among B's, at many tables, the seats rotated; and say how often it wins.

    Players are random, caretaker, a strength (1, 2, 3), a strength with a temper, such as 2:patient, or one without a
    part of what it knows: 2-tree, 2-playouts, 2-matrix, 2-weights. A victory that is shared counts by its share.

    Ctrl-C ends it and counts what was played; with --resume nothing of that is lost. With --report it takes an hour or
    so and always resumes, by a file beside the page; --tables is then the most for each pairing. Exit 1 if a gate of
    the report is not met.

    Example: wardroom arena 2 1 --tables 40 (docs/bots.md)
    """
    if report is not None:
        if a or b or as_json or seats:
            raise click.UsageError("--report plays all pairings: leave out A, B, --seats and --json.")
        _report(report, tables or MOST_TABLES, jobs, seed, resume)
    elif a is None or b is None:
        raise click.UsageError("Who plays whom? Give A and B, such as 2 1, or --report PAGE.")
    else:
        _duel(_pairing(game, seats, a, b), tables or USUAL, jobs, seed, resume, as_json=as_json)


def _duel(pairing: "Pairing", tables: int, jobs: int, seed: str, resume: Path | None, *, as_json: bool) -> None:
    import msgspec

    from service.commands.bots.arena.run import run

    played = run({pairing: tables}, seed, jobs, resume)
    standing = played.standings[pairing]
    if as_json:
        found = {**msgspec.to_builtins(pairing), "seed": seed, **msgspec.to_builtins(standing)}
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        for line in lines(pairing, standing):
            click.echo(line)
    if not played.whole:
        sys.exit(INTERRUPTED)


def _report(page: Path, most: int, jobs: int, seed: str, resume: Path | None) -> None:
    from domain.rulesets import RULESETS
    from domain.search.gates import gates, trials
    from service.commands.bots.arena import page as pages
    from service.commands.bots.arena.run import run

    games = [rules for rules in RULESETS.values() if rules.guidance]
    asked = [gate for rules in games for gate in gates(rules)]
    tried = [trial for rules in games for trial in trials(rules)]
    pairings = {row.pairing: min(row.tables, most) for row in [*asked, *tried]}
    played = run(pairings, seed, jobs, resume or page.with_name(f"{page.name}.tables.ndjson"))
    if not all(found.tables for found in played.standings.values()):
        sys.exit(INTERRUPTED)
    try:
        page.write_text(pages.page(played.standings, asked, tried, seed), encoding="utf-8")
    except OSError as error:
        raise unwritable(page, error) from error
    missed = [gate.pairing for gate in asked if not gate.met(played.standings[gate.pairing])]
    for pairing in missed:
        told = f"{pairing.game}, {pairing.seats} seats, {pairing.a} against {pairing.b}"
        click.echo(f"A gate is not met: {told}.", err=True)
    if missed or not played.whole:
        sys.exit(VERDICT if played.whole else INTERRUPTED)


def _pairing(game: str, seats: int | None, a: str, b: str) -> "Pairing":
    """Who plays whom, checked. Raises UsageError with a sentence."""
    from domain.rulesets import RULESETS
    from domain.search.players import UNTHINKING, named
    from domain.search.standing import Pairing

    if game not in RULESETS:
        raise click.BadParameter(f"There is no game {game!r}: {', '.join(RULESETS)}.", param_hint="--game")
    rules = RULESETS[game]
    for name in (a, b):
        try:
            named(name)
        except ValueError as error:
            raise click.UsageError(str(error)) from error
    if rules.guidance is None and {a, b} - UNTHINKING.keys():
        raise click.UsageError(f"No bot can think about {game}: it has no guidance.")
    allowed = rules.seats
    if seats is not None and seats not in allowed:
        told = f"{game} has {allowed[0]} to {allowed[-1]} seats, not {seats}."
        raise click.BadParameter(told, param_hint="--seats")
    return Pairing(game, seats or allowed[0], a, b)


def lines(pairing: "Pairing", standing: "Standing") -> list[str]:
    """The result in words."""
    against = "against" if pairing.seats == 2 else f"alone among {pairing.seats - 1} of"
    sure = f"{standing.low:.1%} to {standing.high:.1%} with 95 %"
    rows = [
        ("match", f"{pairing.a} {against} {pairing.b}, {pairing.game}, {pairing.seats} seats"),
        ("tables", f"{standing.tables}" + (f", and {standing.endless} without an end" if standing.endless else "")),
        ("wins", f"{standing.share:.1%} ({sure}); fair would be {standing.fair:.1%}"),
        ("points", f"{pairing.a} {standing.points_a:.1f}, {pairing.b} {standing.points_b:.1f} on average"),
        ("decisions", f"{standing.decisions} of {pairing.a} with more than one move"),
        ("time", f"median {standing.median:.3f} s, 95 % within {standing.slow:.3f} s of processor time"),
        ("memory", f"{standing.memory / 1024:.0f} MiB at most"),
    ]
    return [f"{name:11}{value}" for name, value in rows]
