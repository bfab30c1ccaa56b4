"""Erasing a person: everything that says who they are goes, the games they played stay (S-50).

In several transactions, for none spans two games. The first deletes all that names them, and with it their tokens
(`delete_rows`); then their seats are given up, one game each (`give_up_seats`). Whatever was under way meanwhile, a
request, a mail, comes to its end within minutes: then all is looked at once more, and what others keep that names them
is reduced (`redact`). A row that names nobody holds the intention, so whoever sweeps goes on where a crash ended it.
All of it may be run again.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from service.accounts.names import email_key
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.ids import new_player_id
from service.kernel.log import log
from service.mail import development_mailbox
from service.privacy import delete_rows, erase_guests, erasure_journal, final_mail, give_up_seats, redact
from service.store.across.personal_data import Person
from service.store.database import Connection
from service.store.games import seats
from service.store.people import erasures, players
from service.store.people.erasures import Erasure

LEASE: Final = 60 * SECOND
"""How long one look may take before another begins."""
SETTLED: Final = 600 * SECOND
"""When nothing that began before an erasure is under way any more: requests, leases of mails, webhooks on their way."""
BATCH: Final = 20
ANSWERS, MAILS = 1, 2
"""How far the second look has come: what others were answered, and their mails."""
LOG: Final = "wardroom.erasure"


@dataclass(frozen=True, slots=True)
class Erased:
    """The result of an erasure: rows deleted by section of the export, seats given up, games still to do."""

    rows: Counter[str]
    seats: int = 0
    left: int = 0


def erase(services: Services, player: str, *, again: bool = False) -> Erased | None:
    """Erase a player, or go on doing so. None where there is none, and none was erased.

    Whoever is erased `again`, for they came back with a backup, is not written to once more.
    """
    if erase_guests.erase(services, [player]):
        return Erased(Counter(profile=1))
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        known = players.by_id(tx, player)
        if known is None and not erasures.exists(tx, player):
            return None
        rows: Counter[str] = Counter()
        if known is not None:
            unwanted = again or services.settings.smtp_url is None or final_mail.is_unwanted(tx, known.email_key)
            rows = _begin(services, tx, Person(player, known.email_key), player, now)
            if not unwanted:
                final_mail.say(services.sealer, tx, player, known.email, known.language, now)
    if known is not None:
        erasure_journal.add(services.settings.data_dir, player, now)
        _forget_files(services, known.email_key)
    services.wakeup.wake()
    seats, left = give_up_seats.leave_all(services, player)
    with services.database.write() as tx:
        erasures.look_after(tx, player, SETTLED)
    services.database.wipe()
    return Erased(rows, seats, left)


def begin_again(services: Services, tx: Connection, player: str) -> bool:
    """Delete what names an erased player who came back with a backup, in the transaction that brings them back.

    `erase` does the rest after it. Returns whether there was anything to delete.
    """
    if (known := players.by_id(tx, player)) is None:
        return False
    now = services.database.clock.now(tx)
    return _begin(services, tx, Person(player, known.email_key), player, now).total() > 0


def erase_guest(services: Services, address: str) -> Erased | None:
    """Forget an address that was invited or written to, and is no player's. None where nothing is kept about it."""
    guest = Person("", email_key(address))
    with services.database.write() as tx:
        rows = _begin(services, tx, guest, new_player_id(services.entropy), services.database.clock.now(tx))
    _forget_files(services, guest.address)
    services.database.wipe()
    return Erased(rows) if rows.total() else None


def find(connection: Connection, known_as: str) -> str | None:
    """The id of a player by address or id; of one who was erased by id alone."""
    if players.exists(connection, known_as):
        return known_as
    if (player := players.by_email_key(connection, email_key(known_as))) is not None:
        return player.id
    return known_as if erasures.exists(connection, known_as) else None


def is_nobody(connection: Connection, player: str) -> bool:
    """Whether this is no player's id any more."""
    return not players.exists(connection, player)


def go_on(services: Services) -> int:
    """Look at the erasures that are due. How many were."""
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        found = erasures.lease_due(tx, now, now + LEASE, BATCH)
    for erasure in found:
        try:
            _look(services, erasure, now)
        except Exception as error:  # one that cannot be done must not stop the others; the text may name somebody
            log(LOG, "error", "an erasure could not go on", player=erasure.player_id, error=type(error).__name__)
    if found:
        services.pictures.clear()  # of those that were drawn meanwhile, or on another machine
        services.database.wipe()
    return len(found)


def _begin(services: Services, tx: Connection, person: Person, known_as: str, now: int) -> Counter[str]:
    """Delete what names a person, and note that there is more to do. How many rows of each section."""
    if person.id:
        delete_rows.forget_in_sentences(tx, person.id, now)
    rows = delete_rows.forget(tx, person, now)
    mails = delete_rows.mails_to_others(tx, person)
    rows["mails_received"] += len(mails)
    waiting = " ".join(map(str, delete_rows.empty_mails(services.sealer, tx, mails)))
    if rows.total():
        erasures.begin(services.database, tx, known_as, now, now + LEASE, waiting)
    return rows


def _forget_files(services: Services, address: str) -> None:
    services.pictures.clear()  # there are names on them
    if services.settings.smtp_url is None:
        development_mailbox.forget(development_mailbox.Folder(services.settings.data_dir / "mailbox"), address)


def _look(services: Services, erasure: Erasure, now: int) -> None:
    """Look once more at one erasure: do what can be done by now, and say when to look again."""
    player = erasure.player_id
    _, left = give_up_seats.leave_all(services, player)
    if now < erasure.asked_at + SETTLED:
        return _note(services, player, look_at=erasure.asked_at + SETTLED)
    upto = erasure.asked_at + LEASE
    if erasure.stage < ANSWERS:
        erasure_journal.add(services.settings.data_dir, player, erasure.asked_at)
        with services.database.write() as tx:
            delete_rows.forget_in_sentences(tx, player, upto)
            delete_rows.forget(tx, Person(player, ""), now)
        redact.strike_from_answers(services.database, services.sealer, player, upto)
        _note(services, player, stage=ANSWERS)
    if erasure.stage < MAILS:
        unread = _reduce_mails(services, player, [int(number) for number in erasure.mails.split()], upto)
        left += unread
        if not unread:
            _note(services, player, stage=MAILS, mails="")
    with services.database.write() as tx:
        left += final_mail.forget(tx, player, late=now >= erasure.asked_at + final_mail.LONGEST)
    return _note(services, player, **({"look_at": now + SETTLED} if left else {"look_at": None, "done_at": now}))


def _reduce_mails(services: Services, player: str, theirs: list[int], upto: int) -> int:
    """Reduce the mails of others: from the player's address, and at tables they shared. How many cannot be yet."""
    with services.database.write() as tx:
        unread = len(delete_rows.empty_mails(services.sealer, tx, theirs))
        shared = seats.tables_of(tx, player)
    return unread + sum(redact.reduce_mails(services.database, services.sealer, game, upto) for game in shared)


def _note(services: Services, player: str, **values: Any) -> None:
    with services.database.write() as tx:
        erasures.change(tx, player, **values)
