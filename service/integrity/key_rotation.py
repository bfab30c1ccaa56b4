"""Everything but histories and talk that is sealed, sealed again under the present key once it was changed (S-30)."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from service.container import Services
from service.kernel.encryption import KEY_ID_BYTES, Unreadable
from service.notify.webhooks import place
from service.store.idempotency import idempotency
from service.store.inbox import inbound
from service.store.outbox import outbox
from service.store.reply_tokens import reply_tokens
from service.store.webhooks import webhooks


class Place(NamedTuple):
    """A sealed column, and the scope and context its contents are bound to."""

    column: sa.Column[bytes]
    bound: Callable[[Mapping[str, Any]], tuple[str, str]]


PLACES: Final = (
    Place(inbound.c.raw, lambda row: ("inbound", row["digest"].hex())),
    Place(inbound.c.outcome, lambda row: ("inbound", f"outcome|{row['id']}")),
    Place(reply_tokens.c.options, lambda row: (row["game_id"], f"options|{row['outbox_id']}")),
    Place(outbox.c.secret, lambda row: ("codes", f"code|{row['decision']}")),
    Place(webhooks.c.sealed, lambda row: place(row["id"])),
    Place(idempotency.c.answer, lambda row: ("idempotency", row["key"])),
)


def seal_again(services: Services, tx: Connection, place: Place, most: int) -> int:
    """Seal up to `most` values of a column again that are under an earlier key still at hand. How many."""
    table = place.column.table
    key = sa.func.substr(place.column, 1, KEY_ID_BYTES, type_=sa.LargeBinary)
    earlier = [one for one in services.sealer.masters if one != services.sealer.current]
    keys = [*table.primary_key.columns]
    picked = sa.select(*keys).where(key.in_(earlier)).limit(most).with_for_update(skip_locked=True)
    found = tx.execute(picked).mappings().all()
    return sum(_one(services, tx, place, [one == row[one] for one in keys]) for row in found)


def _one(services: Services, tx: Connection, place: Place, this: list[sa.ColumnElement[bool]]) -> bool:
    """One value, read by itself, for a mail may be large. False where it was changed: nobody can open it anyway."""
    row = tx.execute(sa.select(place.column.table).where(*this)).mappings().one()
    bound, name = place.bound(dict(row)), place.column.name
    try:
        plain = services.sealer.open(*bound, row[name])
    except Unreadable:
        return False
    tx.execute(sa.update(place.column.table).where(*this).values({name: services.sealer.seal(*bound, plain)}))
    return True
