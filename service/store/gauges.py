"""Numbers for the health page and the metrics: notices by state, games by status, the oldest that is due."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.store.halted import going
from service.store.outbox import outbox
from service.store.rows import GameRow

_games: Final = GameRow.__table__  # type: ignore[attr-defined]


def notices_by_state(connection: Connection) -> dict[str, int]:
    """How many notices are in each state."""
    return _counts(connection, outbox.c.state)


def games_by_status(connection: Connection) -> dict[str, int]:
    """How many games have each status."""
    return _counts(connection, _games.c.status)


def oldest_due(connection: Connection) -> int | None:
    """Since when the notice waits that has been due for longest, games that are stopped left out; None for none."""
    queued = (outbox.c.state == "queued", going(outbox.c.game_id))
    at: int | None = connection.execute(sa.select(sa.func.min(outbox.c.not_before)).where(*queued)).scalar()
    return at


def _counts(connection: Connection, column: sa.ColumnElement[str]) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(sa.select(column, sa.func.count()).group_by(column))}
