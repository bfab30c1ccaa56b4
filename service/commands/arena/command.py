"""`wardroom arena`: one bot against another, at many tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from domain.search.standing import Pairing, Standing

MOST_TABLES: Final = 10_000
MOST_JOBS: Final = 64


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--game", default="tammany-hall", show_default=True, help="Which game.")
@click.option("--seats", type=int, help="How many play; as few as can, if nothing is said.")
@click.option("--tables", type=click.IntRange(1, MOST_TABLES), default=200, show_default=True, help="How many games.")
@click.option("--jobs", type=click.IntRange(1, MOST_JOBS), default=2, show_default=True, help="How many processes.")
@click.option("--seed", default="1", show_default=True, help="What all chance is made from.")
@click.option("--resume", type=click.Path(dir_okay=False, writable=True, path_type=Path), metavar="FILE",
              help="Finished tables: those in it are not played again, others are appended.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def arena(
    a: str, b: str, game: str, seats: int | None, tables: int, jobs: int, seed: str, resume: Path | None, as_json: bool
) -> None:
    """Let A play alone among B's, at many tables, the seats rotated; and say how often it wins.

    Players are random, caretaker, a strength (1, 2, 3), or a strength with a temper, such as 2:patient. A victory that
    is shared counts by its share. Ctrl-C ends it; with --resume nothing that was played is lost.
    """
    import msgspec

    from service.commands.arena.run import run

    pairing = _pairing(game, seats, a, b)
    standing = run({pairing: tables}, seed, jobs, resume)[pairing]
    if as_json:
        found = {**msgspec.to_builtins(pairing), "seed": seed, **msgspec.to_builtins(standing)}
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
        return
    for line in lines(pairing, standing):
        click.echo(line)


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
    if rules.guidance is None and not {a, b} <= UNTHINKING.keys():
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
