"""Games that are stopped: no deadline of theirs expires, and nothing about them goes out, until they verify again."""

from typing import Any, Final

import sqlalchemy as sa

from service.store.connection import Connection
from service.store.rows import GameRow

_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_stopped: Final = sa.select(_games.c.id).where(_games.c.halted_at.is_not(None))


class GameHalted(Exception):
    """This game is stopped, and nobody can play it just now. `reason` says what does not verify."""

    def __init__(self, game: str, reason: str) -> None:
        super().__init__(f"game {game} is stopped: {reason}")
        self.game = game
        self.reason = reason


def going(game: Any) -> sa.ColumnElement[bool]:
    """Holds for a column of game ids where the game is not stopped; "" is no game."""
    holds: sa.ColumnElement[bool] = game.not_in(_stopped)
    return holds


def why_halted(connection: Connection, game: str) -> str | None:
    """Why a game is stopped; None where it is not."""
    row = connection.execute(
        sa.select(_games.c.halted).where(_games.c.id == game, _games.c.halted_at.is_not(None))
    ).first()
    return None if row is None else row[0] or ""


def halted_games(connection: Connection) -> list[tuple[str, int, str]]:
    """The games that are stopped: id, since when, why."""
    columns = (_games.c.id, _games.c.halted_at, _games.c.halted)
    found = sa.select(*columns).where(_games.c.halted_at.is_not(None)).order_by(_games.c.halted_at, _games.c.id)
    return [(row[0], row[1], row[2] or "") for row in connection.execute(found)]


def stop(tx: Connection, game: str, now: int, reason: str) -> bool:
    """Stop a game. Whether it was going."""
    going_on = sa.update(_games).where(_games.c.id == game, _games.c.halted_at.is_(None))
    return tx.execute(going_on.values(halted_at=now, halted=reason)).rowcount == 1


def lock_stopped(tx: Connection, game: str) -> int | None:
    """Since when a game is stopped, its row locked; None where it is not."""
    since: int | None = tx.execute(sa.select(_games.c.halted_at).where(_games.c.id == game).with_for_update()).scalar()
    return since


def let_go_on(tx: Connection, game: str) -> None:
    """Take the stop off a game."""
    tx.execute(sa.update(_games).where(_games.c.id == game).values(halted_at=None, halted=None))
