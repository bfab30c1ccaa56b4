"""A first game: a private table with two bots that begins at once."""

from typing import Final

from domain.engine.bots import TEMPERS, Bot
from domain.engine.refusals import require
from domain.rulesets import RULESETS
from service.clocks.presets import PRESETS, RELAXED
from service.container import Services
from service.games import play
from service.games.bots import seats_of_first_game
from service.store.database import Connection
from service.store.games import guest_games
from service.store.people import players

KINDS: Final = ("tammany-hall", "city-hall")
"""The games that are offered, the first one first."""
GUEST_CLOCK: Final = {"per_move": "P30D", "reminders": ["P7D", "P1D"]}
"""Longer than an idle guest is kept, so that no clock ends a guest's turn; it counts once the game is kept."""


def begin(services: Services, tx: Connection, player: str, kind: str) -> str:
    """Begin a first game for a player and return its id; of a guest who is playing, the game that goes on."""
    require(kind in KINDS, "unknown-ruleset", "DESIGN-8", "There is no such game to begin with: choose another one.")
    players.lock(tx, player)
    known = players.by_id(tx, player)
    is_guest = known is not None and known.is_guest
    running = guest_games.running_of(tx, player) if is_guest else None
    if running is not None:
        return running
    seats = seats_of_first_game(RULESETS[kind])
    opened = play.open_game(
        services, tx, player, kind=kind, seats=seats, options={},
        clock=GUEST_CLOCK if is_guest else PRESETS[RELAXED].clock,
        public=False, bots=[Bot(1, temper) for temper in TEMPERS[: seats - 1]], invite=[], nonce=None,
    )  # fmt: skip
    return opened.head.game
