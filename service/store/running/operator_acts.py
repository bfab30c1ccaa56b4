"""The journal of the operator's acts: numbered without a gap and only ever added to; their reasons can be forgotten.

A line holds a commitment to its reason, so that what is read there is what was written, and a reason that names
somebody can go without a trace of what it said.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from domain.engine.canonical import canonical
from domain.engine.game import Seat
from domain.history.envelope import commitment
from service.kernel.entropy import Entropy
from service.store import records
from service.store.connection import Connection
from service.store.database import Database
from service.store.rows import OperatorActRow, OperatorReasonRow

acts: Final = OperatorActRow.__table__  # type: ignore[attr-defined]
reasons: Final = OperatorReasonRow.__table__  # type: ignore[attr-defined]
LOCK: Final = 0x6F70_6572_6174
"""Of the advisory lock under which lines get their numbers."""
SALT_BYTES: Final = 32


class Act(msgspec.Struct, frozen=True):
    """A line of the journal. Times in microseconds; `why` is None where the reason was erased."""

    number: int
    at: int
    operator: str
    what: str
    game_id: str | None
    version: int | None  # of the game after it
    seat: Seat | None
    player_id: str | None
    outcome: str  # canonical JSON: numbers and ids, never a text of somebody's
    commitment: str  # to its reason
    salt: bytes | None
    why: str | None

    @property
    def results(self) -> dict[str, Any]:
        """What came of it."""
        found: dict[str, Any] = msgspec.json.decode(self.outcome)
        return found

    @property
    def holds(self) -> bool:
        """Whether its reason is the one that was written then, or is forgotten."""
        return self.why is None or self.salt is None or self.commitment == _commitment(self.salt, self.why)


_ALL: Final = sa.select(
    *(acts.c[name] for name in Act.__struct_fields__ if name not in ("salt", "why")), reasons.c.salt, reasons.c.why
).outerjoin(reasons, reasons.c.number == acts.c.number)


def serialise(database: Database, tx: Connection) -> None:
    """Until the transaction ends, nobody else writes a line; on SQLite nobody else writes anyway."""
    if not database.is_sqlite:
        tx.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))


def add(database: Database, entropy: Entropy, tx: Connection, why: str, outcome: Mapping[str, Any], **line: Any) -> int:
    """Write a line with its reason. Its number."""
    serialise(database, tx)
    number = 1 + int(tx.execute(sa.select(sa.func.coalesce(sa.func.max(acts.c.number), 0))).scalar_one())
    salt = entropy.salt(SALT_BYTES)
    told = {"outcome": canonical(dict(outcome)).decode(), "commitment": _commitment(salt, why)}
    tx.execute(sa.insert(acts).values(number=number, **told, **line))
    about = {"game_id": line.get("game_id"), "player_id": line.get("player_id")}
    tx.execute(sa.insert(reasons).values(number=number, salt=salt, why=why, **about))
    return number


def find(connection: Connection, number: int) -> Act | None:
    """A line by its number."""
    return records.first(connection, Act, _ALL.where(acts.c.number == number))


def of_game(connection: Connection, game: str) -> Sequence[Act]:
    """The lines about a game, in their order."""
    return records.every(connection, Act, _ALL.where(acts.c.game_id == game).order_by(acts.c.number))


def of_player(connection: Connection, player: str) -> Sequence[Act]:
    """The lines about a player, in their order."""
    return records.every(connection, Act, _ALL.where(acts.c.player_id == player).order_by(acts.c.number))


def latest(
    connection: Connection, limit: int, before: int | None = None, *, game: str | None = None, player: str | None = None
) -> Sequence[Act]:
    """The newest lines, newest first; those `before` a number, about a game, about a player."""
    found = _ALL if before is None else _ALL.where(acts.c.number < before)
    found = found if game is None else found.where(acts.c.game_id == game)
    found = found if player is None else found.where(acts.c.player_id == player)
    return records.every(connection, Act, found.order_by(acts.c.number.desc()).limit(limit))


def every(connection: Connection) -> Sequence[Act]:
    """All lines, in their order."""
    return records.every(connection, Act, _ALL.order_by(acts.c.number))


def forget_games(tx: Connection, games: Collection[str], upto: int) -> None:
    """Forget why anything was done to these games up to a moment."""
    then = sa.select(acts.c.number).where(acts.c.game_id.in_(games), acts.c.at <= upto)
    tx.execute(sa.delete(reasons).where(reasons.c.number.in_(then)))


def _commitment(salt: bytes, why: str) -> str:
    return commitment(salt, {"why": why})
