"""Leases of deadlines: who decides a deadline that has passed, or when to look at it again.

A lease is a row of a small table of its own and not a column of the decision: ids are random, so a hundred decisions
lie on a hundred pages, a hundred leases on one or two. It is of one deadline as it stands: a deadline that moves, or an
answer that is owed anew, is nobody's.
"""

from functools import cache
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.engine.game import Seat
from service.kernel.clock import SECOND
from service.store.clocks.decisions import Decision, decisions
from service.store.clocks.halted import going
from service.store.connection import Connection
from service.store.rows import DeadlineLeaseRow
from service.store.statements import Statement

leases: Final = DeadlineLeaseRow.__table__  # type: ignore[attr-defined]
LONGEST: Final = 300 * SECOND
"""A lease that lasts longer is none: a clock that was wrong wrote it, or somebody who was not us."""
_DEADLINE: Final = tuple(column.name for column in leases.primary_key)
_NOW: Final[sa.ColumnElement[int]] = bindparam("now", type_=sa.BigInteger)
_UNTIL: Final = bindparam("until", type_=sa.BigInteger)
_FROM: Final = sa.tuple_(decisions.c.acts_at, decisions.c.since) >= sa.tuple_(
    bindparam("since", type_=sa.BigInteger), sa.literal_column("0")
)
"""As a row: of BETWEEN with parameters PostgreSQL expects too few rows, reads all that are due and sorts them."""
_LEASED: Final = (_NOW + sa.literal_column("1"), _NOW + sa.literal_column(str(LONGEST)))
_leased_until: Final = (
    sa.select(leases.c.lease_until).where(*(leases.c[name] == decisions.c[name] for name in _DEADLINE))
).scalar_subquery()
"""Looked up for each deadline: as a join PostgreSQL may compare all with all, as it takes the leases for few."""
_picked: Final = (
    sa.select(*(decisions.c[name] for name in _DEADLINE), _UNTIL)
    .where(decisions.c.acts_at <= _NOW, _FROM)
    .where(~sa.func.coalesce(_leased_until, sa.literal_column("0")).between(*_LEASED))
    .where(going(decisions.c.game_id))
    .order_by(decisions.c.acts_at)
    .limit(bindparam("most", type_=sa.Integer))
    .with_for_update(of=decisions, skip_locked=True)
)
_drop_over: Final = Statement(sa.delete(leases).where(leases.c.lease_until <= _NOW))


class Passed(NamedTuple):
    """A deadline whose time is over: of whom, the event since which the answer is owed, when the caretaker acts."""

    game: str
    seat: Seat
    since: int
    acts_at: int


def claim(tx: Connection, now: int, until: int, most: int, since: int = 0) -> list[Passed]:
    """Lease up to `most` deadlines that are over and not leased, the oldest first, of those that passed at `since` or
    later. Nobody else gets them until then."""
    rows = _claim(tx.dialect.name)(tx, now=now, until=until, most=most, since=since).fetchall()
    return sorted(map(Passed._make, rows), key=lambda passed: passed.acts_at)


def look_again(tx: Connection, owed: Decision, at: int) -> None:
    """Have a deadline that is over looked at again at this time."""
    kept = {name: getattr(owed, name) for name in _DEADLINE}
    _upsert(tx.dialect.name)(tx, **kept, lease_until=at)


def drop_over(tx: Connection, now: int) -> None:
    """Delete the leases that are over."""
    _drop_over(tx, now=now)


@cache
def _claim(dialect: str) -> Statement:
    row = _insert(dialect).from_select([*_DEADLINE, "lease_until"], _picked)
    free = row.on_conflict_do_update(
        index_elements=_DEADLINE,
        set_={"lease_until": row.excluded.lease_until},
        where=~leases.c.lease_until.between(*_LEASED),
    )  # on PostgreSQL another may have leased it since this statement began to read
    return Statement(free.returning(*(leases.c[name] for name in _DEADLINE)))


@cache
def _upsert(dialect: str) -> Statement:
    row = _insert(dialect)
    anew = {"lease_until": row.excluded.lease_until}
    return Statement(row.on_conflict_do_update(index_elements=_DEADLINE, set_=anew))


def _insert(dialect: str) -> Any:
    """An INSERT that knows ON CONFLICT, in this dialect; the other one is not even imported."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as sqlite_insert

        return sqlite_insert(leases)
    from sqlalchemy.dialects.postgresql import insert as postgresql_insert

    return postgresql_insert(leases)
