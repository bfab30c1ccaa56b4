"""Putting right what follows from a history: columns of a game's row, its seats, its decisions, its open leaves."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from service.store.connection import Connection
from service.store.rows import DecisionRow, GameRow, LeafRow, SeatRow

_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_seats: Final = SeatRow.__table__  # type: ignore[attr-defined]
_leaves: Final = LeafRow.__table__  # type: ignore[attr-defined]
_decisions: Final = DecisionRow.__table__  # type: ignore[attr-defined]


def set_column(tx: Connection, game: str, column: str, value: Any) -> None:
    """Put a value into a column of a game's row."""
    tx.execute(sa.update(_games).where(_games.c.id == game).values({column: value}))


def replace_seats(tx: Connection, game: str, seats: Sequence[Mapping[str, Any]]) -> None:
    """Put these in place of the seats of a game."""
    tx.execute(sa.delete(_seats).where(_seats.c.game_id == game))
    tx.execute(sa.insert(_seats), [{"game_id": game, **seat} for seat in seats])


def open_leaf(tx: Connection, game: str, version: int, number: int, opened: int | None) -> None:
    """Note which event opened a leaf, where none is noted."""
    this = (_leaves.c.game_id == game, _leaves.c.version == version, _leaves.c.number == number)
    tx.execute(sa.update(_leaves).where(*this, _leaves.c.opened.is_(None)).values(opened=opened))


def drop_decision(tx: Connection, game: str, seat: int) -> None:
    """Delete what a seat owes, whatever it says."""
    tx.execute(sa.delete(_decisions).where(_decisions.c.game_id == game, _decisions.c.seat == seat))
