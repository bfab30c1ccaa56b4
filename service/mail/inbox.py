"""Mail that comes in: the one door for the listener, standard input and IMAP. Stored first, processed later.

A mail is accepted when its row is committed, and then is never lost (IN-02): a worker claims it under a lease, and
settles it in the transaction of whatever it did, so that it is done once (I-08).
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.encryption import Sealer, Unreadable
from service.mail import addresses, reply_tokens
from service.mail.reply_tokens import ReplyToken
from service.store.database import Connection
from service.store.incoming import inbox
from service.store.incoming.inbox import LeasedMail, MailOutcome, RawMail, StoredMail

LARGEST: Final = 2_000_000
"""Bytes of the largest mail taken (IN-01)."""
HELD: Final = "held"
"""The state of a mail that waits for its owner's yes, and what is said came of it."""
DAY: Final = 86_400 * SECOND
KEPT: Final = 30 * DAY
"""How long a mail is kept whole (IN-31); what must be known of it stays."""
AUDITED: Final = ("result", "commands", "answers", "before", "version")
"""The fields of its outcome that stay then."""
MOST_A_DAY: Final = 200
"""Mails taken for one address: far more than a person sends, and few enough to be kept."""


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
A_PROBE: Final = "a probe of doctor"
TOO_LARGE: Final = f"This mail is larger than {LARGEST} bytes: send your orders without attachments."


def check_recipient(services: Services, connection: Connection, recipient: str) -> addresses.Address:
    """The address a mail may come to. Raises NotAccepted for any other (IN-30), or if it had enough today (RATE-09)."""
    return _admit(services, connection, recipient)[0]


def _admit(services: Services, connection: Connection, recipient: str) -> tuple[addresses.Address, ReplyToken | None]:
    """The address, and what it may do if it has a token."""
    address = addresses.read(services.settings, recipient) if recipient.isprintable() else None
    grant = (
        reply_tokens.find(services.database, services.sealer, connection, address.token)
        if address and address.token
        else None
    )
    if address is None or not _is_good(address, grant, services.database.clock.now(connection)):
        raise NotAccepted(550, "5.1.1", NO_SUCH_ADDRESS)
    if services.settings.rate_limits and _had_enough(connection, address, services.database.clock.now(connection)):
        raise NotAccepted(452, "4.7.1", TOO_MANY)
    return address, grant


def _is_good(address: addresses.Address, grant: ReplyToken | None, now: int) -> bool:
    """Whether an address may be written to: what it may do is a row, or it is a probe's and made lately."""
    if address.purpose == addresses.PROBE:
        return abs(now - address.made_at) <= addresses.PROBED
    return address.token is None or grant is not None


def _had_enough(connection: Connection, address: addresses.Address, now: int) -> bool:
    since = now - DAY
    return inbox.received_since(connection, address.token, address.purpose, address.about, since) >= MOST_A_DAY


def accept(services: Services, mail: InboundMail) -> int:
    """Store a mail; when this returns it is safe. Its number. Raises NotAccepted, or what the database raises."""
    if len(mail.raw) > LARGEST:
        raise NotAccepted(552, "5.3.4", TOO_LARGE)
    with services.database.write() as tx:
        address, grant = _admit(services, tx, mail.recipient)
        former = address.about > 0 and not inbox.is_about_somebody(tx, address.about)  # it may name who was erased
        sunk = former or address.purpose == addresses.NOWHERE
        reason = NOBODY_READS if sunk else A_PROBE if address.purpose == addresses.PROBE else ""
        if grant is not None:
            note_arrival(tx, grant.game)
        now = services.database.clock.now(tx)
        raw = hashlib.sha256(mail.raw).digest()
        number = inbox.add(
            tx,
            received_at=now if mail.received_at is None else min(mail.received_at, now),
            source=mail.source,
            sender="" if former else "".join(filter(str.isprintable, mail.sender))[:320],
            recipient=addresses.mask(mail.recipient),
            token=address.token,
            purpose=address.purpose,
            about=address.about,
            trusted=mail.trusted,
            digest=raw,
            raw=None if sunk else services.sealer.seal("inbound", raw.hex(), mail.raw),
            state="ignored" if reason else "received",
            reason=reason,
            done_at=now if reason else None,
            not_before=now,
            player_id=grant.player if grant else None,
            game_id=grant.game if grant else "",
            seat=grant.seat if grant else None,
        )
    services.wakeup.wake()
    return number


def note_arrival(tx: Connection, game: str) -> None:
    """Until this transaction ends, `waiting` knows that a mail for this game is on its way in.

    On PostgreSQL the time of arrival is read before others see the row: a commit may wait for a standby for seconds.
    """
    inbox.mark_arrival(tx, _arrival_lock(game))


def _arrival_lock(game: str) -> int:
    """The key of the lock of mails that come in for a game."""
    return int.from_bytes(hashlib.sha256(f"inbound|{game}".encode()).digest()[:8], "big", signed=True)


