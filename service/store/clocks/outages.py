"""The outages of the service by number. Each game makes each of them good once (Q-9)."""

from typing import Final, NamedTuple

import sqlalchemy as sa

from service.store.connection import Connection
from service.store.rows import OutageRow

outages: Final = OutageRow.__table__  # type: ignore[attr-defined]


_found: Final = sa.select(outages.c.number, outages.c.began_at, outages.c.ended_at)


class Outage(NamedTuple):
    """A time during which nobody could play, in microseconds since 1970 UTC."""

    number: int
    began_at: int
    ended_at: int


def add(tx: Connection, began: int, ended: int) -> int:
    """Record an outage. Returns its number. Whoever calls holds the signs of life, so that numbers are used once."""
    last = latest(tx)
    number = 1 if last is None else last.number + 1
    tx.execute(sa.insert(outages).values(number=number, began_at=began, ended_at=ended))
    return number


def latest(connection: Connection) -> Outage | None:
    """Return the last outage; None if there was none."""
    row = connection.execute(_found.order_by(outages.c.number.desc()).limit(1)).first()
    return None if row is None else Outage(*row)


def every(connection: Connection, after: int = 0) -> list[Outage]:
    """Return the outages with a higher number, in order."""
    found = _found.where(outages.c.number > after).order_by(outages.c.number)
    return [Outage(*row) for row in connection.execute(found)]
