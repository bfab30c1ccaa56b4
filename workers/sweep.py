"""One look at everything that is due. Called by beat's tasks, by an idle worker, and in the embedded mode by a thread.

All of it is leased and safe to run twice, at once or never on time.
"""

from typing import Final

import sqlalchemy as sa
import structlog
from sqlalchemy import Connection

from domain.decider import RuleViolation
from service.clock import SECOND
from service.games import expire_turn
from service.idempotency import rows as idempotency
from service.players import codes
from service.reminders import BATCH, remind
from service.store import decisions
from service.store.database import upsert
from service.store.rows import HeartbeatRow
from service.wardroom import Wardroom
from workers.delivery import deliver
from workers.transport import Transport

log = structlog.get_logger("wardroom.clock")
heartbeats: Final = HeartbeatRow.__table__  # type: ignore[attr-defined]
DAY: Final = 86_400 * SECOND
EXPIRY_LEASE: Final = 60 * SECOND
KEPT_CODES: Final = DAY
KEPT_ANSWERS: Final = 90 * DAY
ROTATED_AT_ONCE: Final = 200


def sweep(room: Wardroom, way: Transport) -> None:
    """Deadlines, reminders, mail, in this order."""
    sweep_deadlines(room)
    sweep_reminders(room)
    deliver(room, way)


def sweep_deadlines(room: Wardroom) -> int:
    """Let the caretaker play for whoever let a deadline pass. How many acted."""
    acted = 0
    while True:
        with room.database.write() as tx:
            now = room.database.clock.now(tx)
            due = decisions.claim_expired(tx, now, now + EXPIRY_LEASE, BATCH)
        acted += sum(_expire(room, *one) for one in due)
        if len(due) < BATCH:
            break
    with room.database.write() as tx:
        beat(room, tx, "sweep")
    return acted


def _expire(room: Wardroom, game: str, seat: int, since: int) -> bool:
    try:
        with room.database.write() as tx:
            return expire_turn(room, tx, game, seat, since)
    except RuleViolation:
        return False
    except Exception as error:  # one game that cannot be opened must not stop the others
        log.exception("a deadline could not be decided", game=game, seat=seat, error=type(error).__name__)
        return False


def sweep_reminders(room: Wardroom) -> int:
    """Make notices of the reminders that are due. How many."""
    reminded = 0
    while True:
        with room.database.write() as tx:
            batch = remind(room, tx)
        reminded += batch
        if batch < BATCH:
            return reminded


def housekeep(room: Wardroom) -> None:
    """Forget what is too old to matter; seal again what is under an older key."""
    with room.database.write() as tx:
        now = room.database.clock.now(tx)
        tx.execute(sa.delete(codes).where(codes.c.expires_at < now - KEPT_CODES))
        tx.execute(sa.delete(idempotency).where(idempotency.c.created_at < now - KEPT_ANSWERS))
        rotated = room.streams.rotate(tx, ROTATED_AT_ONCE)
        beat(room, tx, "housekeeping")
    if rotated:
        log.info("sealed again under the present key", rows=rotated)


def beat(room: Wardroom, tx: Connection, name: str) -> None:
    """A sign of life."""
    now = room.database.clock.now(tx)
    row = upsert(room.database, heartbeats).values(name=name, at=now)
    tx.execute(row.on_conflict_do_update(index_elements=["name"], set_={"at": now}))


def last_beat(connection: Connection, name: str) -> int | None:
    """When that sign of life was last given."""
    found = sa.select(heartbeats.c.at).where(heartbeats.c.name == name)
    return connection.execute(found).scalar()
