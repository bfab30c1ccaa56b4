"""Deleting the rows of a person, and emptying those that stay (`data_map` says which)."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from service.kernel.encryption import Sealer
from service.mail import inbox
from service.privacy import final_mail
from service.privacy.data_map import SECTIONS
from service.store.across import personal_data
from service.store.across.personal_data import NOTICES, Person
from service.store.database import Connection
from service.store.games import analyses, game_rows, seats
from service.store.incoming import inbox as mails
from service.store.outgoing import feed_entries, outbox
from service.store.people import avoided, mutes
from service.store.running import operator_acts

GONE: Final = "the player is gone"


def forget(tx: Connection, person: Person, now: int) -> Counter[str]:
    """Delete the rows of a person, and empty those that stay. How many of each section."""
    rows: Counter[str] = Counter()
    if person.id:
        analyses.forget_asker(tx, person.id)
        game_rows.forget_names(tx, person.id)
    for section in SECTIONS:
        if section.theirs == NOTICES:
            rows[section.name] += outbox.empty_notices(tx, person.id, person.address, final_mail.KIND, GONE, now)
        elif not section.kept:
            rows[section.name] += personal_data.delete(tx, section.theirs, person)
    if person.id:  # wishes of others about this person; those of guests about "" are about anybody
        mutes.forget_game(tx, person.id)
        avoided.forget_other(tx, person.id)
    return rows


def forget_in_sentences(tx: Connection, player: str, upto: int) -> None:
    """Forget sentences on the games of a player, which may have their name in them: what the feeds of others tell, and
    why the operator did something there."""
    tables = seats.tables_of(tx, player)
    feed_entries.forget_games(tx, tables, upto)
    operator_acts.forget_games(tx, tables, upto)


def mails_to_others(connection: Connection, person: Person) -> list[int]:
    """The numbers of mails from their address to answering addresses of somebody else."""
    return mails.from_address(connection, person.address)


def empty_mails(sealer: Sealer, tx: Connection, numbers: Sequence[int]) -> list[int]:
    """Keep of these mails what was done, and nothing that was written. Those that are not worked off yet: they may be
    orders of somebody who shares the address."""
    rows = mails.lock_all(tx, numbers)
    for row in rows:
        if row.state != "received":
            inbox.reduce_one(sealer, tx, row, lambda command: False)
    return [row.id for row in rows if row.state == "received"]
