"""Hints for the process of news, by PostgreSQL: told with the commit of what they are about, or not at all."""

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store.connection import Connection
from service.store.listening import CHANNEL
from service.store.statements import Statement

_hints: Final = sa.func.unnest(bindparam("hints", type_=sa.ARRAY(sa.String))).column_valued("hint")
_notify: Final = Statement(sa.select(sa.func.pg_notify(sa.literal_column(f"'{CHANNEL}'"), _hints)))


def notify(tx: Connection, hints: Sequence[str]) -> None:
    """Tell whoever listens, as soon as the transaction lasts."""
    _notify(tx, hints=list(hints))
