"""Programs that wait to be let in by somebody at a browser (RFC 8628); of both codes only digests are kept."""

from typing import Any, Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.rows import DeviceGrantRow

device_grants: Final = DeviceGrantRow.__table__  # type: ignore[attr-defined]


class DeviceGrant(msgspec.Struct, frozen=True):
    """A program that waits (DeviceGrantRow explains the fields)."""

    digest: bytes
    user_code: bytes
    label: str
    scopes: str
    created_at: int
    expires_at: int
    pause: int
    polled_at: int | None
    player_id: str | None
    denied: bool


_ALL: Final = sa.select(*records.columns(DeviceGrant, device_grants))


def add(tx: Connection, grant: DeviceGrant) -> None:
    """Keep a program that begins to wait."""
    tx.execute(sa.insert(device_grants).values(**msgspec.structs.asdict(grant)))


def lock(tx: Connection, digest: bytes) -> DeviceGrant | None:
    """The program with the device code of this digest, locked."""
    return records.first(tx, DeviceGrant, _ALL.where(device_grants.c.digest == digest).with_for_update())


def undecided(connection: Connection, user_code: bytes, now: int) -> DeviceGrant | None:
    """The program that shows the code of this digest, while somebody may still decide about it."""
    waits = (device_grants.c.expires_at > now, device_grants.c.player_id.is_(None), device_grants.c.denied.is_(False))
    return records.first(connection, DeviceGrant, _ALL.where(device_grants.c.user_code == user_code, *waits))


def change(tx: Connection, digest: bytes, **values: Any) -> bool:
    """Note what became of it. False for one that is not kept any more, or that somebody has decided about."""
    this = (device_grants.c.digest == digest, device_grants.c.player_id.is_(None), device_grants.c.denied.is_(False))
    return tx.execute(sa.update(device_grants).where(*this).values(**values)).rowcount == 1


def drop(tx: Connection, digest: bytes) -> None:
    """Forget one."""
    tx.execute(sa.delete(device_grants).where(device_grants.c.digest == digest))


def drop_expired(tx: Connection, before: int) -> None:
    """Forget those that expired before this time."""
    tx.execute(sa.delete(device_grants).where(device_grants.c.expires_at < before))
