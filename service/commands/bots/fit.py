"""`wardroom fit`: the weights by which bots judge a game, learnt anew from self-play."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from service.commands.terminal.exits import unwritable

if TYPE_CHECKING:
    from domain.search.fitting import Situation

MOST_GAMES: Final = 20_000
HELD_OUT: Final = 5
"""Each fifth game is kept apart, to see what the weights are worth."""


@click.command()
@click.argument("game")
@click.option("--games", type=click.IntRange(HELD_OUT, MOST_GAMES), default=600, show_default=True, help="How many.")
@click.option("--seed", default="1", show_default=True, help="What all chance is made from.")
@click.option("--out", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Write to this file.")
def fit(game: str, games: int, seed: str, out: Path | None) -> None:
    """Play GAME with itself, with all numbers of seats, learn who wins from where, and print the table of weights.

    It is the table that lies in the game's package as search/weights.toml; bots play by it from the next start on.
    How well it foretells games that were not learnt from is said on standard error.

    Example: wardroom fit city-hall --games 600 (CONTRIBUTING.md)
    """
    from domain.rulesets import RULESETS
    from domain.search import fitting

    if game not in RULESETS:
        raise click.UsageError(f"There is no game {game!r}: {', '.join(RULESETS)}.")
    rules = RULESETS[game]
    if rules.guidance is None:
        raise click.UsageError(f"{game} has no guidance, and so no features that could be weighed.")
    names = rules.guidance.names
    learnt, unseen = _situations(rules, games, seed)
    weights = fitting.fit(learnt, len(names), seed)
    before, after = fitting.loss(rules.guidance.weights, unseen), fitting.loss(weights, unseen)
    told = f"On {len(unseen)} positions of games not learnt from, the loss was {before:.4f}, and is {after:.4f}"
    click.echo(f"{told}; {fitting.loss({}, unseen):.4f} would be knowing nothing.", err=True)
    facts: dict[str, str | int | float] = {
        "game": game,
        "seed": seed,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "games": games,
        "loss": round(after, 4),
        "loss_before": round(before, 4),
    }
    table = f"# By `wardroom fit {game} --games {games} --seed {seed}`.\n{fitting.write_table(weights, names, facts)}"
    if out is None:
        click.echo(table, nl=False)
        return
    try:
        out.write_text(table, encoding="utf-8")
    except OSError as error:
        raise unwritable(out, error) from error


def _situations(rules: Any, games: int, seed: str) -> "tuple[list[Situation], list[Situation]]":
    """Situations to learn from, and those of games kept apart."""
    from domain.search.fitting import situations
    from service.commands.terminal.progress import Progress

    learnt: list[Situation] = []
    unseen: list[Situation] = []
    progress = Progress(games, "games")
    for number in range(games):
        seats = rules.seats[number // HELD_OUT % len(rules.seats)]
        found = situations(rules, seats, f"{seed}:{number}")
        (learnt if number % HELD_OUT else unseen).extend(found)
        progress.step()
    progress.end()
    return learnt, unseen
