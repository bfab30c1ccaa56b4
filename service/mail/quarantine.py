"""What operators see of the mail that came in, and another try for one that was put aside."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from service.container import Services
from service.kernel import clock
from service.mail import addresses
from service.mail.inbox import FACTS, Row, inbound


class NoRetry(Exception):
    """This mail cannot be tried again. The message is a sentence."""


def latest(connection: Connection, *, state: str | None = None, limit: int = 20) -> Sequence[Row]:
    """The facts of the last mails that came in, newest first, or those in one state."""
    found = sa.select(*FACTS).order_by(inbound.c.id.desc()).limit(limit)
    if state is not None:
        found = found.where(inbound.c.state == state)
    return [dict(row) for row in connection.execute(found).mappings()]


def line(row: Row) -> str:
    """One mail for a list: its addresses masked, since whoever reads the one it came to could move."""
    sender = addresses.masked(row["sender"]) if row["sender"] else "<>"
    told = f" ({row['reason']})" if row["reason"] else ""
    at = clock.text(row["received_at"])[:19]
    return f"{row['id']:>6}  {at}Z  {row['source']:7}  {row['state']:11}  {sender} to {row['recipient']}{told}"


def retry(services: Services, tx: Connection, number: int) -> None:
    """Let a mail that was put aside be read again. Raises NoRetry for any other."""
    found = sa.select(inbound.c.state, inbound.c.raw.is_(None).label("gone")).where(inbound.c.id == number)
    row = tx.execute(found).mappings().first()
    if row is None:
        raise NoRetry(f"There is no mail {number}.")
    if row["state"] != "quarantined":
        raise NoRetry(f"Mail {number} is not quarantined, it is {row['state']}.")
    if row["gone"]:
        raise NoRetry(f"What mail {number} said is not kept any more: its sender must send it again.")
    again = sa.update(inbound).where(inbound.c.id == number, inbound.c.state == "quarantined")
    fresh = {"state": "received", "reason": "", "attempts": 0, "lease": None, "lease_until": 0, "done_at": None}
    tx.execute(again.values(**fresh, not_before=services.database.clock.now(tx)))
    services.wakeup.wake()
