"""Mail that came in: one row a mail, leased to whoever works on it."""

from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.engine.game import Seat
from service.kernel.clock import SECOND
from service.store import records
from service.store.connection import Connection
from service.store.outgoing.outbox import outbox
from service.store.people.players import players
from service.store.rows import UNREDUCED, InboundRow
from service.store.statements import Statement

inbound: Final = InboundRow.__table__  # type: ignore[attr-defined]
AT_ONCE: Final = 5
"""Mails to one address within an HOUR that are worked on in the order in which all mails came."""
HOUR: Final = 3600 * SECOND
_unanswered: Final = Statement(
    sa.select(sa.func.count()).where(
        inbound.c.player_id == bindparam("player", type_=sa.String),
        inbound.c.game_id == bindparam("game", type_=sa.String),
        sa.or_(
            inbound.c.state == sa.literal_column("'shelved'"),
            inbound.c.state == sa.literal_column("'ignored'"),
            inbound.c.reason.like(bindparam("ends", type_=sa.String)),
            inbound.c.reason == sa.literal_column("'not confirmed'"),
        ),
        inbound.c.done_at > bindparam("after", type_=sa.BigInteger),
        inbound.c.done_at <= bindparam("upto", type_=sa.BigInteger),
    )
)


class MailOutcome(msgspec.Struct, frozen=True):
    """What became of a mail, all that is needed to reduce it; `outcome` is sealed, None before it was read."""

    id: int
    outcome: bytes | None
    state: str


class StoredMail(MailOutcome, frozen=True):
    """All that is known of a mail but what it said, which may be long; times in microseconds since 1970 UTC."""

    received_at: int
    source: str
    sender: str
    recipient: str
    token: bytes | None
    purpose: str
    about: int
    trusted: str
    digest: bytes
    reason: str
    not_before: int
    lease: str | None
    lease_until: int
    attempts: int
    player_id: str | None
    game_id: str
    seat: Seat | None
    message_id: str
    written: bytes | None
    done_at: int | None

    @property
    def reply_token(self) -> bytes:
        """The digest of the address it came to, of a mail to one we gave out."""
        assert self.token is not None
        return self.token


class RawMail(msgspec.Struct, frozen=True):
    """A mail as it came in, with what it said, sealed; None once its time is over."""

    received_at: int
    source: str
    sender: str
    token: bytes
    digest: bytes
    raw: bytes | None


class LeasedMail(StoredMail, frozen=True):
    """A mail that is worked on, with what it said; `raw` is sealed, None once its time is over."""

    lease: str
    raw: bytes | None


_OUTCOME: Final = records.columns(MailOutcome, inbound)
FACTS: Final = records.columns(StoredMail, inbound)


def add(tx: Connection, **values: Any) -> int:
    """Store a mail. Its number."""
    fresh = {"lease_until": 0, "attempts": 0, "message_id": ""}
    number: int = tx.execute(sa.insert(inbound).values(**fresh, **values).returning(inbound.c.id)).scalar_one()
    return number


def received_since(connection: Connection, token: bytes | None, purpose: str, about: int, since: int) -> int:
    """How many mails came in to one address after this time."""
    to_it = (inbound.c.token == token, inbound.c.purpose == purpose, inbound.c.about == about)
    found = sa.select(sa.func.count()).where(*to_it, inbound.c.received_at > since)
    return connection.execute(found).scalar_one()


def is_about_somebody(connection: Connection, notice: int) -> bool:
    """Whether there is such a notice, to an address or to a player who is still there."""
    somebody = outbox.c.recipient.contains("@") | sa.exists().where(players.c.id == outbox.c.recipient)
    return connection.execute(sa.select(outbox.c.id).where(outbox.c.id == notice, somebody)).first() is not None


def mark_arrival(tx: Connection, key: int) -> None:
    """On PostgreSQL, hold a shared lock until this transaction ends, beside whoever else brings in mail."""
    if tx.dialect.name == "postgresql":
        tx.execute(sa.select(sa.func.pg_advisory_xact_lock_shared(key)))


def keep_arrivals_out(connection: Connection, key: int) -> bool:
    """On PostgreSQL, have nobody mark an arrival until this transaction ends. False where somebody just does."""
    if connection.dialect.name != "postgresql":
        return True
    alone: bool = connection.execute(sa.select(sa.func.pg_try_advisory_xact_lock(key))).scalar_one()
    return alone


