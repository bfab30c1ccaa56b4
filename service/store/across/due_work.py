"""Due work of all kinds, when the clock it was put off and leased by was wrong."""

import sqlalchemy as sa

from service.store.connection import Connection
from service.store.incoming.inbox import inbound
from service.store.outgoing.deliveries import QUEUED, deliveries
from service.store.outgoing.webhooks import webhooks


def bring_back(tx: Connection, now: int, *, beyond: int) -> None:
    """What was made in times to come is due now, and no lease lasts beyond that time."""
    ahead = (deliveries.c.state == QUEUED, deliveries.c.created_at > now, deliveries.c.not_before > now)
    tx.execute(sa.update(deliveries).where(*ahead).values(not_before=now))
    received = (inbound.c.state == "received", inbound.c.not_before > beyond)
    tx.execute(sa.update(inbound).where(*received).values(not_before=now))
    for table in (deliveries, inbound, webhooks):
        tx.execute(sa.update(table).where(table.c.lease_until > beyond).values(lease_until=now))
