"""Rows by the person they are about, of any table: what access and erasure have in common.

`Theirs` says as data which rows of a table are a person's. Rows are mappings here, for every column is given out as
it is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec
import sqlalchemy as sa
from sqlmodel import SQLModel

from service.store.connection import Connection
from service.store.outgoing import devices, feed_entries, webhooks
from service.store.outgoing.outbox import outbox
from service.store.rows import InboundRow

Row = Mapping[str, Any]
Kind = Literal["boolean", "integer", "other"]
KINDS: Final[Mapping[type[Any], Kind]] = {sa.Boolean: "boolean", sa.Integer: "integer", sa.BigInteger: "integer"}
_inbound: Final = InboundRow.__table__  # type: ignore[attr-defined]
VIEWS: Final[Mapping[str, sa.FromClause]] = {
    "outbox": outbox,
    "webhook_messages": webhooks.messages,
    "feed_entries": feed_entries.entries,
    "calls": devices.calls,
}
"""What is shown of several tables as if it were one: notices with their deliveries, those of one channel each."""
OF_A_NOTICE: Final = ("notices", "deliveries")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, by their id and their address as it is compared; "" for one that is not known any more."""

    id: str
    address: str


@dataclass(frozen=True, slots=True)
class Theirs:
    """The rows of a table with a person's id in one of `ids`, or their address in one of `addresses`.

    Of mails that came in, an address counts only where the mail is no player's, and what came back of notices to the
    person is theirs, too.
    """

    table: str
    ids: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()


class Column(msgspec.Struct, frozen=True):
    """What a column holds."""

    kind: Kind
    nullable: bool


NOTICES: Final = Theirs("outbox", ("recipient",), ("recipient",))
WEBHOOK_MESSAGES: Final = Theirs("webhook_messages", ("player_id",))
FEED_ENTRIES: Final = Theirs("feed_entries", ("player_id",))
CALLS: Final = Theirs("calls", ("player_id",))
MAILS: Final = Theirs("inbound", ("player_id",), ("sender",))


def columns(table: str) -> dict[str, Column]:
    """The columns of a table by name."""
    return {
        column.name: Column(KINDS.get(type(column.type), "other"), bool(column.nullable))
        for column in table_of(table).columns
    }


def rows_of(connection: Connection, theirs: Theirs, person: Person) -> Iterator[Row]:
    """The rows of a person in the order of their keys, read one at a time, for they may be long."""
    table = table_of(theirs.table)
    keys: list[Any] = [*table.primary_key]
    found = connection.execute(sa.select(*keys).where(condition(theirs, person)).order_by(*keys)).all()
    for row in found:
        this = sa.select(table).where(*(key == value for key, value in zip(keys, row, strict=True)))
        known = connection.execute(this).mappings().first()
        if known is not None:  # it may have gone meanwhile
            yield dict(known)


def delete(tx: Connection, theirs: Theirs, person: Person) -> int:
    """Delete the rows of a person. How many."""
    if theirs == FEED_ENTRIES:
        return feed_entries.forget_player(tx, person.id)
    if theirs == CALLS:
        return devices.forget_calls_of(tx, person.id)
    if theirs == WEBHOOK_MESSAGES:
        return webhooks.forget_messages_of(tx, person.id)
    return tx.execute(sa.delete(SQLModel.metadata.tables[theirs.table]).where(condition(theirs, person))).rowcount


def table_of(name: str) -> sa.FromClause:
    """The table of this name, or what is shown of several."""
    return VIEWS[name] if name in VIEWS else SQLModel.metadata.tables[name]


def tables_of(theirs: Theirs) -> tuple[str, ...]:
    """The names of the tables where these rows lie."""
    return OF_A_NOTICE if theirs.table in VIEWS else (theirs.table,)


def condition(theirs: Theirs, person: Person) -> sa.ColumnElement[bool]:
    """Holds for the rows of a person. Rows without an address are nobody's."""
    named = table_of(theirs.table).c
    by_id = sa.or_(sa.false(), *(named[name] == person.id for name in theirs.ids))
    by_address = sa.or_(sa.false(), *(_is_at(named[name], person) for name in theirs.addresses))
    if theirs != MAILS:
        return sa.or_(by_id, by_address)
    about = sa.select(outbox.c.id).where(condition(NOTICES, person))
    nobodys = sa.or_(_is_at(sa.func.lower(_inbound.c.sender), person), _inbound.c.about.in_(about))
    return sa.or_(by_id, sa.and_(_inbound.c.player_id.is_(None), nobodys))


def _is_at(column: sa.ColumnElement[Any], person: Person) -> sa.ColumnElement[bool]:
    return sa.and_(column == person.address, column != "")
