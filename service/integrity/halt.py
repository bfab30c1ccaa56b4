"""Stopping one game that does not verify, and letting it go on: nothing of it expires or goes out meanwhile (A-20)."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.clocks import seat_clocks
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.log import log
from service.store.invitations import invitations
from service.store.players import players, seats
from service.store.streams import games

LOG: Final = "wardroom.security"
LONGEST_REASON: Final = 200


def halt(services: Services, tx: Connection, game: str, reason: str) -> bool:
    """Stop a game, with an alarm. Whether it was going."""
    now = services.database.clock.now(tx)
    going = sa.update(games).where(games.c.id == game, games.c.halted_at.is_(None))
    stopped = tx.execute(going.values(halted_at=now, halted=reason[:LONGEST_REASON])).rowcount == 1
    if stopped:
        log(LOG, "error", "a game does not verify, and is stopped: the others go on", game=game, reason=reason)
    return stopped


def may_hear(connection: Connection, game: str, player: str | None) -> bool:
    """Whether a player may know that there is such a game, as far as its rows tell without its history (S-11)."""
    sits = sa.exists().where(seats.c.game_id == game, seats.c.player_id == player)
    keys = sa.select(players.c.email_key).where(players.c.id == player)
    asked = sa.exists().where(invitations.c.game_id == game, invitations.c.email_key.in_(keys))
    seen = sa.or_(games.c.public, games.c.host == player, sits, asked)
    return connection.execute(sa.select(games.c.id).where(games.c.id == game, seen)).first() is not None


def release(services: Services, tx: Connection, game: str) -> bool:
    """Let a game go on that verifies again; who owes an answer gets back the time it stood. Whether it was stopped."""
    row = tx.execute(sa.select(games.c.halted_at).where(games.c.id == game).with_for_update()).first()
    if row is None or row[0] is None:
        return False
    now = services.database.clock.now(tx)
    tx.execute(sa.update(games).where(games.c.id == game).values(halted_at=None, halted=None))
    credited = seat_clocks.credit(tx, row[0], max(row[0], now), halted=game)
    log(LOG, "warning", "a game goes on", game=game, seconds=(now - row[0]) // SECOND, clocks=credited)
    return True
