"""Erasing guests whom nobody visits any more: the account, its game, and every row about them (decision 0123)."""

from collections.abc import Iterable
from typing import Final

from service.accounts.guests import IDLE, UNSEEN
from service.container import Services
from service.kernel.log import log
from service.privacy import delete_rows
from service.store.across.personal_data import Person
from service.store.database import Connection
from service.store.games import guest_games
from service.store.people import guests

BATCH: Final = 20
LOG: Final = "wardroom.erasure"


def erase_idle(services: Services) -> int:
    """Erase guests without a visit for `IDLE`. Returns how many."""
    with services.database.read() as connection:
        found = _idle(services, connection)
    return erase(services, found, only_idle=True)


def erase(services: Services, found: Iterable[str], *, only_idle: bool = False) -> int:
    """Erase these guests, each in its own transaction. Returns how many. Full accounts are left alone.

    Nothing is noted in the journal of erasures: a guest who comes back with a backup is idle again.
    """
    erased = 0
    for player in found:
        try:
            with services.database.write() as tx:
                wanted = guests.lock_guest(tx, player) and (not only_idle or player in _idle(services, tx))
                if wanted:
                    _delete(services, tx, player)
                    erased += 1
        except Exception as error:  # one that cannot be erased must not stop the others
            log(LOG, "error", "a guest could not be erased", player=player, error=type(error).__name__)
    if erased:
        services.pictures.clear()
        services.database.wipe()
    return erased


def _idle(services: Services, connection: Connection) -> list[str]:
    now = services.database.clock.now(connection)
    return guests.idle(connection, now - IDLE, now - UNSEEN, BATCH)


def _delete(services: Services, tx: Connection, player: str) -> None:
    for game in guest_games.hosted_by(tx, player):
        guest_games.delete(tx, game)
    delete_rows.forget(tx, Person(player, player), services.database.clock.now(tx))
