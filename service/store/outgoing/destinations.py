"""Destinations in trouble: a mail server or a host of webhooks that takes nothing just now. What is well has no row."""

from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store.connection import Connection
from service.store.rows import DestinationRow
from service.store.statements import Statement

destinations: Final = DestinationRow.__table__  # type: ignore[attr-defined]


class Trouble(msgspec.Struct, frozen=True):
    """How a destination fares; times in microseconds since 1970 UTC."""

    channel: str
    name: str
    since: int
    down_since: int | None
    failures: int
    probe_at: int
    lease: str | None
    reason: str


_NAMES: Final = Trouble.__struct_fields__
_ALL: Final = sa.select(*(destinations.c[name] for name in _NAMES))
_this: Final = _ALL.where(
    destinations.c.channel == bindparam("on", type_=sa.String),
    destinations.c.name == bindparam("called", type_=sa.String),
)
_read: Final = Statement(_this)
_hold: Final = Statement(_this.with_for_update())
_PUT: Final = sa.text(
    f"INSERT INTO destinations ({', '.join(_NAMES)}) VALUES (:{', :'.join(_NAMES)}) ON CONFLICT DO NOTHING"  # noqa: S608
)


def of(connection: Connection, channel: str, name: str) -> Trouble | None:
    """The trouble of a destination; None where it is well."""
    return _first(_read(connection, on=channel, called=name))


def hold(tx: Connection, channel: str, name: str) -> Trouble | None:
    """The same, for nobody else to change until the transaction ends."""
    return _first(_hold(tx, on=channel, called=name))


def down(connection: Connection) -> list[Trouble]:
    """Every destination that is down, the one that has been so for longest first."""
    found = _ALL.where(destinations.c.down_since.is_not(None)).order_by(destinations.c.down_since)
    return [Trouble(*row) for row in connection.execute(found)]


def put(tx: Connection, trouble: Trouble) -> None:
    """Note the trouble of a destination that was well, unless somebody else has just done so."""
    tx.execute(_PUT, msgspec.structs.asdict(trouble))


def change(tx: Connection, channel: str, name: str, **changes: Any) -> None:
    """Change columns of a destination in trouble."""
    tx.execute(sa.update(destinations).where(*_is(channel, name)).values(**changes))


def renew_probe(tx: Connection, channel: str, name: str, lease: str | None, until: int) -> None:
    """Let nobody else probe a destination until then, if the probe under this lease goes on."""
    mine = (*_is(channel, name), destinations.c.lease == lease)
    tx.execute(sa.update(destinations).where(*mine).values(probe_at=until))


def void_leases(tx: Connection, now: int) -> None:
    """End the probes of senders who are known to be dead; the next may go at once, for time has passed."""
    tx.execute(sa.update(destinations).values(lease=None, probe_at=now))


def remove(tx: Connection, channel: str, name: str | None = None) -> None:
    """A destination is well again; without a name, all of a channel are taken for well."""
    which = destinations.c.channel == channel if name is None else sa.and_(*_is(channel, name))
    tx.execute(sa.delete(destinations).where(which))


def _is(channel: str, name: str) -> tuple[sa.ColumnElement[bool], ...]:
    return destinations.c.channel == channel, destinations.c.name == name


def _first(rows: Any) -> Trouble | None:
    row = rows.fetchone()
    return None if row is None else Trouble(*row)
