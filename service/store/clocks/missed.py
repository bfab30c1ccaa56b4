"""Deadlines that passed without an answer, each with all it was computed from."""

from typing import Final

import msgspec
import sqlalchemy as sa

from domain.engine.game import Seat
from service.store import records
from service.store.clocks.decisions import Decision
from service.store.connection import Connection
from service.store.rows import MissedRow

missed: Final = MissedRow.__table__  # type: ignore[attr-defined]


class Missed(msgspec.Struct, frozen=True):
    """A row of the table; times in microseconds."""

    game_id: str
    seat: Seat
    since: int
    decided_at: int
    decision: str
    player_id: str | None
    began_at: int
    due_at: int
    acts_at: int
    bank_from: int | None
    hours: str | None
    changes: str


def keep(tx: Connection, passed: Decision, now: int) -> None:
    """Keep a deadline that passed; of an answer that was waited for, the last one alone."""
    values = {name: getattr(passed, name) for name in Missed.__struct_fields__ if name != "decided_at"}
    tx.execute(sa.delete(missed).where(*(missed.c[name] == values[name] for name in ("game_id", "seat", "since"))))
    tx.execute(sa.insert(missed).values(values | {"decided_at": now}))


def of_game(connection: Connection, game: str, most: int) -> list[Missed]:
    """The last `most` deadlines that passed in a game, the latest first."""
    found = sa.select(*records.columns(Missed, missed)).where(missed.c.game_id == game)
    latest = found.order_by(missed.c.decided_at.desc(), missed.c.seat).limit(most)
    return list(records.every(connection, Missed, latest))
