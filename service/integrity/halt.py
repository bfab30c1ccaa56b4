"""Stopping one game that does not verify, and letting it go on: nothing of it expires or goes out meanwhile (A-20)."""

from typing import Final

from service.clocks import seat_clocks
from service.kernel.clock import SECOND
from service.kernel.log import log
from service.store.clocks import halted
from service.store.database import Connection, Database
from service.store.games import seats

LOG: Final = "wardroom.security"
LONGEST_REASON: Final = 200


def halt(database: Database, tx: Connection, game: str, reason: str) -> bool:
    """Stop a game, with an alarm. Whether it was going."""
    stopped = halted.stop(tx, game, database.clock.now(tx), reason[:LONGEST_REASON])
    if stopped:
        log(LOG, "error", "a game does not verify, and is stopped: the others go on", game=game, reason=reason)
    return stopped


def may_hear(connection: Connection, game: str, player: str | None) -> bool:
    """Whether a player may know that there is such a game, as far as its rows tell without its history (S-11)."""
    return seats.may_know(connection, game, player)


def release(database: Database, tx: Connection, game: str) -> bool:
    """Let a game go on that verifies again; who owes an answer gets back the time it stood. Whether it was stopped."""
    since = halted.lock_stopped(tx, game)
    if since is None:
        return False
    now = database.clock.now(tx)
    halted.let_go_on(tx, game)
    credited = seat_clocks.credit(tx, since, max(since, now), halted=game)
    log(LOG, "warning", "a game goes on", game=game, seconds=(now - since) // SECOND, clocks=credited)
    return True
