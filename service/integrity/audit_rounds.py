"""A few games audited in each round of housekeeping, those overdue for longest: running ones about daily, those that
are over about monthly (A-13)."""

import time
from typing import Final

from service.clocks.hours import DAY
from service.container import Services
from service.integrity.audit import audit_game
from service.kernel.log import log
from service.store.database import Connection
from service.store.event_store import audits, house_log

SECONDS: Final = 0.2
"""How long a round takes for every FEW games that wait, besides the game it is at then."""
FEW: Final = 20
MOST_SECONDS: Final = 1.0
EVERY: Final = DAY
EVERY_OVER: Final = 30 * DAY
AT_ONCE: Final = 100


def look_round(services: Services, seconds: float | None = None) -> int:
    """Audit games until the time is over, or none waits. How many."""
    began = time.monotonic()
    with services.database.read() as connection:
        now = services.database.clock.now(connection)
        ids = audits.due(connection, now, EVERY, EVERY_OVER, AT_ONCE)
    end = began + (min(MOST_SECONDS, SECONDS * max(1, len(ids) / FEW)) if seconds is None else seconds)
    done: list[str] = []
    for game in ids:
        done.append(game)
        try:
            audit_game(services, game)
        except Exception as error:  # one game must not keep the others from being looked at
            log("wardroom.security", "error", "a game could not be audited", game=game, error=type(error).__name__)
        if time.monotonic() > end:
            break
    if done:
        with services.database.write() as tx:
            for game in done:
                audits.note(tx, game, now)
            house_log.tell_again(services.database, tx, done)
    return len(done)


def longest_ago(connection: Connection) -> int | None:
    """When the running game was audited that was not for longest; None where none runs."""
    return audits.longest_ago(connection)
