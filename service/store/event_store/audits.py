"""When each game was last audited, and which wait to be audited again."""

from typing import Final

import sqlalchemy as sa

from service.store.connection import Connection
from service.store.rows import GameRow

games: Final = GameRow.__table__  # type: ignore[attr-defined]
_is_over: Final = games.c.status.not_in(("open", "running"))


def longest_ago_first(connection: Connection) -> list[str]:
    """All games, those not audited for longest first."""
    return list(connection.execute(sa.select(games.c.id).order_by(games.c.audited_at, games.c.id)).scalars())


def note(tx: Connection, game: str, at: int) -> None:
    """Write down that a game was audited."""
    tx.execute(sa.update(games).where(games.c.id == game).values(audited_at=at))


def due(connection: Connection, now: int, every: int, every_over: int, most: int) -> list[str]:
    """Up to `most` games to be audited, those overdue for longest first; those that are over every `every_over`."""
    since = games.c.audited_at + sa.case((_is_over, every_over), else_=every)
    waiting = (since <= now, games.c.audited_at <= now - every, games.c.halted_at.is_(None))
    found = sa.select(games.c.id).where(*waiting).order_by(since, games.c.id).limit(most)
    return list(connection.execute(found).scalars())


def longest_ago(connection: Connection) -> int | None:
    """When the running game was audited that was not for longest; None where none runs."""
    running = (_is_over.is_(False), games.c.halted_at.is_(None))
    found: int | None = connection.execute(sa.select(sa.func.min(games.c.audited_at)).where(*running)).scalar()
    return found


def lock(tx: Connection, game: str) -> None:
    """Let nobody else hold the row of a game until the transaction ends, without reading its head."""
    tx.execute(sa.select(games.c.id).where(games.c.id == game).with_for_update())
