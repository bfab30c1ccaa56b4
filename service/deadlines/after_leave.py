"""Let clocks pass over the leave of their player, one game at a time.

They follow at once, in each sweep for a limited time, and before a deadline would pass.
"""

import contextlib
from typing import Final

from domain.engine.game import Seat
from service.clocks.policy import policy
from service.clocks.seat_clocks import running, with_leave_of
from service.container import Services
from service.games.commit import lock, move_deadlines
from service.kernel.clock import SECOND
from service.store.clocks import decisions
from service.store.clocks.decisions import Decision
from service.store.clocks.halted import GameHalted
from service.store.database import Connection
from service.store.event_store.streams import GameOrHead, Head
from service.store.people import absences

LATELY: Final = 600 * SECOND


def follow(services: Services, tx: Connection, game: GameOrHead, seat: Seat) -> bool:
    """Let the clock of a seat follow the leave of its player. Return whether its deadline moved."""
    head = lock(services, tx, game)
    owed = decisions.hold_seat(tx, head.game, seat)
    return owed is not None and follow_owed(services, tx, head, owed)


def follow_owed(services: Services, tx: Connection, head: Head, owed: Decision) -> bool:
    """Do the same for a decision that is locked."""
    foreseen = with_leave_of(tx, head, owed)
    if foreseen is None:
        return False
    hours, shown = foreseen
    values = {"hours": hours.text()}
    if shown is not None and shown.due != owed.due_at:
        values |= running(policy(head.table.clock), shown, head.now, owed.acts)
    return move_deadlines(services, tx, head, {owed.seat: values}, "player", reason="leave")


def follow_all(services: Services, player: str) -> None:
    """Let all clocks of a player follow, one game after the other."""
    with services.database.read() as connection:
        owed = decisions.of_player(connection, player)
    for row in owed:
        with contextlib.suppress(GameHalted), services.database.write() as tx:
            follow(services, tx, row.game_id, row.seat)


def announced_lately(connection: Connection, now: int) -> list[tuple[str, Seat]]:
    """Return the games and seats of those who announced leave not long ago, whose clocks may still have to follow."""
    return decisions.of_players(connection, absences.players_who_announced(now - LATELY))
