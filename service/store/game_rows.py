"""The row of a game beside its stream: pauses, opening times, who may find it. Its head is the event store's."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.engine.game import Seat
from service.store.rows import GameRow, SeatRow

games: Final = GameRow.__table__  # type: ignore[attr-defined]
seats: Final = SeatRow.__table__  # type: ignore[attr-defined]


def hold(tx: Connection, game: str) -> None:
    """Lock the row of a game, also where it is halted, without reading its head."""
    tx.execute(sa.select(games.c.id).where(games.c.id == game).with_for_update())


def opened_at(connection: Connection, game: str) -> int | None:
    """When a game was opened, in microseconds; None for a game that is not there."""
    at: int | None = connection.execute(sa.select(games.c.created_at).where(games.c.id == game)).scalar()
    return at


def pause_end(connection: Connection, game: str) -> int | None:
    """When a clock that stands runs on by itself; None for never."""
    until: int | None = connection.execute(sa.select(games.c.paused_until).where(games.c.id == game)).scalar()
    return until


def set_pause_end(tx: Connection, game: str, until: int | None) -> None:
    """Let a clock that stands run on at this time, or not by itself."""
    tx.execute(sa.update(games).where(games.c.id == game).values(paused_until=until))


def pauses_over(connection: Connection, now: int, most: int) -> list[str]:
    """Up to `most` running games whose pause has lasted long enough."""
    running = (games.c.status == "running", games.c.halted_at.is_(None))  # a game may end while its clock stands
    found = sa.select(games.c.id).where(games.c.paused_until <= now, *running)
    return list(connection.execute(found.order_by(games.c.paused_until).limit(most)).scalars())


def played_by(connection: Connection, player: str) -> list[tuple[str, Seat]]:
    """The running games of a player that are not halted, with their seat, by game."""
    found = (
        sa.select(seats.c.game_id, seats.c.seat)
        .join(games, games.c.id == seats.c.game_id)
        .where(seats.c.player_id == player, seats.c.vacant.is_(False), games.c.status == "running")
        .where(games.c.halted_at.is_(None))
        .order_by(seats.c.game_id)
    )
    return [(row[0], row[1]) for row in connection.execute(found)]


def sat_at_by(connection: Connection, player: str) -> list[tuple[str, Seat]]:
    """The open and running games of a player, with their seat."""
    found = sa.select(seats.c.game_id, seats.c.seat).join(games, games.c.id == seats.c.game_id)
    found = found.where(seats.c.player_id == player, games.c.status.in_(("open", "running")))
    return [(row[0], row[1]) for row in connection.execute(found)]
