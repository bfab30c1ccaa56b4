"""Deleting the rows of a person, and emptying those that stay (`data_map` says which)."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa

from service.container import Services
from service.mail import inbox
from service.privacy import final_mail
from service.privacy.data_map import SECTIONS
from service.store import inbox as mails
from service.store import mutes, personal_data
from service.store.database import Connection
from service.store.outbox import outbox
from service.store.personal_data import NOTICES, Person

GONE: Final = "the player is gone"


def forget(tx: Connection, person: Person, now: int) -> Counter[str]:
    """Delete the rows of a person, and empty those that stay. How many of each section."""
    rows: Counter[str] = Counter()
    for section in SECTIONS:
        if section.theirs == NOTICES:
            rows[section.name] += _empty_ledger(tx, person, now)
        elif not section.kept:
            rows[section.name] += personal_data.delete(tx, section.theirs, person)
    if person.id:  # wishes of guests about this host; those about "" are about anybody
        mutes.forget_game(tx, person.id)
    return rows


def mails_to_others(connection: Connection, person: Person) -> list[int]:
    """The numbers of mails from their address to answering addresses of somebody else."""
    return mails.from_address(connection, person.address)


def empty_mails(services: Services, tx: Connection, numbers: Sequence[int]) -> list[int]:
    """Keep of these mails what was done, and nothing that was written. Those that are not worked off yet: they may be
    orders of somebody who shares the address."""
    rows = mails.lock_all(tx, numbers)
    for row in rows:
        if row["state"] != "received":
            inbox.reduce_one(services, tx, row, lambda command: False)
    return [row["id"] for row in rows if row["state"] == "received"]


def _empty_ledger(tx: Connection, person: Person, now: int) -> int:
    """Of mails to a person only those about games stay, as part of what was announced there: without what mail servers
    said, which may quote an address. What waits is not sent, but the last mail."""
    mine = outbox.c.recipient == person.id
    waits = (mine, outbox.c.game_id != "", outbox.c.state == "queued")
    tx.execute(sa.update(outbox).where(*waits).values(state="superseded", done_at=now))
    empty = {"lease": None, "lease_until": 0, "message_id": None, "secret": None}
    reason = sa.case((outbox.c.state == "superseded", GONE), else_=None)
    tx.execute(sa.update(outbox).where(mine, outbox.c.game_id != "").values(reason=reason, **empty))
    named = sa.and_(outbox.c.recipient == person.address, outbox.c.recipient != "")
    about_nothing = sa.and_(mine, outbox.c.game_id == "", outbox.c.kind != final_mail.KIND)
    return tx.execute(sa.delete(outbox).where(sa.or_(named, about_nothing))).rowcount
