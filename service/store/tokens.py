"""Keys to the API: who holds a token, and which tokens a player has. Only their SHA-256 is kept."""

from collections.abc import Sequence
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from service.store import records
from service.store.database import Statement
from service.store.rows import PlayerRow, TokenRow

tokens: Final = TokenRow.__table__  # type: ignore[attr-defined]
_players: Final = PlayerRow.__table__  # type: ignore[attr-defined]
_holder: Final = Statement(
    sa.select(_players.c.id, tokens.c.id, tokens.c.last_used_at)
    .join(tokens, tokens.c.player_id == _players.c.id)
    .where(tokens.c.digest == bindparam("digest", type_=sa.LargeBinary))
)


class Token(msgspec.Struct, frozen=True):
    """A token as its holder sees it in a list."""

    id: str
    label: str
    created_at: int
    last_used_at: int | None


class Bearer(msgspec.Struct, frozen=True):
    """Who shows a token, which one it is, and when its use was noted last."""

    player: str
    token: str
    used_at: int | None


def holder(connection: Connection, digest: bytes) -> Bearer | None:
    """Who holds the token with this digest."""
    row = _holder(connection, digest=digest).fetchone()
    return None if row is None else Bearer(*row)


def add(tx: Connection, player: str, token: str, digest: bytes, label: str, now: int) -> None:
    """Keep a new token of a player under its id."""
    tx.execute(sa.insert(tokens).values(digest=digest, id=token, player_id=player, label=label, created_at=now))


def of_player(connection: Connection, player: str) -> Sequence[Token]:
    """The tokens of a player, newest first."""
    found = sa.select(*records.columns(Token, tokens)).where(tokens.c.player_id == player)
    return records.every(connection, Token, found.order_by(tokens.c.created_at.desc()))


def drop_oldest(tx: Connection, player: str, keep: int) -> None:
    """End the tokens of a player but the newest `keep`."""
    newest_first = sa.select(tokens.c.digest).where(tokens.c.player_id == player).order_by(tokens.c.created_at.desc())
    surplus = list(tx.execute(newest_first.offset(keep)).scalars())
    if surplus:
        tx.execute(sa.delete(tokens).where(tokens.c.digest.in_(surplus)))


def end(tx: Connection, player: str, token: str | None = None) -> int:
    """End one token of a player, or all of them. How many ended."""
    ended = sa.delete(tokens).where(tokens.c.player_id == player)
    return tx.execute(ended if token is None else ended.where(tokens.c.id == token)).rowcount


def touch(tx: Connection, token: str, now: int) -> None:
    """Note that a token was used."""
    tx.execute(sa.update(tokens).where(tokens.c.id == token).values(last_used_at=now))