def claim(services: Services, tx: Connection, lease: str, until: int, most: int) -> Sequence[LeasedMail]:
    """Lease up to `most` mails that wait; of one seat only the oldest, so that the last one received counts last."""
    return inbox.lease(tx, lease, services.database.clock.now(tx), until, most)


def holds(tx: Connection, row: LeasedMail) -> bool:
    """Whether the lease is still ours; locks the row until the transaction ends (Q-11)."""
    return inbox.lock_leased(tx, row.id, row.lease)


def settle(
    services: Services, tx: Connection, row: LeasedMail, state: str, *, outcome: object = None, **values: Any
) -> bool:
    """Keep what came of a mail, and give up the lease. False, and nothing done, where the lease was lost."""
    sealed = None if outcome is None else _sealed_outcome(services.sealer, row.id, outcome)
    done_at = services.database.clock.now(tx)
    return inbox.end_lease(tx, row.id, row.lease, state=state, outcome=sealed, done_at=done_at, **values)


def postpone(tx: Connection, row: LeasedMail, later: int, why: str, *, spare: bool = False) -> None:
    """Look at a mail again later; `spare` gives the attempt back."""
    attempts = row.attempts - int(spare)
    inbox.end_lease(tx, row.id, row.lease, not_before=later, reason=why, attempts=attempts)


def outcome(services: Services, row: MailOutcome) -> Any:
    """The outcome of a mail; None before it was read, or if no key at hand opens it."""
    return open_outcome(services.sealer, row)


def open_outcome(sealer: Sealer, row: MailOutcome) -> Any:
    """The same by the sealer alone."""
    if row.outcome is None:
        return None
    try:
        return msgspec.json.decode(sealer.open("inbound", f"outcome|{row.id}", row.outcome))
    except Unreadable:
        return None


def raw_of(services: Services, digest: bytes, sealed: bytes | None) -> bytes | None:
    """The bytes of a mail as they came in, by their digest; None once their time is over. Raises Unreadable."""
    return None if sealed is None else services.sealer.open("inbound", digest.hex(), sealed)


def by_id(connection: Connection, number: int) -> StoredMail | None:
    """The facts of one mail."""
    return inbox.by_id(connection, number)


def waiting(connection: Connection, game: str, seat: int, upto: int) -> bool:
    """Whether a mail of this seat that came in by then is not done with: no timeout before it is (IN-20).

    Where it says no, no such mail comes in before the transaction ends.
    """
    return not inbox.keep_arrivals_out(connection, _arrival_lock(game)) or inbox.is_waiting(
        connection, game, seat, upto
    )


def mails_of(connection: Connection, player: str, *, before: int | None, limit: int) -> Sequence[StoredMail]:
    """The facts of the mails we got for a player, newest first."""
    return inbox.of_player(connection, player, before=before, most=limit)


def probes(connection: Connection, tokens: Sequence[bytes]) -> Sequence[RawMail]:
    """The mails that came in to these addresses of probes, oldest first, each as often as it came."""
    return inbox.at_addresses(connection, tokens)


def forget_probes(tx: Connection, tokens: Sequence[bytes]) -> None:
    """Delete what came in to these addresses of probes."""
    inbox.drop_at_addresses(tx, addresses.PROBE, tokens)


def reduce(sealer: Sealer, tx: Connection, now: int, most: int) -> int:
    """Keep of up to `most` mails whose time is over only what must be known of them (IN-31). How many."""
    inbox.drop_unread(tx, addresses.NOWHERE, now - KEPT, most)
    inbox.drop_old(tx, addresses.PROBE, now - addresses.PROBED, most)
    rows = inbox.lock_whole(tx, now - KEPT, most)
    for row in rows:
        reduce_one(sealer, tx, row, lambda command: True)
    return len(rows)


def reduce_one(sealer: Sealer, tx: Connection, row: MailOutcome, may_stay: Callable[[str], bool]) -> None:
    """Keep of one mail only what must be known of it, and of its commands those that may stay. One that waits for a yes
    keeps all of them, or is refused."""
    known = open_outcome(sealer, row) or {}
    facts = {name: known[name] for name in AUDITED if name in known}
    stay = [command for command in facts.get("commands", ()) if may_stay(command)]
    changes: dict[str, Any] = {"raw": None, "sender": ""}
    if row.state == HELD and stay != facts.get("commands", []):
        changes |= {"state": "refused", "reason": "not confirmed"}
    elif row.state == HELD and "copied" in known:
        facts["copied"] = known["copied"]
    if "commands" in facts:
        facts["commands"] = stay
    changes["outcome"] = _sealed_outcome(sealer, row.id, facts) if facts else row.outcome
    inbox.change(tx, row.id, **changes)


def _sealed_outcome(sealer: Sealer, number: int, outcome: object) -> bytes:
    return sealer.seal("inbound", f"outcome|{number}", msgspec.json.encode(outcome))
