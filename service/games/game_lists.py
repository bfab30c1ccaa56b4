"""Lists of games and decisions, for lobbies and for those who are waited for."""

from typing import Any

from service.games.seat_names import seat_status
from service.kernel.clock import text
from service.store import decisions, game_rows, seats
from service.store.database import Connection
from service.store.seats import Sitting

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
            "seats": sitting.get(game.id, []),
        }
        for game in listed
    ]
    return items, (listed[-1].created_at, listed[-1].id) if len(found) > limit else None


def _seats_by_game(connection: Connection, games: list[str]) -> dict[str, list[Document]]:
    table: dict[str, list[Document]] = {}
    for seat in seats.at_games(connection, games):
        table.setdefault(seat.game_id, []).append(_seat_document(seat))
    return table


def _seat_document(seat: Sitting) -> Document:
    status = seat_status(seat.player_id, seat.bot, seat.vacant)
    return {"seat": seat.seat, "status": status, "player": seat.player_id, "name": seat.name, "strikes": seat.strikes}
