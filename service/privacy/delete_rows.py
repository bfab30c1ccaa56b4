"""Deleting the rows of a person, and emptying those that stay (`belongings` says which)."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.container import Services
from service.mail import inbox
from service.privacy import data_map, final_mail
from service.privacy.data_map import BELONGINGS, INBOUND, MUTES, OUTBOX, Person

GONE: Final = "the player is gone"


def forget(services: Services, tx: Connection, person: Person, now: int) -> Counter[str]:
    """Delete the rows of a person, and empty those that stay. How many of each section."""
    rows: Counter[str] = Counter()
    for one in BELONGINGS:
        if one.table is OUTBOX:
            rows[one.section] += _empty_ledger(tx, person, now)
        elif not one.kept:
            rows[one.section] += tx.execute(sa.delete(one.table).where(one.mine(person))).rowcount
    if person.id:  # wishes of guests about this host; those about "" are about anybody
        tx.execute(sa.delete(MUTES).where(MUTES.c.game_id == person.id))
    return rows


def mails_to_others(connection: Connection, person: Person) -> list[int]:
    """The numbers of mails from their address to answering addresses of somebody else."""
    by_them = sa.select(INBOUND.c.id).where(data_map.at_address(sa.func.lower(INBOUND.c.sender))(person))
    return list(connection.execute(by_them).scalars())


def empty_mails(services: Services, tx: Connection, numbers: Sequence[int]) -> list[int]:
    """Keep of these mails what was done, and nothing that was written. Those that are not worked off yet: they may be
    orders of somebody who shares the address."""
    found = sa.select(INBOUND.c.id, INBOUND.c.state, INBOUND.c.outcome).where(INBOUND.c.id.in_(numbers))
    rows = tx.execute(found.order_by(INBOUND.c.id).with_for_update()).mappings().all()
    for row in rows:
        if row["state"] != "received":
            inbox.reduce_one(services, tx, dict(row), lambda command: False)
    return [row["id"] for row in rows if row["state"] == "received"]


def _empty_ledger(tx: Connection, person: Person, now: int) -> int:
    """Of mails to a person only those about games stay, as part of what was announced there: without what mail servers
    said, which may quote an address. What waits is not sent, but the last mail."""
    mine = OUTBOX.c.recipient == person.id
    waits = (mine, OUTBOX.c.game_id != "", OUTBOX.c.state == "queued")
    tx.execute(sa.update(OUTBOX).where(*waits).values(state="superseded", done_at=now))
    empty = {"lease": None, "lease_until": 0, "message_id": None, "secret": None}
    reason = sa.case((OUTBOX.c.state == "superseded", GONE), else_=None)
    tx.execute(sa.update(OUTBOX).where(mine, OUTBOX.c.game_id != "").values(reason=reason, **empty))
    named = sa.and_(OUTBOX.c.recipient == person.address, OUTBOX.c.recipient != "")
    about_nothing = sa.and_(mine, OUTBOX.c.game_id == "", OUTBOX.c.kind != final_mail.KIND)
    return tx.execute(sa.delete(OUTBOX).where(sa.or_(named, about_nothing))).rowcount
