"""Mail that comes in: the one door for the listener, standard input and IMAP. Stored first, thought about later.

A mail is accepted when its row is committed, and then is never lost (IN-02): a worker claims it under a lease, and
settles it in the transaction of whatever it did, so that it is done once (I-08).
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.encryption import Unreadable
from service.mail import addresses, reply_tokens
from service.mail.reply_tokens import Grant
from service.store.outbox import outbox
from service.store.players import players
from service.store.rows import UNREDUCED, InboundRow

inbound: Final = InboundRow.__table__  # type: ignore[attr-defined]
LARGEST: Final = 2_000_000
"""Bytes of the largest mail taken (IN-01)."""
HELD: Final = "held"
"""The state of a mail that waits for its owner's yes, and what is said came of it."""
DAY: Final = 86_400 * SECOND
KEPT: Final = 30 * DAY
"""How long a mail is kept whole (IN-31); what must be known of it stays."""
AUDITED: Final = ("result", "commands", "answers", "before", "version")
"""What stays of its outcome then."""
MOST_A_DAY: Final = 200
"""Mails taken for one address: far more than a person sends, and few enough to be kept."""
FACTS: Final = tuple(column for column in inbound.c if column.name != "raw")
"""All that is known of a mail but what it said, which may be long."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class InboundMail:
    """One message to one recipient, as it came in."""

    raw: bytes
    recipient: str  # of the envelope (IN-03)
    sender: str  # of the envelope, "" for the null sender
    source: str  # lmtp, smtp, stdin, imap, mailbox
    trusted: str = ""  # "pass" where whoever handed it over vouches for From; else its headers must tell
    received_at: int | None = None  # when a server of ours had it, if that was before it was stored (IN-19)


class NotAccepted(Exception):
    """A mail that is not taken: an SMTP code, an enhanced code (RFC 3463) and a sentence."""

    def __init__(self, code: int, enhanced: str, text: str) -> None:
        super().__init__(f"{code} {enhanced} {text}")
        self.code = code
        self.enhanced = enhanced
        self.text = text


NO_SUCH_ADDRESS: Final = "No such address: answer the newest mail of your game, to the address it asks for."
TOO_MANY: Final = "Too many mails came to this address today: try again tomorrow."
NOBODY_READS: Final = "nobody reads mail to this address"
TOO_LARGE: Final = f"This mail is larger than {LARGEST} bytes: send your orders without attachments."


def check_recipient(services: Services, connection: Connection, recipient: str) -> addresses.Address:
    """The address a mail may come to. Raises NotAccepted for any other (IN-30), or if it had enough today (RATE-09)."""
    return _opened(services, connection, recipient)[0]


def _opened(services: Services, connection: Connection, recipient: str) -> tuple[addresses.Address, Grant | None]:
    """The address, and what it may do if it has a token."""
    address = addresses.read(services, recipient) if recipient.isprintable() else None
    grant = reply_tokens.find(services, connection, address.token) if address and address.token else None
    if address is None or (address.token is not None and grant is None):
        raise NotAccepted(550, "5.1.1", NO_SUCH_ADDRESS)
    if services.settings.rate_limits and _had_enough(connection, address, services.database.clock.now(connection)):
        raise NotAccepted(452, "4.7.1", TOO_MANY)
    return address, grant


def _had_enough(connection: Connection, address: addresses.Address, now: int) -> bool:
    to_it = (inbound.c.token == address.token, inbound.c.purpose == address.purpose, inbound.c.about == address.about)
    today = sa.select(sa.func.count()).where(*to_it, inbound.c.received_at > now - DAY)
    return int(connection.execute(today).scalar_one()) >= MOST_A_DAY


def accept(services: Services, mail: InboundMail) -> int:
    """Store a mail; when this returns it is safe. Its number. Raises NotAccepted, or what the database raises."""
    if len(mail.raw) > LARGEST:
        raise NotAccepted(552, "5.3.4", TOO_LARGE)
    with services.database.write() as tx:
        address, grant = _opened(services, tx, mail.recipient)
        former = _about_nobody(tx, address)
        sunk = former or address.purpose == addresses.NOWHERE
        if grant is not None:
            _arriving(tx, grant.game)
        now = services.database.clock.now(tx)
        raw = hashlib.sha256(mail.raw).digest()
        kept = sa.insert(inbound).values(
            received_at=now if mail.received_at is None else min(mail.received_at, now),
            source=mail.source,
            sender="" if former else "".join(filter(str.isprintable, mail.sender))[:320],
            recipient=addresses.masked(mail.recipient),
            token=address.token,
            purpose=address.purpose,
            about=address.about,
            trusted=mail.trusted,
            digest=raw,
            raw=None if sunk else services.sealer.seal("inbound", raw.hex(), mail.raw),
            state="ignored" if sunk else "received",
            reason=NOBODY_READS if sunk else "",
            done_at=now if sunk else None,
            not_before=now,
            lease_until=0,
            attempts=0,
            player_id=grant.player if grant else None,
            game_id=grant.game if grant else "",
            seat=grant.seat if grant else None,
            message_id="",
        )
        number: int = tx.execute(kept.returning(inbound.c.id)).scalar_one()
    services.wakeup.wake()
    return number


def _about_nobody(connection: Connection, address: addresses.Address) -> bool:
    """Whether it came to the return path of a mail to somebody who was erased since then: it may name them."""
    somebody = outbox.c.recipient.contains("@") | sa.exists().where(players.c.id == outbox.c.recipient)
    known = sa.select(outbox.c.id).where(outbox.c.id == address.about, somebody)
    return address.about > 0 and connection.execute(known).first() is None


def _arriving(tx: Connection, game: str) -> None:
    """Until this transaction ends, `waiting` knows that a mail for this game is on its way in.

    On PostgreSQL the time of arrival is read before others see the row: a commit may wait for a standby for seconds.
    """
    if tx.dialect.name == "postgresql":
        tx.execute(sa.select(sa.func.pg_advisory_xact_lock_shared(_door(game))))


def _door(game: str) -> int:
    """The key of the lock of mails that come in for a game."""
    return int.from_bytes(hashlib.sha256(f"inbound|{game}".encode()).digest()[:8], "big", signed=True)


def claim(services: Services, tx: Connection, lease: str, until: int, most: int) -> list[Row]:
    """Lease up to `most` mails that wait; of one seat only the oldest, so that the last one received counts last."""
    now = services.database.clock.now(tx)
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
        .order_by(inbound.c.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    leased = (
        sa.update(inbound)
        .where(inbound.c.id.in_(picked))
        .values(lease=lease, lease_until=until, attempts=inbound.c.attempts + 1)
        .returning(*inbound.c)
    )
    return sorted((dict(row) for row in tx.execute(leased).mappings()), key=lambda row: row["id"])


def holds(tx: Connection, row: Row) -> bool:
    """Whether the lease is still ours; locks the row until the transaction ends (Q-11)."""
    mine = (inbound.c.id == row["id"], inbound.c.lease == row["lease"], inbound.c.state == "received")
    return tx.execute(sa.select(inbound.c.id).where(*mine).with_for_update()).first() is not None


def settle(services: Services, tx: Connection, row: Row, state: str, *, outcome: object = None, **values: Any) -> bool:
    """What came of a mail. False, and nothing done, where the lease was lost."""
    sealed = None if outcome is None else _sealed_outcome(services, row["id"], outcome)
    done = (
        sa.update(inbound)
        .where(inbound.c.id == row["id"], inbound.c.lease == row["lease"])
        .values(
            state=state, lease=None, lease_until=0, outcome=sealed, done_at=services.database.clock.now(tx), **values
        )
    )
    return tx.execute(done).rowcount == 1


def postpone(tx: Connection, row: Row, later: int, why: str, *, spare: bool = False) -> None:
    """Look at a mail again later; `spare` gives the attempt back."""
    mine = (inbound.c.id == row["id"], inbound.c.lease == row["lease"])
    again = {"not_before": later, "reason": why, "lease": None, "lease_until": 0}
    tx.execute(sa.update(inbound).where(*mine).values(**again, attempts=inbound.c.attempts - int(spare)))


def outcome(services: Services, row: Row) -> Any:
    """What was understood of a mail and what came of it; None before it was read, or if no key at hand opens it."""
    if row["outcome"] is None:
        return None
    try:
        return msgspec.json.decode(services.sealer.open("inbound", f"outcome|{row['id']}", row["outcome"]))
    except Unreadable:
        return None


def raw_of(services: Services, row: Row) -> bytes | None:
    """The bytes of a claimed mail as they came in, None once their time is over."""
    return None if row["raw"] is None else services.sealer.open("inbound", row["digest"].hex(), row["raw"])


def by_id(connection: Connection, number: int) -> Row | None:
    """The facts of one mail."""
    row = connection.execute(sa.select(*FACTS).where(inbound.c.id == number)).mappings().first()
    return None if row is None else dict(row)


def waiting(connection: Connection, game: str, seat: int, upto: int) -> bool:
    """Whether a mail of this seat that came in by then is not done with: no timeout before it is (IN-20).

    Where it says no, no such mail comes in before the transaction ends.
    """
    if connection.dialect.name == "postgresql":
        alone = sa.func.pg_try_advisory_xact_lock(_door(game))
        if not connection.execute(sa.select(alone)).scalar_one():
            return True
    mine = (inbound.c.game_id == game, inbound.c.seat == seat, inbound.c.state == "received")
    return connection.execute(sa.select(inbound.c.id).where(*mine, inbound.c.received_at <= upto)).first() is not None


def mails_of(connection: Connection, player: str, *, before: int | None, limit: int) -> Sequence[Row]:
    """The facts of the mails we got for a player, newest first."""
    found = sa.select(*FACTS).where(inbound.c.player_id == player)
    if before is not None:
        found = found.where(inbound.c.id < before)
    return [dict(row) for row in connection.execute(found.order_by(inbound.c.id.desc()).limit(limit)).mappings()]


def reduce(services: Services, tx: Connection, now: int, most: int) -> int:
    """Keep of up to `most` mails whose time is over only what must be known of them (IN-31). How many."""
    over = (inbound.c.received_at < now - KEPT, inbound.c.state != "received")
    unread = (inbound.c.token.is_(None), inbound.c.purpose == addresses.NOWHERE, inbound.c.about == 0)
    nobodys = sa.select(inbound.c.id).where(*unread, *over).limit(most)
    tx.execute(sa.delete(inbound).where(inbound.c.id.in_(nobodys)))
    old = (
        sa.select(inbound.c.id, inbound.c.outcome, inbound.c.state)
        .where(sa.text(f"({UNREDUCED})"), *over)
        .order_by(inbound.c.received_at)
    )
    rows = tx.execute(old.limit(most).with_for_update(skip_locked=True)).mappings().all()
    for row in rows:
        reduce_one(services, tx, dict(row), lambda command: True)
    return len(rows)


def reduce_one(services: Services, tx: Connection, row: Row, may_stay: Callable[[str], bool]) -> None:
    """Keep of one mail only what must be known of it, and of its commands those that may stay. One that waits for a yes
    keeps all of them, or is refused."""
    known = outcome(services, row) or {}
    facts = {name: known[name] for name in AUDITED if name in known}
    stay = [command for command in facts.get("commands", ()) if may_stay(command)]
    changes: dict[str, Any] = {"raw": None, "sender": ""}
    if row["state"] == HELD and stay != facts.get("commands", []):
        changes |= {"state": "refused", "reason": "not confirmed"}
    elif row["state"] == HELD and "copied" in known:
        facts["copied"] = known["copied"]
    if "commands" in facts:
        facts["commands"] = stay
    changes["outcome"] = _sealed_outcome(services, row["id"], facts) if facts else row["outcome"]
    tx.execute(sa.update(inbound).where(inbound.c.id == row["id"]).values(**changes))


def _sealed_outcome(services: Services, number: int, outcome: object) -> bytes:
    return services.sealer.seal("inbound", f"outcome|{number}", msgspec.json.encode(outcome))
