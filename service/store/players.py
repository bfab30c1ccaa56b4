"""Statements of the hot path about people: who holds a token, who sits at a table."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store.database import Statement
from service.store.decisions import decisions
from service.store.rows import PlayerRow, SeatRow, TokenRow

players: Final = PlayerRow.__table__  # type: ignore[attr-defined]
tokens: Final = TokenRow.__table__  # type: ignore[attr-defined]
seats: Final = SeatRow.__table__  # type: ignore[attr-defined]

holder: Final = Statement(
    sa.select(players.c.id, tokens.c.id, tokens.c.last_used_at)
    .join(tokens, tokens.c.player_id == players.c.id)
    .where(tokens.c.digest == bindparam("digest", type_=sa.LargeBinary))
)
sitting: Final = Statement(
    sa.select(seats.c.seat, players.c.name, decisions.c.decision, decisions.c.since, decisions.c.due_at)
    .outerjoin(players, players.c.id == seats.c.player_id)
    .outerjoin(decisions, sa.and_(decisions.c.game_id == seats.c.game_id, decisions.c.seat == seats.c.seat))
    .where(seats.c.game_id == bindparam("game", type_=sa.String))
    .order_by(seats.c.seat)
)
"""Each seat of a game: its player's name, and what it owes."""
