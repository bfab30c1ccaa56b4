"""Ids of games and players as a shell completes them: from the database, if it answers at once; else none.

Nothing is made, migrated or said for it, whatever is wrong.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from service.container import Services
    from service.store.database import Connection

MOST: Final = 50


def games(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The games whose ids begin so, the newest first, with what they are."""
    with suppress(Exception), _reading() as (_, connection):
        from service.store.across import player_lists

        found = player_lists.games_beginning(connection, typed, MOST)
        return [CompletionItem(game, help=f"{kind}, {status}") for game, kind, status in found]
    return []


def players(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """The players whose addresses, or ids, begin so, with their names."""
    with suppress(Exception), _reading() as (services, connection):
        from service.store.across import player_lists

        now = services.database.clock.now(connection)
        found = player_lists.listed(connection, now, typed, most=MOST)
        named = [(player.id if player.id.startswith(typed) else player.email, player.name) for player in found]
        return [CompletionItem(known_as, help=name) for known_as, name in named if known_as.startswith(typed)]
    return []


@contextmanager
def _reading() -> Iterator["tuple[Services, Connection]"]:
    """A look into the database that is there. Raises whatever stands in its way."""
    from pathlib import Path

    from config.settings import load
    from service.container import assemble

    settings = load(makes_key=False)
    if settings.sqlite and not Path(settings.database_url.removeprefix("sqlite:///")).is_file():
        raise FileNotFoundError
    services = assemble(settings)
    try:
        with services.database.read() as connection:
            yield services, connection
    finally:
        services.database.close()
