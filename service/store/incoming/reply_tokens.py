"""Addresses we gave out, by the digest of their token, and what each may do."""

from typing import Any, Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.rows import GameRow, ReplyTokenRow
from service.store.statements import Statement

reply_tokens: Final = ReplyTokenRow.__table__  # type: ignore[attr-defined]
_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_OVER: Final = ("finished", "abandoned")


class KeptReplyToken(msgspec.Struct, frozen=True):
    """What an address may do, and when the game it is about ended; `options` are sealed."""

    purpose: str
    recipient: str
    player_id: str | None
    game_id: str
    seat: int | None
    decision: str
    outbox_id: int
    mark: str
    options: bytes | None
    held: int | None
    over_at: int | None


_GIVEN: Final = tuple(column.name for column in reply_tokens.c if column.name != "revoked_at")
_add: Final = Statement(
    sa.text(f"INSERT INTO reply_tokens ({', '.join(_GIVEN)}) VALUES (:{', :'.join(_GIVEN)}) ON CONFLICT DO NOTHING")  # noqa: S608
)


def add(tx: Connection, **values: Any) -> None:
    """Keep what an address may do, in all columns but when it is revoked; the same address again is the same row."""
    _add(tx, **values)


def live(connection: Connection, digest: bytes) -> KeptReplyToken | None:
    """What an address may do; None for one that was never given out or is revoked."""
    over_at = sa.case((_games.c.status.in_(_OVER), _games.c.last_at), else_=None)
    own = [reply_tokens.c[name] for name in KeptReplyToken.__struct_fields__[:-1]]
    found = (
        sa.select(*own, over_at)
        .outerjoin(_games, _games.c.id == reply_tokens.c.game_id)
        .where(reply_tokens.c.digest == digest, reply_tokens.c.revoked_at.is_(None))
    )
    return records.first(connection, KeptReplyToken, found)


def revoke(tx: Connection, player: str, now: int, *, game: str | None, but: str) -> int:
    """Revoke the addresses of a player, those of one game where one is given, but not of purpose `but`. How many."""
    theirs = (reply_tokens.c.player_id == player) & (reply_tokens.c.purpose != but)
    if game is not None:
        theirs &= reply_tokens.c.game_id == game
    live_ones = theirs & reply_tokens.c.revoked_at.is_(None)
    return tx.execute(sa.update(reply_tokens).where(live_ones).values(revoked_at=now)).rowcount


def drop_of_games_over(tx: Connection, before: int, most: int) -> int:
    """Delete up to `most` addresses about games that ended before this time. How many."""
    over = _games.c.status.in_(_OVER) & (_games.c.last_at < before)
    old = sa.select(reply_tokens.c.digest).join(_games, _games.c.id == reply_tokens.c.game_id).where(over).limit(most)
    return tx.execute(sa.delete(reply_tokens).where(reply_tokens.c.digest.in_(old))).rowcount
