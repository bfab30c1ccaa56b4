"""Rows that are put right once a database was filled from a backup."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.store.connection import core_of
from service.store.rows import SignInRow, TokenRow

LOCKED: Final = ("games", "players")
tokens: Final = TokenRow.__table__  # type: ignore[attr-defined]
sign_ins: Final = SignInRow.__table__  # type: ignore[attr-defined]


def keep_others_out(tx: Connection) -> None:
    """Let nobody else begin to play in a database of PostgreSQL until the transaction ends."""
    for table in LOCKED:
        if sa.inspect(core_of(tx)).has_table(table):
            tx.exec_driver_sql(f"LOCK TABLE {table} IN EXCLUSIVE MODE")


def end_sign_ins(tx: Connection, *, everybody: bool) -> int:
    """Forget codes and links that were mailed, for they may have been used since; with `everybody` also the sessions
    and keys of all. How many of those."""
    tx.execute(sa.delete(sign_ins))
    return tx.execute(sa.delete(tokens)).rowcount if everybody else 0
