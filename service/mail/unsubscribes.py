"""Mail about one game that its player does not want any more: one-click unsubscribe (OUT-15 … OUT-17)."""

from typing import Any, Final

import sqlalchemy as sa
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import Connection

from service.container import Services
from service.store.database import upsert
from service.store.players import players
from service.store.rows import MuteRow

mutes: Final = MuteRow.__table__  # type: ignore[attr-defined]


def token(services: Services, player: str, game: str) -> str:
    """What stands in an unsubscribe link: it can do nothing else. Of an address and no game: no invitations at all."""
    return str(_signer(services.settings.secret_key).dumps([player, game]))


def read_token(services: Services, given: str) -> tuple[str, str] | None:
    """The player and game of a link, None for one that is not ours."""
    for secret in (services.settings.secret_key, *services.settings.secret_keys_old):
        try:
            player, game = _signer(secret).loads(given)
            return str(player), str(game)
        except (BadSignature, ValueError, TypeError):
            continue
    return None


def mute(services: Services, tx: Connection, player: str, game: str) -> None:
    """No more mail about this game to this player. Twice is once; to nobody any more it is nothing."""
    if "@" not in player and tx.execute(sa.select(players.c.id).where(players.c.id == player)).first() is None:
        return
    row = upsert(services.database, mutes).values(game_id=game, player_id=player, at=services.database.clock.now(tx))
    tx.execute(row.on_conflict_do_nothing(index_elements=["game_id", "player_id"]))


def unmute(tx: Connection, player: str, game: str) -> bool:
    """Mail about this game again. Whether there was none before."""
    gone = sa.delete(mutes).where(mutes.c.game_id == game, mutes.c.player_id == player)
    return tx.execute(gone).rowcount > 0


def is_muted(connection: Connection, player: str, game: str) -> bool:
    """Whether the player wants no mail about this game."""
    found: Any = sa.select(mutes.c.at).where(mutes.c.game_id == game, mutes.c.player_id == player)
    return connection.execute(found).first() is not None


def _signer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt="wardroom-unsubscribe")
