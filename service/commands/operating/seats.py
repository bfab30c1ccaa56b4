"""`wardroom seats`: free a seat, and invite somebody to one that nobody plays."""

import os
from typing import Any

import click

from service.commands.operating.acting import confirm
from service.commands.operating.at_tables import at_a_table, do_at, find_game, find_seat
from service.commands.terminal import completion
from service.commands.terminal.exits import Failure
from service.commands.terminal.opening import open_services


@click.group()
def seats() -> None:
    """Seats of a game: free one, or invite somebody to one that nobody plays.

    SEAT is its number from 0, its colour, or the name of who sits there: `wardroom games show GAME` has them.
    """


@seats.command("vacate")
@click.argument("game", shell_complete=completion.games)
@click.argument("seat")
@at_a_table
def vacate_seat(game: str, seat: str, yes: bool, **how: Any) -> None:
    """Free SEAT of GAME: the caretaker plays it until somebody takes it over, or its player takes it back.

    Before the start its player stands up. A seat of the last person in a game under way is not freed, which would end
    the game: see wardroom games end. Who must not come back is suspended besides: wardroom players suspend.

    Example: wardroom seats vacate k7x2m9qd4t 2 --why "Has not written for a month." --yes (docs/operations.md)
    """
    from service.operator import games as at_games

    with open_services() as services:
        with services.database.read() as connection:
            found = find_game(connection, game)
            number = find_seat(connection, found, seat)
        if not how["dry_run"]:
            confirm(f"Free seat {number} of game {found.id}?", yes)
        done = f"Seat {number} of {found.id} is free."
        do_at(services, found.id, lambda tx: at_games.vacate(services, tx, found.id, number), done, **how)


@seats.command("invite")
@click.argument("game", shell_complete=completion.games)
@click.argument("seat")
@click.argument("email")
@at_a_table
def invite_to_seat(game: str, seat: str, email: str, yes: bool, **how: Any) -> None:
    """Invite EMAIL to SEAT of GAME, which nobody plays: by a mail that can be answered with one word.

    Where several seats are vacant, whoever comes first gets the first of them.

    Example: wardroom seats invite k7x2m9qd4t 2 dan@example.org --why "A new player for it." (docs/operations.md)
    """
    from service.accounts.names import normalise_email
    from service.operator import games as at_games

    try:
        address = normalise_email(email)
    except ValueError as error:
        raise Failure(os.EX_DATAERR, str(error)) from error
    with open_services() as services:
        with services.database.read() as connection:
            found = find_game(connection, game)
            number = find_seat(connection, found, seat)
        done = f"{address} is invited to seat {number} of {found.id}."
        do_at(services, found.id, lambda tx: at_games.invite(services, tx, found.id, number, address), done, **how)
