"""Whom players have muted or blocked: one row a pair, and nothing that tells the other of it."""

from collections.abc import Collection
from typing import Final, Literal, NamedTuple

import sqlalchemy as sa

from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.people.players import players
from service.store.rows import AvoidedRow

How = Literal["mute", "block"]
avoided: Final = AvoidedRow.__table__  # type: ignore[attr-defined]
_BLOCKS: Final = avoided.c.how == sa.literal_column("'block'")


class Avoided(NamedTuple):
    """Somebody whom a player avoids, how, and since when, in microseconds."""

    other: str
    name: str
    how: How
    at: int


def put(database: Database, tx: Connection, player: str, other: str, how: How) -> None:
    """Keep that a player avoids somebody in this way, in the place of another way."""
    values = {"how": how, "at": database.clock.now(tx)}
    row = upsert(database, avoided).values(player_id=player, other=other, **values)
    tx.execute(row.on_conflict_do_update(index_elements=["player_id", "other"], set_=values))


def remove(tx: Connection, player: str, other: str) -> bool:
    """Take it back. Whether there was anything to take back."""
    mine = (avoided.c.player_id == player, avoided.c.other == other)
    return tx.execute(sa.delete(avoided).where(*mine)).rowcount > 0


def forget_other(tx: Connection, other: str) -> None:
    """Delete what others keep about somebody who is gone."""
    tx.execute(sa.delete(avoided).where(avoided.c.other == other))


def of_player(connection: Connection, player: str) -> list[Avoided]:
    """Whom a player avoids, by name."""
    named = sa.select(avoided.c.other, players.c.name, avoided.c.how, avoided.c.at)
    found = named.join(players, players.c.id == avoided.c.other).where(avoided.c.player_id == player)
    return [Avoided(*row) for row in connection.execute(found.order_by(players.c.name, avoided.c.other))]


def how(connection: Connection, player: str, other: str) -> How | None:
    """How a player avoids somebody; None where they do not."""
    found: How | None = connection.execute(
        sa.select(avoided.c.how).where(avoided.c.player_id == player, avoided.c.other == other)
    ).scalar()
    return found


def muted_by(connection: Connection, player: str) -> set[str]:
    """Those whose talk a player does not want to read: the blocked, too."""
    return set(connection.execute(sa.select(avoided.c.other).where(avoided.c.player_id == player)).scalars())


def muting(connection: Connection, other: str, among: Collection[str]) -> set[str]:
    """Those among these players who do not want to read somebody's talk."""
    found = sa.select(avoided.c.player_id).where(avoided.c.other == other, avoided.c.player_id.in_(sorted(among)))
    return set(connection.execute(found).scalars())


def blocked_by(connection: Connection, player: str, among: Collection[str] | None = None) -> set[str]:
    """Those whom a player has blocked, of all or among these."""
    found = sa.select(avoided.c.other).where(avoided.c.player_id == player, _BLOCKS)
    if among is not None:
        found = found.where(avoided.c.other.in_(sorted(among)))
    return set(connection.execute(found).scalars())


def apart_from(connection: Connection, player: str) -> set[str]:
    """Those whom a player has blocked, and those who have blocked the player."""
    blockers = sa.select(avoided.c.player_id).where(avoided.c.other == player, _BLOCKS)
    return blocked_by(connection, player) | set(connection.execute(blockers).scalars())


def blocking(connection: Connection, other: str, among: Collection[str]) -> set[str]:
    """Those among these players who have blocked somebody."""
    found = sa.select(avoided.c.player_id).where(avoided.c.other == other, _BLOCKS)
    return set(connection.execute(found.where(avoided.c.player_id.in_(sorted(among)))).scalars())


def addresses_apart(connection: Connection, player: str, keys: Collection[str]) -> set[str]:
    """Those of these folded addresses whose players have blocked this player, or are blocked by them."""
    theirs = sa.and_(avoided.c.player_id == players.c.id, avoided.c.other == player)
    mine = sa.and_(avoided.c.player_id == player, avoided.c.other == players.c.id)
    found = sa.select(players.c.email_key).join(avoided, sa.or_(theirs, mine)).where(_BLOCKS)
    return set(connection.execute(found.where(players.c.email_key.in_(sorted(keys)))).scalars())


def count(connection: Connection, player: str) -> int:
    """How many people a player avoids."""
    mine = sa.select(sa.func.count()).select_from(avoided).where(avoided.c.player_id == player)
    return connection.execute(mine).scalar_one()
