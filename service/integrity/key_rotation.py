"""Everything but histories and talk that is sealed, sealed again under the present key once it was changed (S-30)."""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from service.kernel.encryption import Sealer, Unreadable
from service.notify import devices as calls
from service.notify.subscriptions import place
from service.store import sealed_columns
from service.store.clocks.decisions import decisions
from service.store.database import Connection
from service.store.games.notes import notes
from service.store.incoming.inbox import inbound
from service.store.incoming.reply_tokens import reply_tokens
from service.store.outgoing.deliveries import notices
from service.store.outgoing.devices import devices
from service.store.outgoing.webhooks import webhooks
from service.store.running.idempotency import idempotency
from service.store.sealed_columns import NameColumn, SealedColumn, SealedValue


class Place(NamedTuple):
    """A sealed column, and the scope and context its values are bound to, made of those of the columns `named_by`."""

    column: SealedColumn
    named_by: tuple[NameColumn, ...]
    bound: Callable[..., tuple[str, str]]


PLACES: Final = (
    Place(inbound.c.raw, (inbound.c.digest,), lambda digest: ("inbound", digest.hex())),
    Place(inbound.c.outcome, (inbound.c.id,), lambda mail: ("inbound", f"outcome|{mail}")),
    Place(
        reply_tokens.c.options,
        (reply_tokens.c.game_id, reply_tokens.c.outbox_id),
        lambda game, notice: (game, f"options|{notice}"),
    ),
    Place(notices.c.secret, (notices.c.decision,), lambda code: ("codes", f"code|{code}")),
    Place(webhooks.c.sealed, (webhooks.c.id,), place),
    Place(notes.c.body, (notes.c.game_id, notes.c.player_id), lambda game, player: (game, f"note|{player}")),
    Place(
        decisions.c.draft,
        (decisions.c.game_id, decisions.c.player_id, decisions.c.since),
        lambda game, player, since: (game, f"draft|{since}|{player}"),
    ),
    Place(devices.c.sealed, (devices.c.id,), calls.place),
    Place(idempotency.c.answer, (idempotency.c.key,), lambda key: ("idempotency", key)),
)


def seal_again(sealer: Sealer, tx: Connection, place: Place, most: int) -> int:
    """Seal up to `most` values of a column again that are under an earlier key still at hand. How many."""
    earlier = [key for key in sealer.masters if key != sealer.current]
    anew = partial(_seal_value, sealer, place)
    found = sealed_columns.under_keys(tx, place.column, earlier, most)
    return sum(sealed_columns.change(tx, place.column, key, place.named_by, anew) for key in found)


def _seal_value(sealer: Sealer, place: Place, value: SealedValue) -> bytes | None:
    """A value under the present key; None where it was changed: nobody can open it anyway."""
    bound = place.bound(*value.names)
    try:
        return sealer.seal(*bound, sealer.open(*bound, value.sealed))
    except Unreadable:
        return None
