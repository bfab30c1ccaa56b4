"""People: everything that names them, what mail they want, and who sits at a table."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store import records
from service.store.clocks.decisions import decisions
from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.rows import PlayerRow, SeatRow
from service.store.statements import Statement

players: Final = PlayerRow.__table__  # type: ignore[attr-defined]
seats: Final = SeatRow.__table__  # type: ignore[attr-defined]
NO_DIGEST: Final = "off"
TO_BE_PLANNED: Final = 0
"""The `digest_at` of a digest whose time is still to be worked out."""

sitting: Final = Statement(
    sa.select(seats.c.seat, players.c.name, decisions.c.decision, decisions.c.since, decisions.c.due_at)
    .outerjoin(players, players.c.id == seats.c.player_id)
    .outerjoin(decisions, sa.and_(decisions.c.game_id == seats.c.game_id, decisions.c.seat == seats.c.seat))
    .where(seats.c.game_id == bindparam("game", type_=sa.String))
    .order_by(seats.c.seat)
)
"""Each seat of a game: its player's name, and what it owes."""


class Player(msgspec.Struct, frozen=True):
    """A person: all that is kept in their own row (PlayerRow explains the fields)."""

    id: str
    name: str
    email: str
    email_key: str
    timezone: str
    language: str
    mail: bool
    secret_free: bool
    new_subjects: bool
    calendar: bool
    wakes_at: int
    digest: str
    digest_at: int | None
    digest_since: int | None
    receipts: bool
    quiet_turns: bool
    tell_urgent: str
    tell_normal: str
    tell_news: str
    created_at: int
    verified_at: int | None

    @property
    def is_guest(self) -> bool:
        """Return whether the player has not verified an address yet."""
        return self.verified_at is None


_ALL: Final = sa.select(*records.columns(Player, players))


def by_id(connection: Connection, player: str) -> Player | None:
    """One player; None for an id that is nobody's, or nobody's any more."""
    return records.first(connection, Player, _ALL.where(players.c.id == player))


def by_email_key(connection: Connection, key: str) -> Player | None:
    """The player of a folded address."""
    return records.first(connection, Player, _ALL.where(players.c.email_key == key))


def exists(connection: Connection, player: str) -> bool:
    """Whether this is a player's id."""
    return connection.execute(sa.select(players.c.id).where(players.c.id == player)).first() is not None


def email_key_of(connection: Connection, player: str) -> str | None:
    """The folded address of a player."""
    key: str | None = connection.execute(sa.select(players.c.email_key).where(players.c.id == player)).scalar()
    return key


def lock(tx: Connection, player: str) -> None:
    """Let nobody else hold this player's row until the transaction ends."""
    tx.execute(sa.select(players.c.id).where(players.c.id == player).with_for_update())


def add_once(database: Database, tx: Connection, **values: Any) -> str:
    """The id of the player with this `email_key`, made of these values if there is none; two at once make one."""
    row = upsert(database, players).values(**values)
    tx.execute(row.on_conflict_do_nothing(index_elements=["email_key"]))
    mine = sa.select(players.c.id).where(players.c.email_key == values["email_key"])
    identity: str = tx.execute(mine).scalar_one()
    return identity


def change(tx: Connection, player: str, changes: Mapping[str, Any]) -> None:
    """Change columns of a player's row."""
    tx.execute(sa.update(players).where(players.c.id == player).values(**changes))


def choose_digest(tx: Connection, player: str, frequency: str) -> None:
    """Keep how often a player wants a digest (off, daily, weekly); the next one is still to be planned."""
    when = {"digest_at": None, "digest_since": None} if frequency == NO_DIGEST else {"digest_at": TO_BE_PLANNED}
    change(tx, player, {"digest": frequency, **when})


def plan_digest_anew(tx: Connection, player: str) -> None:
    """Have the next digest of a player planned once more, if they want any."""
    wants = (players.c.id == player, players.c.digest != NO_DIGEST)
    tx.execute(sa.update(players).where(*wants).values(digest_at=TO_BE_PLANNED))
