"""Games about which a player wants no more mail (OUT-17), and addresses that want no invitations.

A row is (game, player): of an address that wants no invitations of a host the host stands in place of the game and the
address in place of the player; "" stands for any host.
"""

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.rows import MuteRow
from service.store.statements import Statement

mutes: Final = MuteRow.__table__  # type: ignore[attr-defined]
_muted: Final = Statement(
    sa.select(mutes.c.at).where(
        mutes.c.game_id == bindparam("game", type_=sa.String), mutes.c.player_id == bindparam("player", type_=sa.String)
    )
)


def add(database: Database, tx: Connection, player: str, game: str) -> None:
    """Keep that a player, or an address, wants no mail about this. Twice is once."""
    row = upsert(database, mutes).values(game_id=game, player_id=player, at=database.clock.now(tx))
    tx.execute(row.on_conflict_do_nothing(index_elements=["game_id", "player_id"]))


def remove(tx: Connection, player: str, game: str) -> bool:
    """Take it back. Whether there was anything to take back."""
    return tx.execute(sa.delete(mutes).where(mutes.c.game_id == game, mutes.c.player_id == player)).rowcount > 0


def is_muted(connection: Connection, player: str, game: str) -> bool:
    """Whether a player, or an address, wants no mail about this."""
    return _muted(connection, game=game, player=player).fetchone() is not None


def muting(connection: Connection, players: Sequence[str], games: Sequence[str]) -> set[str]:
    """Those of these players or addresses that want no mail about one of these games or hosts."""
    found = sa.select(mutes.c.player_id).where(mutes.c.player_id.in_(players), mutes.c.game_id.in_(games))
    return set(connection.execute(found).scalars())


def forget_game(tx: Connection, game: str) -> None:
    """Delete every wish about this game or host."""
    tx.execute(sa.delete(mutes).where(mutes.c.game_id == game))
