"""Devices: browsers that are called by Web Push, as long as the token lasts that they were entered with."""

from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store import records
from service.store.connection import Connection
from service.store.outgoing import deliveries as queue
from service.store.outgoing import destinations
from service.store.outgoing.deliveries import COLUMNS, PUSH, Delivery, deliveries, notices, waits
from service.store.rows import DeviceRow, TokenRow
from service.store.statements import Statement

devices: Final = DeviceRow.__table__  # type: ignore[attr-defined]
_tokens: Final = TokenRow.__table__  # type: ignore[attr-defined]
SIGNED_IN: Final = sa.exists().where(_tokens.c.id == devices.c.token_id)
"""Holds for devices that are still signed in: whoever signs out, there or from afar, is called no more."""


class Device(msgspec.Struct, frozen=True):
    """A device (DeviceRow explains the fields)."""

    id: str
    player_id: str
    token_id: str
    digest: bytes
    service: str
    sealed: bytes
    label: str
    created_at: int
    called_at: int | None
    reason: str


_ALL: Final = sa.select(*records.columns(Device, devices))
_MINE: Final = deliveries.c.channel == sa.literal_column(f"'{PUSH}'")
_told: Final = Statement(
    sa.select(deliveries.c.state).where(deliveries.c.notice_id == bindparam("notice", type_=sa.BigInteger), _MINE)
)
_OTHER: Final = frozenset({"notice_id", "channel", "secret", "message_id", "body"})
_RENAMED: Final = {"target": "device_id", "recipient": "player_id"}
calls: Final = (
    sa.select(
        *(column.label(_RENAMED.get(column.name, column.name)) for column in COLUMNS if column.name not in _OTHER)
    )
    .join(notices, notices.c.id == deliveries.c.notice_id)
    .where(_MINE)
    .subquery("calls")
)
"""Deliveries to devices, as their owner is shown them."""


def claim(tx: Connection, lease: str, now: int, until: int) -> Delivery | None:
    """Lease the call that has been due for longest, until then, of those whose push service may be asked."""
    away = [trouble.name for trouble in destinations.down(tx) if trouble.channel == PUSH and trouble.probe_at > now]
    free = sa.exists().where(devices.c.id == deliveries.c.target, devices.c.service.not_in(away))
    due = sa.select(deliveries.c.id).where(_MINE, *waits(now), deliveries.c.lease_until <= now)
    first = due.where(free).order_by(deliveries.c.not_before, deliveries.c.id).limit(1)
    return queue.claim_one(tx, first.with_for_update(skip_locked=True), lease, until)


def of_id(connection: Connection, device: str) -> Device | None:
    """A device that is signed in; None for any other."""
    return records.first(connection, Device, _ALL.where(devices.c.id == device, SIGNED_IN))


def of_player(connection: Connection, player: str) -> list[Device]:
    """The devices of a player that are signed in, oldest first."""
    found = _ALL.where(devices.c.player_id == player, SIGNED_IN).order_by(devices.c.created_at, devices.c.id)
    return list(records.every(connection, Device, found))


def service_of(connection: Connection, device: str) -> str | None:
    """The push service of a device, as a digest."""
    found: str | None = connection.execute(sa.select(devices.c.service).where(devices.c.id == device)).scalar()
    return found


def of_digest(tx: Connection, digest: bytes) -> Device | None:
    """Whoever's device has an address with this digest, locked."""
    return records.first(tx, Device, _ALL.where(devices.c.digest == digest).with_for_update())


def add(tx: Connection, device: Device) -> None:
    """Keep a new device."""
    tx.execute(sa.insert(devices).values(**msgspec.structs.asdict(device)))


def change(tx: Connection, device: str, **changes: Any) -> None:
    """Change columns of a device."""
    tx.execute(sa.update(devices).where(devices.c.id == device).values(**changes))


def end(tx: Connection, device: str) -> bool:
    """Forget a device, and what waits to be told there. Whether there was one."""
    tx.execute(sa.delete(deliveries).where(_MINE, deliveries.c.target == device, deliveries.c.state == queue.QUEUED))
    return tx.execute(sa.delete(devices).where(devices.c.id == device)).rowcount == 1


def drop_signed_out(tx: Connection, player: str) -> None:
    """Forget the devices of a player that were signed out."""
    _end_all(tx, sa.select(devices.c.id).where(devices.c.player_id == player, ~SIGNED_IN))


def look_round(tx: Connection, start: str, most: int) -> None:
    """Forget those that were signed out of up to `most` devices, by id from `start` on, and of as many first ones."""
    for some in (devices.c.id >= start, devices.c.id < start):
        looked_at = sa.select(devices.c.id).where(some).order_by(devices.c.id).limit(most)
        _end_all(tx, sa.select(devices.c.id).where(devices.c.id.in_(looked_at), ~SIGNED_IN))


def _end_all(tx: Connection, found: sa.Select[Any]) -> None:
    for device in tx.execute(found).scalars().all():
        end(tx, device)


def told(connection: Connection, notice: int) -> set[str]:
    """The states of the calls about a notice."""
    return {state for (state,) in _told(connection, notice=notice).fetchall()}


def count_sent(connection: Connection, device: str, since: int) -> int:
    """How often a device was called since then."""
    sent = (_MINE, deliveries.c.target == device, deliveries.c.state == "sent", deliveries.c.done_at > since)
    return int(connection.execute(sa.select(sa.func.count()).where(*sent)).scalar_one())


def forget_calls_of(tx: Connection, player: str) -> int:
    """Delete all calls of a player. How many."""
    return tx.execute(sa.delete(deliveries).where(_MINE, deliveries.c.recipient == player)).rowcount
