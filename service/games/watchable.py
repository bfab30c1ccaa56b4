"""Lists of public games to watch, in the order of their states."""

from collections.abc import Sequence

from service.store.database import Connection
from service.store.games import game_rows
from service.store.games.game_filters import Wanted
from service.store.games.game_rows import Listed, Order

Place = tuple[int, str]
"""Where a game stands in a list: by when it was opened or moved last, and its id."""


def public_games(
    connection: Connection, statuses: Sequence[str], wanted: Wanted, after: Place | None, limit: int,
    *, ruleset: str | None = None, order: Order = "opened",
) -> tuple[list[Listed], Place | None]:  # fmt: skip
    """Public games in these states as they are wanted, and what the next page begins after.

    Each state is looked up by itself, in the order of its index, so that nothing has to be sorted.
    """
    found = [
        game
        for status in statuses
        for game in game_rows.newest(
            connection, None, limit + 1, status=status, mine=False, awaiting=False, after=after,
            ruleset=ruleset, order=order, wanted=wanted,
        )
    ]  # fmt: skip
    found.sort(key=lambda game: _place(game, order), reverse=True)
    return found[:limit], _place(found[limit - 1], order) if len(found) > limit else None


def _place(game: Listed, order: Order) -> Place:
    return game.created_at if order == "opened" else game.last_at, game.id
