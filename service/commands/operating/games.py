"""`wardroom games`: what is played here, and what the operator may do to a game."""

from typing import Any, Final

import click

from service.commands.operating.acting import confirm
from service.commands.operating.at_tables import at_a_table, do_at, find_game
from service.commands.terminal import completion, facts
from service.commands.terminal.opening import open_services

STATUSES: Final = ("open", "running", "finished", "abandoned")
COLUMNS: Final = ("id", "ruleset", "status", "seats", "free", "asked", "waiting_since", "opened", "moved")
HOUR: Final = 3600


@click.group()
def games() -> None:
    """Games: find them, see who is waited for, stop and start their clocks, end them.

    Nothing that is sealed is shown: no hands, no bids, no position.
    """


@games.command("list")
@click.option("--status", type=click.Choice(STATUSES), help="Only these.")
@click.option("--ruleset", metavar="NAME", help="Only games by these rules, such as tammany-hall.")
@click.option("--host", metavar="ID|EMAIL|NAME", help="Only those of the player who opened them.")
@click.option(
    "--waiting", type=click.IntRange(0, 876_000), metavar="HOURS", help="Only where somebody is asked for so long."
)
@click.option("--stopped", is_flag=True, help="Only games that are stopped, as their records do not verify.")
@click.option("--after", metavar="GAME", help="Go on behind this game.")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="How many, newest first.")
@facts.json_option
def list_games(after: str | None, limit: int, as_json: bool, **asked: Any) -> None:
    """Show games, the newest first: seats, seats that nobody plays, people who are asked, and since when the first is.

    Example: wardroom games list --status running --waiting 72 (docs/operations.md)
    """
    from service.commands.operating.game_facts import asked_for, list_fact
    from service.store.across import operator_views

    with open_services() as services, services.database.read() as connection:
        wanted = asked_for(connection, services.database.clock.now(connection), **asked)
        after = None if after is None else find_game(connection, after).id
        found = operator_views.newest(connection, wanted, after, limit + 1)
    facts.show_list(map(list_fact, found[:limit]), COLUMNS, as_json=as_json, nothing="There is no such game.")
    if len(found) > limit:
        click.echo(f"There are more: say the same with --after {found[limit - 1].id}.", err=True)


@games.command("show")
@click.argument("game", shell_complete=completion.games)
@facts.document_option
def show_game(game: str, as_json: bool) -> None:
    """Show who sits in GAME, who is asked since when and until when, mail that did not go out, and the journal.

    GAME is its id, or the address of its page.

    Example: wardroom games show k7x2m9qd4t (docs/operations.md)
    """
    from service.commands.operating.game_facts import document, lines

    with open_services() as services, services.database.read() as connection:
        found = document(services, connection, find_game(connection, game))
    facts.show(found, lines(found), as_json=as_json)


@games.command("end")
@click.argument("game", shell_complete=completion.games)
@at_a_table
def end_game(game: str, yes: bool, **how: Any) -> None:
    """End GAME for good, without a result, or close a table that has not begun. It cannot be taken back.

    All that is sealed there can be read by everybody then, as after any end. Players get the letter of the end, with
    your reason.

    Example: wardroom games end k7x2m9qd4t --why "All four asked for it." --yes (docs/operations.md)
    """
    from service.operator import games as at_games

    with open_services() as services:
        with services.database.read() as connection:
            found = find_game(connection, game).id
        if not how["dry_run"]:
            confirm(f"End game {found} for good? It cannot be taken back", yes, typed=found)
        do_at(services, found, lambda tx: at_games.end(services, tx, found), f"Game {found} is over.", **how)


@games.command("pause")
@click.argument("game", shell_complete=completion.games)
@click.option("--hours", type=click.IntRange(1, 1440), help="For so long at most; else until it is resumed.")
@at_a_table
def pause_game(game: str, hours: int | None, yes: bool, **how: Any) -> None:
    """Stop the clock of GAME: nothing is due there. Moves can be made; all players together may start it again.

    Example: wardroom games pause k7x2m9qd4t --hours 72 --why "The mail server was away." (docs/operations.md)
    """
    from service.operator import games as at_games

    with open_services() as services:
        with services.database.read() as connection:
            found = find_game(connection, game).id
        seconds = (hours or 0) * HOUR
        done = f"The clock of {found} is stopped{f', for {hours} hours at most' if hours else ''}."
        do_at(services, found, lambda tx: at_games.pause(services, tx, found, seconds), done, **how)


@games.command("resume")
@click.argument("game", shell_complete=completion.games)
@at_a_table
def resume_game(game: str, yes: bool, **how: Any) -> None:
    """Start the clock of GAME again, whatever had stopped it: everybody has the time that was left.

    Example: wardroom games resume k7x2m9qd4t --why "Mail arrives again." (docs/operations.md)
    """
    from service.operator import games as at_games

    with open_services() as services:
        with services.database.read() as connection:
            found = find_game(connection, game).id
        done = f"The clock of {found} runs again."
        do_at(services, found, lambda tx: at_games.resume(services, tx, found), done, **how)
