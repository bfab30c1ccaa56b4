"""How mail to an address fares: what bounces is counted, made sure of by a probe, and in the end mail stops.

One bounce proves little: mailboxes fill up, and who has seen a mail can forge the report that it came back (RATE-12).
So the first grave one only sends a probe. Mail stops when the probe, or a mail sent after it, comes back too (RATE-10).
The host is told (RATE-11), and the player can have mail again by signing in or by asking for it.
"""

from typing import Final, Literal

from domain.engine.game import Seat
from service.container import Services
from service.kernel.clock import SECOND
from service.store.across import mail_history
from service.store.database import Connection
from service.store.outgoing import mailboxes
from service.store.outgoing.deliveries import Delivery, mark_bounced, note_report
from service.store.outgoing.mailboxes import Mailbox
from service.store.outgoing.outbox import put
from service.store.people import players

DAY: Final = 86_400 * SECOND
SOFT: Final = 1
GRAVE: Final = 4
"""So many soft bounces, each less than MEMORY after the one before, weigh as much as a hard one."""
MEMORY: Final = 30 * DAY
"""How long a bounce or a probe counts."""
KEPT: Final = 60 * DAY
"""How long it is kept."""
OLDEST: Final = 14 * DAY
"""How long after it was sent a mail may come back; mail servers try for five days."""
COMPLAINT: Final = "complaint"

Step = Literal["wait", "probe", "stop"]
MailState = Literal["ok", "bouncing", "stopped"]


def next_step(*, hard: bool, score: int, probed: bool, after_probe: bool) -> Step:
    """The step that one more bounce calls for; `score` is that of the soft ones, this one included (RATE-10)."""
    if not hard and score < GRAVE:
        return "wait"
    if not probed:
        return "probe"
    return "stop" if after_probe else "wait"


def is_suppressed(connection: Connection, address: str) -> bool:
    """Whether mail to this address (folded) is stopped."""
    return mailboxes.is_suppressed(connection, address)


def count_bounce(services: Services, tx: Connection, mail: Delivery, *, hard: bool, diagnostic: str) -> bool:
    """A mail that was sent came back. False where that does not count: it is too old, or was counted before.

    Only a hard bounce makes the notice one that did not arrive: anybody can send a soft one.
    """
    if mail.done_at is None or not _is_recent(mail.done_at, services.database.clock.now(tx)):
        return False
    number = mail.notice_id
    if not (mark_bounced(tx, number, diagnostic) if hard else note_report(tx, number, diagnostic, replaces=False)):
        return False
    _count(services, tx, mail, mail.done_at, hard=hard, diagnostic=diagnostic)
    return True


def count_refusal(services: Services, tx: Connection, mail: Delivery, *, hard: bool, diagnostic: str) -> None:
    """A mail server did not take a mail for this address: as good as a bounce, and nobody can forge it."""
    _count(services, tx, mail, services.database.clock.now(tx), hard=hard, diagnostic=diagnostic)


def record_complaint(services: Services, tx: Connection, mail: Delivery) -> bool:
    """The reader of a mail called it spam: no more mail (RFC 5965). False where that does not count."""
    address = address_of(tx, mail.recipient)
    if address is None or mail.done_at is None or not _is_recent(mail.done_at, services.database.clock.now(tx)):
        return False
    if not note_report(tx, mail.notice_id, COMPLAINT, replaces=True):
        return False
    if mailboxes.lock(services.database, tx, address).suppressed_at is None:
        _stop(services, tx, address, mail, COMPLAINT)
    return True


def lift(tx: Connection, player: str) -> bool:
    """Mail to this player again, with a clean slate: they asked for it, or read a code in that mailbox."""
    return mailboxes.drop_of_player(tx, player)


def forget_bounces(tx: Connection, player: str) -> bool:
    """An authentic mail came from the player, so somebody is there: forget the bounces; a complaint stands."""
    return mailboxes.drop_of_player(tx, player, unless=COMPLAINT)


def state_of(connection: Connection, player: str, now: int) -> tuple[MailState, str]:
    """How mail to a player fares, and what the mail server said; for their own eyes."""
    mailbox = mailboxes.of_player(connection, player)
    if mailbox is not None and mailbox.suppressed_at is not None:
        return "stopped", mailbox.reason
    if mailbox is not None and mailbox.scored_at > now - MEMORY:
        return "bouncing", mailbox.reason
    return "ok", ""


