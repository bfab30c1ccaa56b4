"""Notes to oneself on games: a row a player and game, with its text sealed."""

from typing import Final, NamedTuple

import sqlalchemy as sa

from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.rows import NoteRow

notes: Final = NoteRow.__table__  # type: ignore[attr-defined]


class SealedNote(NamedTuple):
    """A note as it is kept, and when it was written, in microseconds."""

    body: bytes
    written_at: int


def put(database: Database, tx: Connection, game: str, player: str, note: SealedNote) -> None:
    """Keep a note in the place of the one that its player had on this game."""
    told = {"body": note.body, "written_at": note.written_at}
    row = upsert(database, notes).values(game_id=game, player_id=player, **told)
    tx.execute(row.on_conflict_do_update(index_elements=["game_id", "player_id"], set_=told))


def find(connection: Connection, game: str, player: str) -> SealedNote | None:
    """A player's note on a game."""
    found = sa.select(notes.c.body, notes.c.written_at).where(notes.c.game_id == game, notes.c.player_id == player)
    row = connection.execute(found).first()
    return None if row is None else SealedNote(*row)


def count(connection: Connection, player: str) -> int:
    """On how many games a player has notes."""
    mine = sa.select(sa.func.count()).select_from(notes).where(notes.c.player_id == player)
    return connection.execute(mine).scalar_one()


def delete(tx: Connection, game: str, player: str) -> None:
    """Forget a player's note on a game, if there is one."""
    tx.execute(sa.delete(notes).where(notes.c.game_id == game, notes.c.player_id == player))
