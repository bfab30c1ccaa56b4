"""Mail about one game that its player does not want any more: one-click unsubscribe (OUT-15 … OUT-17)."""

from itsdangerous import BadSignature, URLSafeSerializer

from service.container import Services
from service.store.database import Connection, Database
from service.store.people import mutes, players


def token(services: Services, player: str, game: str) -> str:
    """The token of an unsubscribe link, which can do nothing else. For an address without a game: no invitations."""
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


def mute(database: Database, tx: Connection, player: str, game: str) -> None:
    """No more mail about this game to this player. Twice is once; to nobody any more it is nothing."""
    if "@" in player or players.exists(tx, player):
        mutes.add(database, tx, player, game)


def unmute(tx: Connection, player: str, game: str) -> bool:
    """Mail about this game again. Whether there was none before."""
    return mutes.remove(tx, player, game)


def is_muted(connection: Connection, player: str, game: str) -> bool:
    """Whether the player wants no mail about this game."""
    return mutes.is_muted(connection, player, game)


def _signer(secret: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt="wardroom-unsubscribe")
