"""The alarm where a game cannot be read: find out whether it is the game, and stop it alone if so (A-21).

Called outside any transaction, for the one that met it is lost and another one is needed to write down anything.
"""

import time
from typing import Final

from domain.engine.refusals import RuleViolation
from service.container import Services
from service.integrity.audit import audit_game
from service.kernel.log import log
from service.store.clocks.halted import GameHalted, why_halted
from service.store.database import OutcomeUnknown
from service.store.errors import DatabaseError, is_garbled
from service.store.event_store.streams import NoSuchGame, StaleTurn

AGAIN: Final = 30.0
"""Seconds before the same process looks at the same game once more."""
MOST: Final = 1000
_looked: Final[dict[tuple[str, str], float]] = {}
HARMLESS: Final = (RuleViolation, NoSuchGame, StaleTurn, OutcomeUnknown)


def suspect(services: Services, game: str | None, error: BaseException) -> str | None:
    """An error came up over a game: audit it, unless that was just done. Why it is stopped now; None if it is not."""
    if isinstance(error, GameHalted):
        return error.reason
    if not game or isinstance(error, HARMLESS) or (isinstance(error, DatabaseError) and not is_garbled(error)):
        return None
    try:
        with services.database.read() as connection:
            stopped = why_halted(connection, game)
        if stopped is not None or not _is_due((services.database.url, game)):
            return stopped
        return audit_game(services, game).halted
    except DatabaseError as trouble:
        log("wardroom.security", "error", "a game could not be audited", game=game, error=type(trouble).__name__)
        return None


def _is_due(which: tuple[str, str]) -> bool:
    now = time.monotonic()
    if now - _looked.get(which, -AGAIN) < AGAIN:
        return False
    if len(_looked) >= MOST:
        _looked.clear()
    _looked[which] = now
    return True
