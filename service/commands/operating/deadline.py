"""`wardroom deadline`: more time for those who have to answer."""

from typing import Any, Final

import click

from service.commands.operating.at_tables import at_a_table, do_at, find_game, find_seat
from service.commands.terminal import completion
from service.commands.terminal.opening import open_services

MOST: Final = 720
HOUR: Final = 3600


@click.group()
def deadline() -> None:
    """Deadlines: give more time. None is ever moved earlier."""


@deadline.command("extend")
@click.argument("game", shell_complete=completion.games)
@click.argument("words", nargs=-1, required=True, metavar="SEAT|--all HOURS")
@click.option("--all", "everybody", is_flag=True, help="Everybody who has to answer now, and not one seat.")
@at_a_table
def extend_deadline(game: str, words: tuple[str, ...], everybody: bool, yes: bool, **how: Any) -> None:
    """Give SEAT of GAME, or with --all everybody who has to answer, so many HOURS more: 1 to 720.

    Hours count as the game's time does: at night not, where its players agreed on quiet hours.

    Example: wardroom deadline extend k7x2m9qd4t 2 48 --why "In hospital." (docs/operations.md)
    """
    from service.operator import games as at_games

    if len(words) != (1 if everybody else 2):
        raise click.UsageError("Say whose deadline and by how much: GAME SEAT HOURS, or GAME --all HOURS.")
    hours = click.IntRange(1, MOST)(words[-1], None, click.get_current_context())
    with open_services() as services:
        with services.database.read() as connection:
            found = find_game(connection, game)
            seat = None if everybody else find_seat(connection, found, words[0])
        whom = "Everybody who has to answer" if seat is None else f"Seat {seat}"
        done = f"{whom} in {found.id} has {hours} hours more."
        do_at(services, found.id, lambda tx: at_games.extend(services, tx, found.id, seat, hours * HOUR), done, **how)
