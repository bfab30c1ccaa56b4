"""Lists of games and decisions, for lobbies and for those who are waited for."""

from typing import Any, Literal

from domain.rulesets import RULESETS
from domain.table.evolve import Rules
from domain.table.state import Chair
from service.games.seat_names import name_of
from service.games.views import chair_document
from service.kernel.clock import text
from service.store.across import careers
from service.store.clocks import decisions
from service.store.database import Connection
from service.store.games import game_rows, seats
from service.store.games.game_filters import ANY, Wanted
from service.store.games.game_rows import Order
from service.store.games.seats import Sitting
from service.store.people import avoided

Document = dict[str, Any]
Result = Literal["won", "lost"]


def turns(connection: Connection, player: str) -> list[Document]:
    """The decisions that wait for a player, the most urgent first."""
    return [
        {
            "game": owed.game_id,
            "name": name_of(owed.game_id, name),
            "ruleset": ruleset,
            "seat": owed.seat,
            "decision": owed.decision,
            "since": owed.since,
            "due": None if owed.due_at is None else text(owed.due_at),
        }
        for owed, ruleset, name, _ in decisions.waiting_for(connection, player)
    ]


def lobby(
    connection: Connection,
    player: str | None,
    *,
    status: str | None,
    mine: bool,
    awaiting_me: bool,
    after: tuple[int, str] | None,
    limit: int,
    ruleset: str | None = None,
    beside: str | None = None,
    result: Result | None = None,
    order: Order = "opened",
    wanted: Wanted = ANY,
) -> tuple[list[Document], tuple[int, str] | None]:
    """Games newest first, public ones and the player's own, and what the next page begins after.

    `beside` is somebody who sits there, too; `result` is what the player made of them, and leaves out all others.
    """
    found = game_rows.newest(
        connection,
        player,
        limit + 1,
        status=status,
        mine=mine or result is not None,
        awaiting=awaiting_me,
        after=after,
        ruleset=ruleset,
        beside=beside,
        among=_ended_so(connection, player, result),
        order=order,
        wanted=wanted,
    )
    listed = found[:limit]
    sitting = _seats_by_game(connection, [game.id for game in listed])
    blocked = set[str]() if player is None else avoided.blocked_by(connection, player)
    items = [
        {
            "id": game.id,
            "name": name_of(game.id, game.name),
            "ruleset": game.ruleset,
            "status": game.status,
            "version": game.version,
            "hash": game.hash,
            "public": game.public,
            "created_at": text(game.created_at),
            "seats": [_seat_document(RULESETS[game.ruleset], seat) for seat in sitting.get(game.id, ())],
            **_blocked_there(blocked & {game.host, *(seat.player_id for seat in sitting.get(game.id, ()))}),
        }
        for game in listed
    ]
    if len(found) <= limit:
        return items, None
    last = listed[-1]
    return items, (last.created_at if order == "opened" else last.last_at, last.id)


def _ended_so(connection: Connection, player: str | None, result: Result | None) -> list[str] | None:
    """The finished games that a player won, or did not; None where the result does not matter."""
    if result is None or player is None:
        return None
    return [ending.game for ending in careers.endings(connection, player, player) if ending.won == (result == "won")]


def _blocked_there(players: set[str]) -> Document:
    return {"blocked": sorted(players)} if players else {}


def _seats_by_game(connection: Connection, games: list[str]) -> dict[str, list[Sitting]]:
    table: dict[str, list[Sitting]] = {}
    for seat in seats.at_games(connection, games):
        table.setdefault(seat.game_id, []).append(seat)
    return table


def _seat_document(rules: Rules, seat: Sitting) -> Document:
    chair = Chair(player=seat.player_id, bot=seat.bot, vacant=seat.vacant, strikes=seat.strikes)
    return chair_document(rules, seat.seat, chair, seat.name)
