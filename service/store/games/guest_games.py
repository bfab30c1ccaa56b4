"""The games of guests: counted in no list, and deleted with all their rows (decision 0123)."""

from typing import Final

import sqlalchemy as sa
from sqlmodel import SQLModel

from service.store.connection import Connection
from service.store.rows import GameRow
from service.store.structure.guards import OF_A_GAME

games: Final = GameRow.__table__  # type: ignore[attr-defined]
STAYS: Final = ("operator_acts", "operator_reasons", "log_entries")
"""The tables that may name a game and keep their rows: the operator's journal, and the log, which tells of none."""
_REST: Final = [
    table
    for name, table in sorted(SQLModel.metadata.tables.items())
    if "game_id" in table.c and name not in (*OF_A_GAME, *STAYS)
]


def hosted_by(connection: Connection, player: str) -> list[str]:
    """Return the games that a player opened as a guest and that were not kept."""
    found = sa.select(games.c.id).where(games.c.host == player, games.c.guest).order_by(games.c.id)
    return list(connection.execute(found).scalars())


def running_of(connection: Connection, player: str) -> str | None:
    """Return the running game of a guest, if there is one."""
    found = sa.select(games.c.id).where(games.c.host == player, games.c.guest, games.c.status == "running")
    game: str | None = connection.execute(found.order_by(games.c.created_at.desc()).limit(1)).scalar()
    return game


def keep(tx: Connection, games_kept: list[str]) -> None:
    """Make these games like any other; nothing makes them a guest's again."""
    tx.execute(sa.update(games).where(games.c.id.in_(games_kept)).values(guest=False))


def delete(tx: Connection, game: str) -> None:
    """Delete a guest's game with every row about it. The database refuses for any other game.

    The operator's journal stays: it is about what operators did.
    """
    tx.execute(sa.select(games.c.id).where(games.c.id == game).with_for_update())
    for table in _REST:
        tx.execute(sa.delete(table).where(table.c.game_id == game))
    if tx.dialect.name == "postgresql":
        tx.execute(sa.select(sa.func.wardroom_delete_guest_game(game)))
        return
    for name in OF_A_GAME:
        history = SQLModel.metadata.tables[name]
        tx.execute(sa.delete(history).where(history.c.game_id == game))
    tx.execute(sa.delete(games).where(games.c.id == game))
