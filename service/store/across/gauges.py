"""Numbers for the health page and the metrics: notices by state, games by status, the oldest that is due."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.store.clocks.halted import going
from service.store.outgoing.deliveries import MAIL, QUEUED, deliveries
from service.store.rows import GameRow

_games: Final = GameRow.__table__  # type: ignore[attr-defined]


def notices_by_state(connection: Connection) -> dict[str, int]:
    """How many notices are in each state, as far as mail goes."""
    return _counts(connection, deliveries.c.state, deliveries.c.channel == MAIL)


def games_by_status(connection: Connection) -> dict[str, int]:
    """How many games have each status."""
    return _counts(connection, _games.c.status)


def due(connection: Connection, now: int) -> tuple[int, int | None]:
    """How many mails are due, games that are stopped left out, and since when the one that has been for longest."""
    queued = (deliveries.c.channel == MAIL, deliveries.c.state == QUEUED, going(deliveries.c.game_id))
    found = sa.select(sa.func.count(), sa.func.min(deliveries.c.not_before))
    row = connection.execute(found.where(*queued, deliveries.c.not_before <= now)).one()
    return int(row[0]), row[1]


def _counts(connection: Connection, column: sa.ColumnElement[str], *which: sa.ColumnElement[bool]) -> dict[str, int]:
    found = sa.select(column, sa.func.count()).where(*which).group_by(column)
    return {row[0]: row[1] for row in connection.execute(found)}
