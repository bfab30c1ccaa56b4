"""The condition that a game is public, or its reader is the host, sits there or is invited."""

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store.rows import GameRow, InvitationRow, PlayerRow, SeatRow

_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_seats: Final = SeatRow.__table__.alias("known_seats")  # type: ignore[attr-defined]
_invitations: Final = InvitationRow.__table__  # type: ignore[attr-defined]
_players: Final = PlayerRow.__table__.alias("known_players")  # type: ignore[attr-defined]
_game: Final = bindparam("game", type_=sa.String)
_player: Final = bindparam("player", type_=sa.String)
_sits: Final = sa.exists().where(_seats.c.game_id == _game, _seats.c.player_id == _player)
_invited: Final = sa.exists().where(
    _invitations.c.game_id == _game,
    _invitations.c.email_key.in_(sa.select(_players.c.email_key).where(_players.c.id == _player)),
)
KNOWN: Final[sa.ColumnElement[Any]] = sa.or_(_games.c.public, _games.c.host == _player, _sits, _invited)
"""Of the game `game` to `player`; where that is None, who is nobody, of public games alone."""
