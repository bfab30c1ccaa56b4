"""Analyses of games that are over: a row a game and strength, worked on under a lease, in slices, in the order asked.

What was found so far is written with each slice, by whoever holds the lease: a worker that is killed loses the slice
it had in hand, and one that was given up writes nothing any more.
"""

import zlib
from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec
import sqlalchemy as sa

from domain.teacher.findings import EDITION, Finding
from service.store import records
from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.rows import AnalysisRow

analyses: Final = AnalysisRow.__table__  # type: ignore[attr-defined]
State = Literal["queued", "running", "done", "cancelled", "failed"]
UNDER_WAY: Final = ("queued", "running")
LOCK: Final = 0x416E_616C_7973
"""Of the advisory lock under which analyses are asked for: nobody waits for two."""
_findings: Final = msgspec.json.Decoder(list[Finding]).decode


class Analysis(msgspec.Struct, frozen=True):
    """A row of the table, without what was found; times in microseconds."""

    game_id: str
    strength: int
    player_id: str
    state: State
    edition: int
    requested_at: int
    done: int
    total: int
    reason: str
    attempts: int
    lease_until: int
    lease_by: str | None

    @property
    def is_under_way(self) -> bool:
        """Whether somebody waits for it."""
        return self.state in UNDER_WAY


_ALL: Final = sa.select(*records.columns(Analysis, analyses))
_PRESENT: Final = analyses.c.edition == EDITION
"""What another edition has found is as good as nothing."""


def of_game(connection: Connection, game: str) -> Sequence[Analysis]:
    """The analyses of a game, the weakest first."""
    found = _ALL.where(analyses.c.game_id == game, _PRESENT).order_by(analyses.c.strength)
    return records.every(connection, Analysis, found)


def findings(connection: Connection, game: str, strength: int) -> list[Finding]:
    """What was found so far."""
    body = connection.execute(sa.select(analyses.c.findings).where(*_is(game, strength), _PRESENT)).scalar()
    return _unpack(body or b"")


def awaited_by(connection: Connection, player: str) -> Analysis | None:
    """The analysis a player waits for."""
    mine = _ALL.where(analyses.c.player_id == player, analyses.c.state.in_(UNDER_WAY), _PRESENT)
    return records.first(connection, Analysis, mine)


def asked_since(connection: Connection, player: str, since: int) -> int:
    """Return how many analyses a player has asked for since a time, whatever came of them."""
    asked = sa.select(sa.func.count()).where(analyses.c.player_id == player, analyses.c.requested_at > since)
    return int(connection.execute(asked).scalar_one())


def forget_askers(tx: Connection, before: int) -> None:
    """Forget who asked for the analyses that have ended and were asked for before a time."""
    _forget(tx, analyses.c.player_id != "", analyses.c.requested_at <= before)


def forget_asker(tx: Connection, player: str) -> None:
    """Forget that a player asked for analyses that have ended: they stay for others."""
    _forget(tx, analyses.c.player_id == player)


def _forget(tx: Connection, *which: sa.ColumnElement[bool]) -> None:
    tx.execute(sa.update(analyses).where(analyses.c.state.not_in(UNDER_WAY), *which).values(player_id=""))


def serialise(database: Database, tx: Connection) -> None:
    """Until the transaction ends, nobody else asks for an analysis; on SQLite nobody else writes anyway."""
    if not database.is_sqlite:
        tx.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))


def queue(database: Database, tx: Connection, game: str, strength: int, player: str) -> None:
    """Let an analysis be made, or made on where it was given up; what another edition has found is forgotten."""
    anew: dict[str, Any] = {
        "player_id": player, "state": "queued", "edition": EDITION, "requested_at": database.clock.now(tx),
        "reason": "", "attempts": 0, "lease_until": 0, "lease_by": None,
    }  # fmt: skip
    nothing: dict[str, Any] = {"done": 0, "total": 0, "findings": b""}
    tx.execute(sa.update(analyses).where(*_is(game, strength), analyses.c.edition != EDITION).values(**nothing))
    first = upsert(database, analyses).values(game_id=game, strength=strength, **anew, **nothing)
    tx.execute(first.on_conflict_do_update(index_elements=["game_id", "strength"], set_=anew))


