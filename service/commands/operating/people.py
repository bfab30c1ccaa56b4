"""Commands about people: `wardroom token`, `wardroom erase`."""

import os
import sys
from typing import TYPE_CHECKING

import click

from service.commands.terminal import completion
from service.commands.terminal.exits import Failure
from service.commands.terminal.opening import open_services

if TYPE_CHECKING:
    from service.container import Services


@click.command()
@click.argument("email")
@click.option("--name", help="Name of the player, if one must be made.")
def token(email: str, name: str | None) -> None:
    """Print a token for EMAIL, whose player is made if needed.

    Example: wardroom token ann@example.org (docs/programs.md)
    """
    from service.accounts import people
    from service.accounts.names import normalise_email, normalise_name

    try:
        email, name = normalise_email(email), normalise_name(name) if name is not None else None
    except ValueError as error:
        raise Failure(os.EX_DATAERR, str(error)) from error
    with open_services() as services, services.database.write() as tx:
        click.echo(people.token_for(services, tx, email, name))


@click.command()
@click.argument("player", metavar="EMAIL|PLAYER_ID", required=False, shell_complete=completion.players)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--again", is_flag=True, help="After a restore: erase everybody who was erased before, by the journal.")
def erase(player: str | None, yes: bool, again: bool) -> None:
    """Erase everything that says who somebody is; their games stay. It cannot be taken back. Exit 67 if unknown.

    A guest who was invited and is no player is erased by address. What others keep that names them is reduced by the
    running service within a quarter of an hour.

    Example: wardroom erase bob@example.org --yes (docs/operations.md)
    """
    from service.privacy import erase as erasure

    if again == (player is not None):
        raise click.UsageError("Name one person, or say --again.")
    with open_services() as services:
        if player is None:
            return _erase_again(services, yes)
        with services.database.read() as connection:
            found = erasure.find(connection, player)
        if found is None and "@" not in player:
            raise Failure(os.EX_NOUSER, f"There is no player {player}: give their address, or the id shown in games.")
        _ask(f"Erase all that says who {player} is? It cannot be taken back", yes)
        done = erasure.erase_guest(services, player) if found is None else erasure.erase(services, found)
    if done is None:
        raise Failure(os.EX_NOUSER, f"There is no player {player}, and nothing is kept about this address.")
    rows = ", ".join(f"{count} {section}" for section, count in sorted(done.rows.items()) if count)
    click.echo(f"Deleted: {rows or 'nothing more'}. Seats given up: {done.seats}.", err=True)
    if done.left:
        click.echo(f"In {done.left} games that is still to do; the service tries it again.", err=True)
    return None


def _erase_again(services: "Services", yes: bool) -> None:
    from service.privacy import erase as erasure
    from service.privacy import erasure_journal

    ids = erasure_journal.read(services.settings.data_dir)
    _ask(f"Erase the {len(ids)} people in {erasure_journal.path(services.settings.data_dir)} again?", yes)
    done = [erasure.erase(services, player, again=True) for player in ids]
    back = sum(erased is not None and erased.rows.total() > 0 for erased in done)
    click.echo(f"{len(ids)} people were erased before; {back} had come back, and are erased again.", err=True)


def _ask(question: str, yes: bool) -> None:
    if not yes:
        if not sys.stdin.isatty():
            raise Failure(os.EX_USAGE, "Nothing was erased: there is nobody to ask, so say --yes.")
        click.confirm(question, abort=True, err=True)
