"""Everything but histories and talk that is sealed, sealed again under the present key once it was changed (S-30)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from service.kernel.encryption import Sealer, Unreadable
from service.notify.subscriptions import place
from service.store import sealed_columns
from service.store.database import Connection
from service.store.deliveries import notices
from service.store.idempotency import idempotency
from service.store.inbox import inbound
from service.store.reply_tokens import reply_tokens
from service.store.sealed_columns import SealedColumn
from service.store.webhooks import webhooks


class Place(NamedTuple):
    """A sealed column, and the scope and context its contents are bound to."""

    column: SealedColumn
    bound: Callable[[Mapping[str, Any]], tuple[str, str]]


PLACES: Final = (
    Place(inbound.c.raw, lambda row: ("inbound", row["digest"].hex())),
    Place(inbound.c.outcome, lambda row: ("inbound", f"outcome|{row['id']}")),
    Place(reply_tokens.c.options, lambda row: (row["game_id"], f"options|{row['outbox_id']}")),
    Place(notices.c.secret, lambda row: ("codes", f"code|{row['decision']}")),
    Place(webhooks.c.sealed, lambda row: place(row["id"])),
    Place(idempotency.c.answer, lambda row: ("idempotency", row["key"])),
)


def seal_again(sealer: Sealer, tx: Connection, place: Place, most: int) -> int:
    """Seal up to `most` values of a column again that are under an earlier key still at hand. How many."""
    earlier = [key for key in sealer.masters if key != sealer.current]
    anew = partial(_seal_value, sealer, place)
    found = sealed_columns.under_keys(tx, place.column, earlier, most)
    return sum(sealed_columns.change(tx, place.column, this, anew) for this in found)


def _seal_value(sealer: Sealer, place: Place, row: Mapping[str, Any]) -> bytes | None:
    """The value of a row under the present key; None where it was changed: nobody can open it anyway."""
    bound = place.bound(row)
    try:
        return sealer.seal(*bound, sealer.open(*bound, row[place.column.name]))
    except Unreadable:
        return None
