"""Jumps of the clock of record that were set right: what was written meanwhile bears times that never were (T-41)."""

from collections.abc import Sequence
from typing import Final

import msgspec
import sqlalchemy as sa

from service.store.connection import Connection
from service.store.rows import ClockJumpRow

jumps: Final = ClockJumpRow.__table__  # type: ignore[attr-defined]


class Jump(msgspec.Struct, frozen=True):
    """A clock that was ahead, in microseconds since 1970 UTC: the times it showed, and when it was right again."""

    healed_at: int
    first: int
    last: int

    def shows(self, at: int | None) -> bool:
        """Whether a time is one that only the wrong clock can have shown."""
        return at is not None and self.first <= at <= self.last


def add(tx: Connection, jump: Jump) -> None:
    """Remember a jump that was set right."""
    tx.execute(sa.insert(jumps).values(**msgspec.structs.asdict(jump)))


def known(connection: Connection) -> Sequence[Jump]:
    """All jumps, the first one first."""
    columns = (jumps.c[name] for name in Jump.__struct_fields__)
    return [Jump(*row) for row in connection.execute(sa.select(*columns).order_by(jumps.c.healed_at))]
