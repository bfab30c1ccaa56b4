"""Keys to the API, sessions of browsers, addresses of feeds: whose each is, and which a player has; only digests."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store import records
from service.store.connection import Connection
from service.store.rows import PlayerRow, SuspensionRow, TokenRow
from service.store.statements import Statement

API: Final = "api"
SESSION: Final = "session"
FEED: Final = "feed"
"""The kinds of tokens. What is one is never the other."""
tokens: Final = TokenRow.__table__  # type: ignore[attr-defined]
_players: Final = PlayerRow.__table__  # type: ignore[attr-defined]
_suspensions: Final = SuspensionRow.__table__  # type: ignore[attr-defined]
_used: Final = sa.func.coalesce(tokens.c.last_used_at, tokens.c.created_at)
_holder: Final = Statement(
    sa.select(
        _players.c.id,
        tokens.c.id,
        tokens.c.last_used_at,
        _suspensions.c.player_id.is_not(None),
        tokens.c.scopes,
        tokens.c.expires_at,
    )
    .join(tokens, tokens.c.player_id == _players.c.id)
    .outerjoin(_suspensions, _suspensions.c.player_id == _players.c.id)
    .where(
        tokens.c.digest == bindparam("digest", type_=sa.LargeBinary),
        tokens.c.kind == bindparam("kind", type_=sa.String),
        _used > bindparam("since", type_=sa.BigInteger),
    )
)


class Token(msgspec.Struct, frozen=True):
    """A token as its holder sees it in a list."""

    id: str
    kind: str
    label: str
    created_at: int
    last_used_at: int | None
    scopes: str  # with a blank between
    expires_at: int | None


class Bearer(msgspec.Struct, frozen=True):
    """Who shows a token, which one it is, and when its use was noted last."""

    player: str
    token: str
    used_at: int | None
    suspended: bool  # or was, until a time that is over
    scopes: str = ""
    expires_at: int | None = None


def holder(connection: Connection, digest: bytes, kind: str, since: int) -> Bearer | None:
    """Who holds the token of a kind with this digest; None also where it was not used since then."""
    row = _holder(connection, digest=digest, kind=kind, since=since).fetchone()
    return None if row is None else Bearer(row[0], row[1], row[2], bool(row[3]), row[4], row[5])


def add(tx: Connection, player: str, token: str, digest: bytes, kind: str, label: str, now: int, **more: Any) -> None:
    """Keep a new token of a player under its id, with `scopes` and `expires_at` if they are not those of a row."""
    made = {"digest": digest, "id": token, "player_id": player, "kind": kind, "label": label, "created_at": now}
    tx.execute(sa.insert(tokens).values(**made, **more))


def of_player(connection: Connection, player: str) -> Sequence[Token]:
    """The tokens of a player, newest first."""
    found = sa.select(*records.columns(Token, tokens)).where(tokens.c.player_id == player)
    return records.every(connection, Token, found.order_by(tokens.c.created_at.desc()))


def drop_expired(tx: Connection, now: int) -> None:
    """Delete the tokens whose time is over."""
    tx.execute(sa.delete(tokens).where(tokens.c.expires_at <= now))


def drop_oldest(tx: Connection, player: str, kind: str, keep: int) -> None:
    """End the tokens of one kind of a player but the newest `keep`."""
    theirs = sa.select(tokens.c.digest).where(tokens.c.player_id == player, tokens.c.kind == kind)
    surplus = list(tx.execute(theirs.order_by(tokens.c.created_at.desc()).offset(keep)).scalars())
    if surplus:
        tx.execute(sa.delete(tokens).where(tokens.c.digest.in_(surplus)))


def end(tx: Connection, player: str, token: str | None = None, *, kind: str | None = None, but: str = "") -> int:
    """End one token of a player, or all of them, or of a kind, but one. How many ended."""
    wanted: list[Any] = [tokens.c.player_id == player, tokens.c.id != but]
    wanted += [] if token is None else [tokens.c.id == token]
    wanted += [] if kind is None else [tokens.c.kind == kind]
    return tx.execute(sa.delete(tokens).where(*wanted)).rowcount


def touch(tx: Connection, token: str, now: int) -> None:
    """Note that a token was used."""
    tx.execute(sa.update(tokens).where(tokens.c.id == token).values(last_used_at=now))


def drop_unused(tx: Connection, kind: str, since: int) -> None:
    """End the tokens of a kind that were not used since then."""
    never = sa.and_(tokens.c.last_used_at.is_(None), tokens.c.created_at <= since)
    for unused in (tokens.c.last_used_at <= since, never):  # each by the index, which knows no coalesce
        tx.execute(sa.delete(tokens).where(tokens.c.kind == kind, unused))
