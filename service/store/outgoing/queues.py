"""What waits to go out, by channel and kind, read by an index that holds nothing else."""

from collections.abc import Sequence
from typing import Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.clocks.halted import going
from service.store.connection import Connection
from service.store.outgoing.deliveries import QUEUED, deliveries

COUNT: Final = sa.func.count()


class Waiting(msgspec.Struct, frozen=True):
    """What is queued of one kind on one channel; times in microseconds."""

    channel: str
    kind: str
    queued: int
    due: int  # of these, what nothing but its channel holds up
    tried: int  # of these, what was tried in vain
    oldest: int  # when the first of these was made
    due_since: int | None  # since when the first of those due has been so
    next_at: int | None  # when the next of those not due is


def waiting(connection: Connection, now: int) -> Sequence[Waiting]:
    """Everything that is queued, by channel and kind."""
    due = sa.and_(deliveries.c.not_before <= now, going(deliveries.c.game_id))
    found = sa.select(
        deliveries.c.channel,
        deliveries.c.kind,
        COUNT,
        COUNT.filter(due),
        COUNT.filter(deliveries.c.put_off.is_not(None)),
        sa.func.min(deliveries.c.created_at),
        sa.func.min(deliveries.c.not_before).filter(due),
        sa.func.min(deliveries.c.not_before).filter(deliveries.c.not_before > now),
    )
    grouped = found.where(deliveries.c.state == QUEUED).group_by(deliveries.c.channel, deliveries.c.kind)
    return records.every(connection, Waiting, grouped.order_by(deliveries.c.channel, deliveries.c.kind))
