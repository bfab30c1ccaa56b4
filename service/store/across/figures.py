"""What a service has done, in numbers: people, games, moves, lateness, sizes of tables. Only reads."""

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from sqlmodel import SQLModel

from service.store.connection import Connection
from service.store.outgoing.deliveries import MAIL, deliveries
from service.store.outgoing.outbox import outbox
from service.store.rows import CheckpointRow, GameRow, PlayerRow, TokenRow

SECOND: Final = 1_000_000
DAY: Final = 86_400 * SECOND
WEEK: Final = 7 * DAY
LAST_MAILS: Final = 5000
"""So many deliveries at most are looked at for how late mail is: the newest."""
_checkpoints: Final = CheckpointRow.__table__  # type: ignore[attr-defined]
_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_players: Final = PlayerRow.__table__  # type: ignore[attr-defined]
_tokens: Final = TokenRow.__table__  # type: ignore[attr-defined]


def players(connection: Connection, now: int) -> tuple[int, int, int]:
    """Count the players: all, those who came within a week, and within four. A visit is noted once an hour.

    Guests are not counted, here or below.
    """
    seen = sa.select(_tokens.c.player_id, sa.func.max(_tokens.c.last_used_at).label("at")).group_by(_tokens.c.player_id)
    known = _players.c.verified_at.is_not(None)
    last = seen.join(_players, _players.c.id == _tokens.c.player_id).where(known).subquery()
    since = [sa.func.count().filter(last.c.at > now - span) for span in (WEEK, 4 * WEEK)]
    lately = connection.execute(sa.select(*since).select_from(last)).one()
    there = connection.execute(sa.select(sa.func.count()).select_from(_players).where(known)).scalar_one()
    return there, lately[0], lately[1]


def turns_by_week(connection: Connection, now: int, weeks: int) -> list[tuple[int, int, int]]:
    """For each of the last weeks, this one first: how many weeks ago it ended, whose turn it became, and how often."""
    ago = ((sa.literal(now, sa.BigInteger) - outbox.c.created_at) // sa.literal(WEEK, sa.BigInteger)).label("ago")
    turns = (outbox.c.kind == "your-turn", outbox.c.created_at > now - weeks * WEEK, _counts(outbox.c.game_id))
    week = sa.select(ago, outbox.c.recipient).where(*turns).subquery()
    counted = sa.select(week.c.ago, sa.func.count(sa.distinct(week.c.recipient)), sa.func.count())
    return [(row[0], row[1], row[2]) for row in connection.execute(counted.group_by(week.c.ago).order_by(week.c.ago))]


def games(connection: Connection) -> list[tuple[str, str, int]]:
    """Count the games of each ruleset and status."""
    found = sa.select(_games.c.ruleset, _games.c.status, sa.func.count()).where(~_games.c.guest)
    found = found.group_by(_games.c.ruleset, _games.c.status)
    return [(row[0], row[1], row[2]) for row in connection.execute(found.order_by(_games.c.ruleset, _games.c.status))]


def moves_by_day(connection: Connection, now: int, days: int) -> list[tuple[int, int]]:
    """For each of the last days, the last 24 hours first: how many days ago, how many requests that moved a game."""
    ago = ((sa.literal(now, sa.BigInteger) - _checkpoints.c.at) // sa.literal(DAY, sa.BigInteger)).label("ago")
    lately = (_checkpoints.c.at > now - days * DAY, _counts(_checkpoints.c.game_id))
    day = sa.select(ago).where(*lately).subquery()
    counted = sa.select(day.c.ago, sa.func.count()).group_by(day.c.ago).order_by(day.c.ago)
    return [(row[0], row[1]) for row in connection.execute(counted)]


def _counts(game: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Holds for games that are not a guest's."""
    return ~sa.exists().where(_games.c.id == game, _games.c.guest)


def mail_times(connection: Connection, since: int) -> list[int]:
    """How long each mail of the newest took from its cause until it was sent, in microseconds."""
    newest = sa.select(deliveries).order_by(deliveries.c.id.desc()).limit(LAST_MAILS).subquery()
    sent = (newest.c.channel == MAIL, newest.c.state == "sent", newest.c.done_at > since)
    return list(connection.execute(sa.select(newest.c.done_at - newest.c.created_at).where(*sent)).scalars())


def table_sizes(connection: Connection) -> Sequence[tuple[str, int, int | None]]:
    """Rows and bytes of each table, the largest first: PostgreSQL's own estimate, SQLite's count without bytes."""
    names = sorted(SQLModel.metadata.tables)
    if connection.dialect.name == "sqlite":
        parts = [
            sa.select(sa.literal(name), sa.func.count()).select_from(SQLModel.metadata.tables[name]) for name in names
        ]
        counted = [(row[0], row[1], None) for row in connection.execute(sa.union_all(*parts))]
    else:
        sizes = sa.text(
            "SELECT relname, greatest(reltuples, 0)::bigint, pg_total_relation_size(oid) + coalesce("
            "(SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree(oid) WHERE relid <> oid), 0)::bigint "
            "FROM pg_class "
            "WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace"
        )
        counted = [(row[0], row[1], row[2]) for row in connection.execute(sizes) if row[0] in names]
    return sorted(counted, key=lambda row: (-(row[2] or 0), -row[1], row[0]))


def database_size(connection: Connection) -> int:
    """Return the bytes of the database. PostgreSQL's own function wants CONNECT, which the role does not have."""
    if connection.dialect.name == "sqlite":
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        return int(pages * connection.exec_driver_sql("PRAGMA page_size").scalar_one())
    sizes = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind IN ('r', 'm', 'S')"
    return int(connection.exec_driver_sql(sizes).scalar_one())