def without_mail(connection: Connection, game: str) -> dict[int, str]:
    """The seats whose players get no mail about a game: off or undeliverable. For the host (OUT-17, RATE-11)."""
    unreached = mailboxes.unreached_seats(connection, game)
    return {seat: "off" if unwanted else "undeliverable" for seat, unwanted in unreached.items()}


def tells_of_a_stop(decision: str) -> bool:
    """Whether an "undeliverable" notice of this key is about a mailbox, and not about one notice that a turn could not
    wait for."""
    return decision.count(".") == 2


def was_excused(connection: Connection, game: str, host: str | None, seat: int) -> bool:
    """Whether a turn of this seat had its time once more because its notice did not arrive (RATE-11)."""
    return mail_history.was_told(connection, host, game, "undeliverable", seat, but="0.")


def waits_for(connection: Connection, probe: int) -> bool:
    """Whether it is still unsure if mail arrives, and this notice is to find out."""
    return mailboxes.is_probed_by(connection, probe)


def check(connection: Connection, game: str, seat: Seat) -> str | None:
    """Why a notice that mail to a seat has stopped is not true any more; None where it is."""
    address = mailboxes.address_at(connection, game, seat)
    if address is None:
        return "nobody sits there any more"
    return None if is_suppressed(connection, address) else "mail reaches the seat again"


def forget(tx: Connection, now: int) -> int:
    """Drop what is known of mailboxes that have had no bounce for long. How many; those that are stopped stay."""
    return mailboxes.drop_quiet(tx, now - KEPT)


def address_of(connection: Connection, recipient: str) -> str | None:
    """The address, folded, of who a notice is for; None for a player who is gone."""
    return recipient if "@" in recipient else players.email_key_of(connection, recipient)


def _is_recent(sent_at: int, now: int) -> bool:
    return sent_at > now - OLDEST


def _count(services: Services, tx: Connection, mail: Delivery, sent_at: int, *, hard: bool, diagnostic: str) -> None:
    address = address_of(tx, mail.recipient)
    if address is None:
        return
    now = services.database.clock.now(tx)
    mailbox = mailboxes.lock(services.database, tx, address)
    if mailbox.suppressed_at is not None:
        return
    score = (mailbox.score if mailbox.scored_at > now - MEMORY else 0) + (0 if hard else SOFT)
    is_probe = mailbox.probe == mail.notice_id
    probed = sent_at if is_probe else _probed_at(tx, mailbox, now)
    mailboxes.change(tx, address, score=score, scored_at=now, reason=diagnostic)
    after_probe = is_probe or (probed is not None and sent_at > probed)
    step = next_step(hard=hard, score=score, probed=probed is not None, after_probe=after_probe)
    if step == "probe":
        mailboxes.change(tx, address, probed_at=now, probe=_send_probe(tx, mail, now))
    elif step == "stop":
        _stop(services, tx, address, mail, diagnostic)


def _probed_at(tx: Connection, mailbox: Mailbox, now: int) -> int | None:
    """When the probe left: what left before it proves no more than it did. None where none counts any more."""
    if mailbox.probed_at is None or mailbox.probed_at <= now - MEMORY:
        return None
    if mailbox.probe is None:
        return mailbox.probed_at
    probe = mail_history.mail_of(tx, mailbox.probe)
    if probe is None or probe.state in ("failed", "superseded"):
        return None
    return now if probe.state == "queued" else int(probe.done_at or 0)


def _send_probe(tx: Connection, mail: Delivery, now: int) -> int | None:
    """One mail to make sure; None for a stranger who was invited, whom only another invitation will try."""
    if "@" in mail.recipient:
        return None
    recipient, decision = mail.recipient, str(mail.notice_id)
    put(tx, [{"recipient": recipient, "kind": "probe", "decision": decision, "created_at": now}])
    return mail_history.number_of(tx, recipient, "probe", decision)


def _stop(services: Services, tx: Connection, address: str, mail: Delivery, reason: str) -> None:
    """No more mail to an address, and word of it to the host of each running game its player sits in."""
    now = services.database.clock.now(tx)
    mailboxes.change(tx, address, suppressed_at=now, reason=reason)
    stops = [
        {
            "recipient": playing.host,
            "game_id": playing.game,
            "kind": "undeliverable",
            "decision": f"0.{playing.seat}.{mail.notice_id}",
            "seat": playing.seat,
            "version": playing.version,
            "created_at": now,
        }
        for playing in mailboxes.guests_of_others(tx, address)
    ]
    put(tx, stops)
