"""Rows of the outbox as the services take them."""

from collections.abc import Mapping
from typing import Any

from service.store.across.mail_history import mail_of
from service.store.database import Connection
from service.store.outgoing.deliveries import Delivery
from service.store.outgoing.notice import Notice


def notice_in(row: Mapping[str, Any]) -> Notice:
    """The notice in a row that holds more."""
    return Notice(**{name: row[name] for name in Notice.__struct_fields__ if name in row})


def mail_in(connection: Connection, row: Mapping[str, Any]) -> Delivery:
    """The mail of the notice in a row."""
    found = mail_of(connection, row["id"])
    assert found is not None
    return found
