"""Lists of games and decisions, for lobbies and for those who are waited for."""

from typing import Any

from domain.rulesets import RULESETS
from domain.table.evolve import Rules
from domain.table.state import Chair
from service.games.views import chair_document
from service.kernel.clock import text
from service.store.clocks import decisions
from service.store.database import Connection
from service.store.games import game_rows, seats
from service.store.games.seats import Sitting

Document = dict[str, Any]


def turns(connection: Connection, player: str) -> list[Document]:
    """The decisions that wait for a player, the most urgent first."""
    return [
        {
            "game": owed.game_id,
            "ruleset": ruleset,
            "seat": owed.seat,
            "decision": owed.decision,
            "since": owed.since,
            "due": None if owed.due_at is None else text(owed.due_at),
        }
        for owed, ruleset in decisions.waiting_for(connection, player)
    ]


def lobby(
    connection: Connection,
    player: str,
    *,
    status: str | None,
    mine: bool,
    awaiting_me: bool,
    after: tuple[int, str] | None,
    limit: int,
    ruleset: str | None = None,
) -> tuple[list[Document], tuple[int, str] | None]:
    """Games newest first, public ones and the player's own, and what the next page begins after."""
    found = game_rows.newest(
        connection, player, limit + 1, status=status, mine=mine, awaiting=awaiting_me, after=after, ruleset=ruleset
    )
    listed = found[:limit]
    sitting = _seats_by_game(connection, [game.id for game in listed])
    items = [
        {
            "id": game.id,
            "ruleset": game.ruleset,
            "status": game.status,
            "version": game.version,
            "hash": game.hash,
            "public": game.public,
            "created_at": text(game.created_at),
            "seats": [_seat_document(RULESETS[game.ruleset], seat) for seat in sitting.get(game.id, ())],
        }
        for game in listed
    ]
    return items, (listed[-1].created_at, listed[-1].id) if len(found) > limit else None


def _seats_by_game(connection: Connection, games: list[str]) -> dict[str, list[Sitting]]:
    table: dict[str, list[Sitting]] = {}
    for seat in seats.at_games(connection, games):
        table.setdefault(seat.game_id, []).append(seat)
    return table


def _seat_document(rules: Rules, seat: Sitting) -> Document:
    chair = Chair(player=seat.player_id, bot=seat.bot, vacant=seat.vacant, strikes=seat.strikes)
    return chair_document(rules, seat.seat, chair, seat.name)
