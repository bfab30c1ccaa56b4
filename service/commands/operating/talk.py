"""`wardroom talk`: lines of table talk that nobody should read."""

import os

import click

from service.commands.operating.acting import act, acts, confirm
from service.commands.terminal import completion
from service.commands.terminal.exits import Failure
from service.commands.terminal.opening import open_services


@click.group()
def talk() -> None:
    """Table talk: hide a line from everybody, and show it again."""


@talk.command("hide")
@click.argument("game", shell_complete=completion.games)
@click.argument("message", type=click.IntRange(1, 2**63 - 1))
@acts
def hide_line(game: str, message: int, why: str, operator: str | None, yes: bool) -> None:
    """Hide line MESSAGE of the talk in GAME from all who could read it; in its place stands that it was, and why.

    MESSAGE is its number, as GET /games/GAME/messages tells it to whoever sits there. Its text is not shown to you
    either: whoever complains quotes it. Mails that went out with it are out.

    Example: wardroom talk hide k7x2m9qd4t 384015577203 --why "Threats." --yes (docs/operations.md)
    """
    confirm(f"Hide line {message} of the talk in {game} from everybody?", yes)
    _set(game, message, why, operator, hides=True)
    click.echo("The line is hidden, and its author is told by mail.", err=True)


@talk.command("unhide")
@click.argument("game", shell_complete=completion.games)
@click.argument("message", type=click.IntRange(1, 2**63 - 1))
@acts
def unhide_line(game: str, message: int, why: str, operator: str | None, yes: bool) -> None:
    """Show line MESSAGE of the talk in GAME again.

    Example: wardroom talk unhide k7x2m9qd4t 384015577203 --why "It was a quotation." --yes (docs/operations.md)
    """
    confirm(f"Show line {message} of the talk in {game} again?", yes)
    _set(game, message, why, operator, hides=False)
    click.echo("The line can be read again, and its author is told by mail.", err=True)


def _set(game: str, message: int, why: str, operator: str | None, *, hides: bool) -> None:
    from service.operator import talk as lines
    from service.store.event_store.streams import NoSuchGame

    change = lines.hide if hides else lines.unhide
    with open_services() as services:
        try:
            act(services, operator, why, lambda tx: change(services, tx, game, message))
        except (NoSuchGame, lines.NoSuchLine) as none:
            raise Failure(os.EX_NOINPUT, f"There is no line {message} of talk in a game {game}.") from none
