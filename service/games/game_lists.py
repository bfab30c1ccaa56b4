"""Lists of games and decisions, for lobbies and for those who are waited for."""

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.kernel.clock import text
from service.store.decisions import decisions
from service.store.players import players, seats
from service.store.rows import GameRow

games: Final = GameRow.__table__  # type: ignore[attr-defined]


def turns(connection: Connection, player: str) -> list[dict[str, Any]]:
    """The decisions that wait for a player, the most urgent first."""
    found = (
        sa.select(decisions, games.c.ruleset)
        .join(games, games.c.id == decisions.c.game_id)
        .where(decisions.c.player_id == player)
        .order_by(decisions.c.due_at, decisions.c.game_id)
    )
    return [
        {
            "game": row["game_id"],
            "ruleset": row["ruleset"],
            "seat": row["seat"],
            "decision": row["decision"],
            "since": row["since"],
            "due": None if row["due_at"] is None else text(row["due_at"]),
        }
        for row in connection.execute(found).mappings()
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
) -> tuple[list[dict[str, Any]], tuple[int, str] | None]:
    """Games newest first, public ones and the player's own, and what the next page begins after."""
    sits = sa.exists().where(seats.c.game_id == games.c.id, seats.c.player_id == player)
    found = sa.select(games).where(sits if mine else sa.or_(games.c.public, sits))
    if status is not None:
        found = found.where(games.c.status == status)
    if awaiting_me:
        found = found.where(sa.exists().where(decisions.c.game_id == games.c.id, decisions.c.player_id == player))
    if after is not None:
        found = found.where(sa.tuple_(games.c.created_at, games.c.id) < sa.tuple_(*after))
    found = found.order_by(games.c.created_at.desc(), games.c.id.desc()).limit(limit + 1)
    rows = connection.execute(found).mappings().all()
    sitting = _sitting(connection, [row["id"] for row in rows[:limit]])
    items = [
        {
            "id": row["id"],
            "ruleset": row["ruleset"],
            "status": row["status"],
            "version": row["version"],
            "hash": row["hash"],
            "public": row["public"],
            "created_at": text(row["created_at"]),
            "seats": sitting.get(row["id"], []),
        }
        for row in rows[:limit]
    ]
    last = rows[limit - 1] if len(rows) > limit else None
    return items, None if last is None else (last["created_at"], last["id"])


def _sitting(connection: Connection, ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    found = (
        sa.select(seats, players.c.name)
        .outerjoin(players, players.c.id == seats.c.player_id)
        .where(seats.c.game_id.in_(ids))
        .order_by(seats.c.game_id, seats.c.seat)
    )
    table: dict[str, list[dict[str, Any]]] = {}
    for row in connection.execute(found).mappings() if ids else ():
        kind = "bot" if row["bot"] else "empty" if row["player_id"] is None else "vacant" if row["vacant"] else "taken"
        table.setdefault(row["game_id"], []).append(
            {
                "seat": row["seat"],
                "status": kind,
                "player": row["player_id"],
                "name": row["name"],
                "strikes": row["strikes"],
            }
        )
    return table
