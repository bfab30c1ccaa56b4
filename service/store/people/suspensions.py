"""Players whom the operator keeps out for a while; the reason lies with the operator's act."""

from typing import Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.rows import OperatorReasonRow, SuspensionRow

suspensions: Final = SuspensionRow.__table__  # type: ignore[attr-defined]
_reasons: Final = OperatorReasonRow.__table__  # type: ignore[attr-defined]


class Suspension(msgspec.Struct, frozen=True):
    """Since when and until when a player is kept out, None for no end; and why, None where that was erased."""

    player_id: str
    act: int
    since: int
    until: int | None
    why: str | None


_ALL: Final = sa.select(
    suspensions.c.player_id, suspensions.c.act, suspensions.c.since, suspensions.c.until, _reasons.c.why
).outerjoin(_reasons, _reasons.c.number == suspensions.c.act)


def of(connection: Connection, player: str, now: int) -> Suspension | None:
    """The suspension of a player that is in force."""
    mine = (suspensions.c.player_id == player, sa.or_(suspensions.c.until.is_(None), suspensions.c.until > now))
    return records.first(connection, Suspension, _ALL.where(*mine))


def put(tx: Connection, player: str, act: int, since: int, until: int | None) -> None:
    """Keep a player out, in the place of what was said before."""
    end(tx, player)
    tx.execute(sa.insert(suspensions).values(player_id=player, act=act, since=since, until=until))


def end(tx: Connection, player: str) -> bool:
    """Let a player in again. Whether they were kept out."""
    return tx.execute(sa.delete(suspensions).where(suspensions.c.player_id == player)).rowcount > 0
