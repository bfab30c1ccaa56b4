"""Bots at tables, as their host wants them: which sit down, which take a vacant seat, which are sent away."""

from typing import Final

from domain.engine.bots import Bot
from domain.engine.game import Seat
from domain.table.evolve import Rules
from domain.table.record import Record
from domain.table.seating import put_bot, remove_bot
from service.container import Services
from service.games.outcomes import Moved
from service.games.play import conclude, enter, require_few_bot_tables
from service.kernel.ids import new_nonce
from service.store.database import Connection
from service.store.event_store.streams import GameOrHead
from service.store.people import players

FIRST_GAME: Final = 3
"""Seats at a first game: City Hall's rulebook recommends more than two players."""


def seats_of_first_game(rules: Rules) -> int:
    """Return how many seats a first game against bots has: three, or the nearest number that the game allows."""
    return next((seats for seats in rules.seats if seats >= FIRST_GAME), rules.seats[-1])


def seat_bot(services: Services, tx: Connection, game: GameOrHead, player: str, seat: Seat, bot: Bot) -> Moved:
    """Let a bot play a free or vacant seat, or in the place of another bot; the same bot again changes nothing.

    Refused where the host has as many tables already at which bots think as one may (RATE-09).
    """
    players.lock(tx, player)  # one table at a time
    head = enter(services, tx, game, player)
    record = Record(head.table, head.rules)
    put_bot(record, player, seat, bot, new_nonce(services.entropy))
    if not record.facts:
        return Moved(head, [], record)
    moved = conclude(services, tx, head, record, record.facts[0].actor)
    require_few_bot_tables(services, tx, head)
    return moved


def send_bot_away(services: Services, tx: Connection, game: GameOrHead, player: str, seat: Seat) -> Moved:
    """Give the seat of a bot free: anybody may sit down there, and the caretaker plays it meanwhile."""
    head = enter(services, tx, game, player)
    record = Record(head.table, head.rules)
    remove_bot(record, player, seat)
    return conclude(services, tx, head, record, record.facts[0].actor)
