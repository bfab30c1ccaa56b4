"""The hint that a game has moved, by PostgreSQL: told with the commit of the move, or not at all."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from service.store.database import Statement
from service.store.listening import CHANNEL

_notify: Final = Statement(
    sa.select(sa.func.pg_notify(sa.literal_column(f"'{CHANNEL}'"), bindparam("hint", type_=sa.String)))
)


def notify(tx: Connection, game: str, version: int) -> None:
    """Tell whoever listens that a game is at a version, as soon as the transaction lasts."""
    _notify(tx, hint=f"{game} {version}")
