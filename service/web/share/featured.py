"""The game that the first page shows: a public one that goes on just now, else one that was played lately."""

from collections.abc import Sequence
from typing import Final

from service.container import Services
from service.games.watchable import public_games
from service.kernel.clock import SECOND
from service.kernel.log import log
from service.pictures import has_drawing
from service.store.database import Connection, DBAPIError
from service.store.games.game_filters import ANY
from service.store.games.game_rows import Order
from service.web.share.preview import Preview, preview_of

LOOKED_AT: Final = 8
"""Games of each sort that are looked at."""
AGAIN: Final = 60 * SECOND
"""Microseconds after which another game may be chosen."""
SOUGHT: Final[Sequence[tuple[str, Order]]] = (("running", "moved"), ("finished", "opened"))
FEWEST: Final = 20
"""Events of a game in which there is something to see."""
_chosen: Final[dict[str, tuple[int, str | None]]] = {}
"""By service, as its database's address: when one was chosen, and which."""


def featured(services: Services, connection: Connection, language: str) -> Preview | None:
    """The game to show, as it stands; None where there is none that is worth it."""
    now = services.database.clock.now()
    at, game = _chosen.get(services.database.url, (-AGAIN, None))
    if not 0 <= now - at < AGAIN:
        game = _choose(connection)
        _chosen[services.database.url] = (now, game)
    if game is None:
        return None
    try:
        return preview_of(services, connection, services.streams.head(connection, game), language)
    except DBAPIError:
        raise
    except Exception as error:
        log("wardroom.pages", "warning", "the first page goes without a game", game=game, error=type(error).__name__)
        return None


def _choose(connection: Connection) -> str | None:
    """One that is under way before one that is over, and the one played last among them."""
    for status, order in SOUGHT:
        found, _ = public_games(connection, [status], ANY, None, LOOKED_AT, order=order)
        for game in found:
            if game.version >= FEWEST and has_drawing(game.ruleset):
                return game.id
    return None
