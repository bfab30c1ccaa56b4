"""`wardroom journal`: what operators did, and why."""

import click

from service.commands.operating.at_tables import act_document, find_game
from service.commands.terminal import facts
from service.commands.terminal.opening import open_services

COLUMNS = ("number", "at", "operator", "what", "game", "seat", "player", "why")


@click.command()
@click.option("--game", metavar="GAME", help="Only what was done to this game.")
@click.option("--player", metavar="ID", help="Only what was done about this player.")
@click.option(
    "--before", type=click.IntRange(1, 2**63 - 1), metavar="NUMBER", help="Go on with what was done before this line."
)
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="How many, newest first.")
@facts.json_option
def journal(game: str | None, player: str | None, before: int | None, limit: int, as_json: bool) -> None:
    """Show what operators did by command, the newest first: who, when, what, about whom, and why.

    Lines are only ever added. A reason is erased with the people it may name.

    Example: wardroom journal --limit 10 (docs/operations.md)
    """
    from service.store.running import operator_acts

    with open_services() as services, services.database.read() as connection:
        about = None if game is None else find_game(connection, game).id
        found = operator_acts.latest(connection, limit + 1, before, game=about, player=player)
    rows = [act_document(line) for line in found[:limit]]
    facts.show_list(rows, COLUMNS, as_json=as_json, nothing="Nothing was done by command yet.")
    if len(found) > limit:
        click.echo(f"There are more: say the same with --before {found[limit - 1].number}.", err=True)
