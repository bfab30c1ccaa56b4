"""Stopping one game that does not verify, and letting it go on: nothing of it expires or goes out meanwhile (A-20)."""

from typing import Final

from service.clocks import outages, seat_clocks
from service.container import Services
from service.games.commit import give_back_outages, move_deadlines
from service.kernel.clock import SECOND
from service.kernel.log import log
from service.store.clocks import decisions, halted
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


def release(services: Services, tx: Connection, game: str) -> bool:
    """Let a game go on that verifies again; who owes an answer gets back the time it stood. Whether it was stopped."""
    since = halted.lock_stopped(tx, game)
    if since is None:
        return False
    halted.let_go_on(tx, game)
    head = services.streams.lock(tx, game)
    give_back_outages(services, tx, head, upto=since)
    ended = max(since, outages.charged_until(tx, head.now))  # what comes after it, an outage gives back
    rows = (row for row in decisions.hold_game(tx, game) if row.due_at is not None)
    given = {row.seat: seat_clocks.stood(row, since, ended) for row in rows if ended > since}
    move_deadlines(services, tx, head, given, "service")
    log(LOG, "warning", "a game goes on", game=game, seconds=(head.now - since) // SECOND)
    return True
