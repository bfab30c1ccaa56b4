"""Numbers for the health page and the metrics: notices by state, games by status, the oldest that is due."""

from typing import Final

import sqlalchemy as sa

from service.store.clocks.decisions import decisions
from service.store.clocks.halted import going
from service.store.connection import Connection
from service.store.outgoing.deliveries import MAIL, QUEUED, deliveries
from service.store.rows import GameRow

_games: Final = GameRow.__table__  # type: ignore[attr-defined]


def notices_by_state(connection: Connection) -> dict[str, int]:
    """How many notices are in each state, as far as mail goes."""
    return _counts(connection, deliveries.c.state, deliveries.c.channel == MAIL)


def games_by_status(connection: Connection) -> dict[str, int]:
    """Count the games of each status, without those of guests."""
    return _counts(connection, _games.c.status, ~_games.c.guest)


def due(connection: Connection, now: int, channel: str = MAIL) -> tuple[int, int | None]:
    """How many mails, or deliveries on another channel, are due, and since when the one that has been for longest;
    games that are stopped left out."""
    queued = (deliveries.c.channel == channel, deliveries.c.state == QUEUED, going(deliveries.c.game_id))
    found = sa.select(sa.func.count(), sa.func.min(deliveries.c.not_before))
    row = connection.execute(found.where(*queued, deliveries.c.not_before <= now)).one()
    return int(row[0]), row[1]


def waiting_by_channel(connection: Connection, now: int) -> dict[str, tuple[int, int, int | None]]:
    """Of each channel on which anything waits: how many do, how many of them are due, and since when the first is."""
    is_due = deliveries.c.not_before <= now
    since = sa.func.coalesce(deliveries.c.due_at, deliveries.c.not_before)
    found = sa.select(
        deliveries.c.channel, sa.func.count(), sa.func.count(sa.case((is_due, 1))),
        sa.func.min(sa.case((sa.and_(is_due, going(deliveries.c.game_id)), since))),
    )  # fmt: skip
    rows = connection.execute(found.where(deliveries.c.state == QUEUED).group_by(deliveries.c.channel))
    return {row[0]: (row[1], row[2], row[3]) for row in rows}


def oldest_deadline(connection: Connection, now: int) -> int | None:
    """When the caretaker should have acted that is late by most; None where none is."""
    late = sa.select(sa.func.min(decisions.c.acts_at)).where(decisions.c.acts_at <= now, going(decisions.c.game_id))
    at: int | None = connection.execute(late).scalar()
    return at


def schema_revision(connection: Connection) -> str:
    """The revision of the schema, as migrations note it."""
    return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one())


def server_version(connection: Connection) -> str:
    """The version of a PostgreSQL server."""
    return str(connection.exec_driver_sql("SHOW server_version").scalar_one()).split()[0]


def _counts(connection: Connection, column: sa.ColumnElement[str], *which: sa.ColumnElement[bool]) -> dict[str, int]:
    found = sa.select(column, sa.func.count()).where(*which).group_by(column)
    return {row[0]: row[1] for row in connection.execute(found)}
