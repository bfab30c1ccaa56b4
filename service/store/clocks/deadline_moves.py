"""Deadlines that moved while nothing was recorded: what was told of a version can be told again as of any moment."""

from collections.abc import Sequence
from typing import Final

import msgspec
import sqlalchemy as sa

from domain.engine.game import Seat
from service.store import records
from service.store.connection import Connection
from service.store.rows import DeadlineMoveRow

moves: Final = DeadlineMoveRow.__table__  # type: ignore[attr-defined]


class DeadlineMove(msgspec.Struct, frozen=True):
    """From when to when a deadline moved, and at what moment; of the answer that is owed since an event."""

    game_id: str
    seat: Seat
    since: int
    at: int
    due: int
    was: int


def keep(tx: Connection, move: DeadlineMove) -> None:
    """Keep a move that no event tells of."""
    tx.execute(sa.insert(moves).values(**msgspec.structs.asdict(move)))


def of_game(connection: Connection, game: str, upto: int) -> Sequence[DeadlineMove]:
    """The moves in a game up to a moment, in their order: no deadline is ever moved earlier."""
    mine = (moves.c.game_id == game, moves.c.at <= upto)
    found = sa.select(*records.columns(DeadlineMove, moves)).where(*mine)
    return records.every(connection, DeadlineMove, found.order_by(moves.c.at, moves.c.due))
