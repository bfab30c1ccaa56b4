"""Giving up the seats of somebody who is erased, one game and one transaction each."""

from typing import Final

from domain.table.record import Record
from domain.table.seating import give_up
from service.container import Services
from service.games import play
from service.games.commit import lock
from service.kernel.log import log
from service.store.database import Connection
from service.store.games import seats

LOG: Final = "wardroom.erasure"


def leave_all(services: Services, player: str) -> tuple[int, int]:
    """Give up every seat that a player still plays. How many were, and how many could not be."""
    with services.database.read() as connection:
        ids = seats.games_still_played(connection, player)
    given = 0
    for game in ids:
        try:
            with services.database.write() as tx:
                given += _leave(services, tx, game, player)
        except Exception as error:  # one game that cannot be opened must not stop the others
            log(LOG, "warning", "a seat could not be given up yet", game=game, error=type(error).__name__)
    return given, len(ids) - given


def _leave(services: Services, tx: Connection, game: str, player: str) -> bool:
    """Give up a player's seat in one game, and let what follows come about. Whether there was nothing amiss."""
    head = lock(services, tx, game)
    record = Record(head.table, head.rules)
    give_up(record, player)
    if record.facts:
        play.conclude(services, tx, head, record, record.facts[-1].actor)
    return True