def cancel(tx: Connection, game: str, strength: int) -> None:
    """Give an analysis up; what was found stays, and is gone on with when it is asked for again."""
    _end(tx, game, strength, "cancelled")


def fail(tx: Connection, analysis: Analysis, reason: str) -> None:
    """Give one up that cannot be made."""
    if _holds(tx, analysis):
        _end(tx, analysis.game_id, analysis.strength, "failed", reason=reason)


def is_due(connection: Connection, now: int) -> bool:
    """Whether an analysis waits for a worker."""
    return connection.execute(sa.select(analyses.c.game_id).where(*_waits(now)).limit(1)).first() is not None


def take(tx: Connection, lease: str, now: int, until: int) -> Analysis | None:
    """Lease the analysis asked for first that nobody has in hand, until then."""
    first = (
        sa.select(analyses.c.game_id, analyses.c.strength)
        .where(*_waits(now))
        .order_by(analyses.c.requested_at, analyses.c.game_id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    row = tx.execute(first).first()
    if row is None:
        return None
    mine = sa.update(analyses).where(*_is(row.game_id, row.strength))
    leased = mine.values(state="running", lease_by=lease, lease_until=until, attempts=analyses.c.attempts + 1)
    return records.first(tx, Analysis, leased.returning(*records.columns(Analysis, analyses)))


def add(tx: Connection, analysis: Analysis, found: Sequence[Finding], done: int, total: int, until: int) -> bool:
    """Write down a slice, and hold the lease until then. False, and nothing written, where it was lost or cancelled."""
    if not _holds(tx, analysis):
        return False
    key = _is(analysis.game_id, analysis.strength)
    before = tx.execute(sa.select(analyses.c.findings).where(*key)).scalar() or b""
    body = zlib.compress(msgspec.json.encode([*_unpack(before), *found]))
    slice_ = {"findings": body, "done": done, "total": total, "attempts": 0, "lease_until": until}
    tx.execute(sa.update(analyses).where(*key).values(**slice_))
    if done >= total:
        _end(tx, analysis.game_id, analysis.strength, "done")
    return True


def release(tx: Connection, analysis: Analysis) -> None:
    """Give a lease back: whoever comes next goes on."""
    if _holds(tx, analysis):
        freed = {"lease_until": 0, "lease_by": None, "state": "queued"}
        tx.execute(sa.update(analyses).where(*_is(analysis.game_id, analysis.strength)).values(**freed))


def void_leases(tx: Connection) -> None:
    """End the leases of holders who are known to be dead."""
    tx.execute(sa.update(analyses).where(analyses.c.lease_until > 0).values(lease_until=0, lease_by=None))


def _end(tx: Connection, game: str, strength: int, state: State, **values: Any) -> None:
    """End it. Who asked is known for a day, for the limit of a day: see `forget_askers`."""
    ended = {"state": state, "lease_until": 0, "lease_by": None, **values}
    tx.execute(sa.update(analyses).where(*_is(game, strength)).values(**ended))


def _holds(tx: Connection, analysis: Analysis) -> bool:
    """Whether an analysis is still leased so; locks its row until the transaction ends."""
    mine = (*_is(analysis.game_id, analysis.strength), analyses.c.lease_by == analysis.lease_by)
    held = sa.select(analyses.c.game_id).where(*mine, analyses.c.state == "running").with_for_update()
    return tx.execute(held).first() is not None


def _is(game: str, strength: int) -> tuple[sa.ColumnElement[bool], ...]:
    return analyses.c.game_id == game, analyses.c.strength == strength


def _waits(now: int) -> tuple[sa.ColumnElement[bool], ...]:
    return analyses.c.state.in_(UNDER_WAY), analyses.c.lease_until <= now, _PRESENT


def _unpack(body: bytes) -> list[Finding]:
    return _findings(zlib.decompress(body)) if body else []
