"""Digests: which players' are due, when the last went out, and the games they tell of."""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.outgoing.outbox import outbox
from service.store.people.mutes import mutes
from service.store.people.players import Player, players, seats
from service.store.rows import GameRow

_games: Final = GameRow.__table__  # type: ignore[attr-defined]


def lock_due(tx: Connection, now: int, most: int) -> Sequence[Player]:
    """Up to `most` players whose digest is due, locked until the transaction ends."""
    due = sa.select(*records.columns(Player, players)).where(players.c.digest_at <= now)
    in_order = due.order_by(players.c.digest_at, players.c.id).limit(most)
    return records.every(tx, Player, in_order.with_for_update(skip_locked=True))


def last_gone_out(connection: Connection, player: str, kind: str, at: int) -> int:
    """When the last notice of this kind, about no game, was made that was out by then; 0 for none."""
    gone = (outbox.c.recipient == player, outbox.c.game_id == "", outbox.c.kind == kind, outbox.c.done_at <= at)
    last = sa.select(sa.func.max(outbox.c.created_at)).where(*gone, outbox.c.state.in_(("sent", "bounced")))
    return connection.execute(last).scalar() or 0


def is_followed(connection: Connection, player: str, kind: str, notice: int) -> bool:
    """Whether a later notice of this kind was made for a player."""
    later = (outbox.c.recipient == player, outbox.c.game_id == "", outbox.c.kind == kind, outbox.c.id > notice)
    return connection.execute(sa.select(outbox.c.id).where(*later)).first() is not None


def games_of(connection: Connection, player: str, since: int) -> list[tuple[str, int]]:
    """The games a player sits in that run or ended since then, and which seat is theirs; not those they muted."""
    return [(row[0], row[1]) for row in connection.execute(_games_of(player, since))]


def has_news(connection: Connection, player: str, since: int) -> bool:
    """Whether anything happened in one of those games since then."""
    found = _games_of(player, since).where(_games.c.last_at > since).limit(1)
    return connection.execute(found).first() is not None


def _games_of(player: str, since: int) -> sa.Select[Any]:
    muted = sa.exists().where(mutes.c.player_id == player, mutes.c.game_id == _games.c.id)
    ended = sa.and_(_games.c.status.in_(("finished", "abandoned")), _games.c.last_at > since)
    found = sa.select(_games.c.id, seats.c.seat).join(seats, seats.c.game_id == _games.c.id)
    return found.where(seats.c.player_id == player, sa.or_(_games.c.status == "running", ended), ~muted)