def lease(tx: Connection, name: str, now: int, until: int, most: int) -> Sequence[LeasedMail]:
    """Lease up to `most` mails that wait, whole and by number; of one seat only the oldest.

    After AT_ONCE mails in an hour to one address the next ones yield: others wait for few of them, however many come.
    """
    older = inbound.alias()
    first = ~sa.exists().where(
        older.c.state == "received",
        older.c.game_id == inbound.c.game_id,
        older.c.seat == inbound.c.seat,
        older.c.id < inbound.c.id,
    )
    picked = (
        sa.select(inbound.c.id)
        .where(inbound.c.state == "received", inbound.c.not_before <= now, inbound.c.lease_until <= now, first)
        .order_by(_before_it() // AT_ONCE, inbound.c.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    leased = (
        sa.update(inbound)
        .where(inbound.c.id.in_(picked))
        .values(lease=name, lease_until=until, attempts=inbound.c.attempts + 1)
        .returning(*records.columns(LeasedMail, inbound))
    )
    return sorted(records.every(tx, LeasedMail, leased), key=lambda mail: mail.id)


def _before_it() -> sa.ColumnElement[int]:
    """Count the mails that came to the same address in the hour before one. The two counts can use the index."""
    earlier = inbound.alias()
    same = (earlier.c[name] == inbound.c[name] for name in ("purpose", "about"))
    lately = (earlier.c.received_at > inbound.c.received_at - HOUR, earlier.c.id < inbound.c.id)
    count = sa.select(sa.func.count()).select_from(earlier).where(*same, *lately)
    without = count.where(earlier.c.token.is_(None)).scalar_subquery()
    by_token = count.where(earlier.c.token == inbound.c.token).scalar_subquery()
    return sa.case((inbound.c.token.is_(None), without), else_=by_token)


def void_leases(tx: Connection) -> None:
    """End the leases of holders who are known to be dead; what they had in hand was tried."""
    held = (inbound.c.state == "received", inbound.c.lease_until > 0)
    tx.execute(sa.update(inbound).where(*held).values(lease_until=0))


def lock_leased(tx: Connection, number: int, lease: str) -> bool:
    """Whether a mail that waits is still leased so; locks its row until the transaction ends (Q-11)."""
    mine = (inbound.c.id == number, inbound.c.lease == lease, inbound.c.state == "received")
    return tx.execute(sa.select(inbound.c.id).where(*mine).with_for_update()).first() is not None


def end_lease(tx: Connection, number: int, lease: str, **values: Any) -> bool:
    """Change a mail that is leased so, and give up the lease. False, and nothing done, where it was lost."""
    mine = sa.update(inbound).where(inbound.c.id == number, inbound.c.lease == lease)
    return tx.execute(mine.values(lease=None, lease_until=0, **values)).rowcount == 1


def change(tx: Connection, number: int, **values: Any) -> None:
    """Change columns of a mail."""
    tx.execute(sa.update(inbound).where(inbound.c.id == number).values(**values))


def receive_again(tx: Connection, number: int, now: int) -> None:
    """Let a quarantined mail be read again."""
    fresh = {"state": "received", "reason": "", "attempts": 0, "lease": None, "lease_until": 0, "done_at": None}
    again = sa.update(inbound).where(inbound.c.id == number, inbound.c.state == "quarantined")
    tx.execute(again.values(**fresh, not_before=now))


def by_id(connection: Connection, number: int) -> StoredMail | None:
    """The facts of one mail."""
    return records.first(connection, StoredMail, sa.select(*FACTS).where(inbound.c.id == number))


def state_of(connection: Connection, number: int) -> tuple[str, bool] | None:
    """The state of a mail, and whether what it said is still kept."""
    row = connection.execute(sa.select(inbound.c.state, inbound.c.raw.is_not(None)).where(inbound.c.id == number))
    found = row.first()
    return None if found is None else (found[0], bool(found[1]))


def latest(connection: Connection, state: str | None, most: int) -> Sequence[StoredMail]:
    """The facts of the last mails that came in, newest first, or of those in one state."""
    found = sa.select(*FACTS).order_by(inbound.c.id.desc()).limit(most)
    return records.every(connection, StoredMail, found if state is None else found.where(inbound.c.state == state))


def of_player(connection: Connection, player: str, *, before: int | None, most: int) -> Sequence[StoredMail]:
    """The facts of the mails that came for a player, newest first."""
    found = sa.select(*FACTS).where(inbound.c.player_id == player)
    if before is not None:
        found = found.where(inbound.c.id < before)
    return records.every(connection, StoredMail, found.order_by(inbound.c.id.desc()).limit(most))


def is_waiting(connection: Connection, game: str, seat: int, upto: int) -> bool:
    """Whether a mail of this seat that came in by then is not worked off."""
    mine = (inbound.c.game_id == game, inbound.c.seat == seat, inbound.c.state == "received")
    return connection.execute(sa.select(inbound.c.id).where(*mine, inbound.c.received_at <= upto)).first() is not None


def waiting_at_table(connection: Connection, game: str, upto: int) -> int:
    """How many mails about a game that came in by then are not worked off."""
    waits = (inbound.c.game_id == game, inbound.c.received_at <= upto, inbound.c.state == "received")
    return connection.execute(sa.select(sa.func.count()).where(*waits)).scalar_one()


def drop_unread(tx: Connection, purpose: str, before: int, most: int) -> None:
    """Delete up to `most` mails of before this time to addresses of this purpose, which nobody reads."""
    unread = (inbound.c.token.is_(None), inbound.c.purpose == purpose, inbound.c.about == 0)
    old = sa.select(inbound.c.id).where(*unread, inbound.c.received_at < before, inbound.c.state != "received")
    tx.execute(sa.delete(inbound).where(inbound.c.id.in_(old.limit(most))))


def drop_old(tx: Connection, purpose: str, before: int, most: int) -> None:
    """Delete up to `most` mails of before this time to addresses of this purpose that are not reduced."""
    whole = sa.text(f"({UNREDUCED})")
    old = sa.select(inbound.c.id).where(whole, inbound.c.received_at < before, inbound.c.purpose == purpose)
    tx.execute(sa.delete(inbound).where(inbound.c.id.in_(old.limit(most))))


def drop_at_addresses(tx: Connection, purpose: str, tokens: Collection[bytes]) -> None:
    """Delete the mails that came in to these addresses of this purpose."""
    tx.execute(sa.delete(inbound).where(inbound.c.token.in_(tokens), inbound.c.purpose == purpose))


def at_addresses(connection: Connection, tokens: Collection[bytes]) -> Sequence[RawMail]:
    """The mails that came in to these addresses, oldest first."""
    found = sa.select(*records.columns(RawMail, inbound)).where(inbound.c.token.in_(tokens))
    return records.every(connection, RawMail, found.order_by(inbound.c.id))


def lock_whole(tx: Connection, before: int, most: int) -> Sequence[MailOutcome]:
    """Up to `most` mails of before this time that are worked off and not reduced, locked."""
    whole = sa.select(*_OUTCOME).where(
        sa.text(f"({UNREDUCED})"), inbound.c.received_at < before, inbound.c.state != "received"
    )
    oldest = whole.order_by(inbound.c.received_at).limit(most)
    return records.every(tx, MailOutcome, oldest.with_for_update(skip_locked=True))


def lock_whole_at_table(tx: Connection, game: str, upto: int, most: int) -> Sequence[MailOutcome]:
    """The same of mails about a game that came in by then, by number."""
    whole = sa.or_(inbound.c.raw.is_not(None), inbound.c.sender != "")
    done = (inbound.c.game_id == game, inbound.c.received_at <= upto, inbound.c.state != "received")
    found = sa.select(*_OUTCOME).where(*done, whole).order_by(inbound.c.id).limit(most)
    return records.every(tx, MailOutcome, found.with_for_update())


def lock_all(tx: Connection, numbers: Sequence[int]) -> Sequence[MailOutcome]:
    """These mails by number, locked."""
    found = sa.select(*_OUTCOME).where(inbound.c.id.in_(numbers))
    return records.every(tx, MailOutcome, found.order_by(inbound.c.id).with_for_update())


def from_address(connection: Connection, address: str) -> list[int]:
    """The numbers of the mails whose envelope names this folded address as its sender; of nobody for ""."""
    theirs = sa.and_(sa.func.lower(inbound.c.sender) == address, inbound.c.sender != "")
    return list(connection.execute(sa.select(inbound.c.id).where(theirs)).scalars())


def by_state(connection: Connection) -> dict[str, int]:
    """How many mails are in each state."""
    found = sa.select(inbound.c.state, sa.func.count()).group_by(inbound.c.state)
    return {row[0]: row[1] for row in connection.execute(found)}


def count_waiting(connection: Connection) -> int:
    """How many mails are not done with."""
    waits = (inbound.c.state == sa.literal_column("'received'"), inbound.c.not_before >= 0)  # has SQLite take the index
    found = sa.select(sa.func.count()).select_from(inbound).where(*waits)
    return int(connection.execute(found).scalar_one())


def oldest_waiting(connection: Connection, now: int) -> int | None:
    """When the mail came in that waits for longest; None for none. A mail about a stopped game is put off."""
    waits = (inbound.c.state == "received", inbound.c.not_before <= now)
    at: int | None = connection.execute(sa.select(sa.func.min(inbound.c.received_at)).where(*waits)).scalar()
    return at


def count_unanswered(connection: Connection, player: str, game: str, reason: str, after: int, upto: int) -> int:
    """How many mails of a player about a game were put aside without an answer in a time, `reason` ending theirs."""
    found = _unanswered(connection, player=player, game=game, ends=f"%{reason}", after=after, upto=upto)
    return int(found.fetchone()[0])
