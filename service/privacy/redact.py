"""Reducing what others keep that names an erased person: mails at shared tables, and kept answers."""

import re
from typing import Final

from domain.rulesets import RULESETS
from service.accounts import idempotency
from service.kernel.encryption import Sealer
from service.languages import UNIVERSAL, words_of_all_languages
from service.mail import inbox
from service.store.database import Database
from service.store.games import seats
from service.store.incoming import inbox as mails
from service.store.running import idempotency as answers

AT_ONCE: Final = 500
WORD: Final = re.compile(r"[^\W_]+")
SMALL_NUMBER: Final = re.compile(r"[0-9]{1,3}")


def reduce_mails(database: Database, sealer: Sealer, game: str, upto: int) -> int:
    """Keep of the mails of others at this table, which quote ours with everybody's name, only what must be known of
    them, sooner than of others (IN-31). How many are not worked off yet, and left as they are."""
    while _reduce_some(database, sealer, game, upto):
        pass
    with database.read() as connection:
        return mails.waiting_at_table(connection, game, upto)


def _reduce_some(database: Database, sealer: Sealer, game: str, upto: int) -> int:
    with database.write() as tx:
        words = _words_of(seats.ruleset_at(tx, game))
        rows = mails.lock_whole_at_table(tx, game, upto, AT_ONCE)
        for row in rows:
            inbox.reduce_one(sealer, tx, row, lambda text: _is_notation(text, words))
    return len(rows)


def _is_notation(text: str, words: frozenset[str]) -> bool:
    """Whether a command has nothing in it but words of the notation and numbers as they occur there."""
    return all(word in words or SMALL_NUMBER.fullmatch(word) for word in WORD.findall(text.lower()))


def _words_of(ruleset: str) -> frozenset[str]:
    """The words of a notation, which are nobody's name."""
    rules = RULESETS.get(ruleset)
    own = () if rules is None else (*rules.notation.reserved, *rules.notation.pawns)
    return words_of_all_languages(ruleset).union(own, UNIVERSAL) if rules is not None else frozenset()


def strike_from_answers(database: Database, sealer: Sealer, player: str, upto: int) -> None:
    """Take the name out of what others were answered: where a position stands there, only its place in the game stays.

    An answer that names a player has their id beside the name.
    """
    after: tuple[str, str] | None = ("", "")
    while after is not None:
        after = _strike_some(database, sealer, player, upto, after)


def _strike_some(
    database: Database, sealer: Sealer, player: str, upto: int, after: tuple[str, str]
) -> tuple[str, str] | None:
    """A batch of them. What the next begins after, None for none."""
    with database.write() as tx:
        kept = answers.answered(tx, after, upto, AT_ONCE)
        for answer in kept:
            idempotency.shorten(sealer, tx, answer, naming=player.encode())
    return (kept[-1].player_id, kept[-1].key) if kept else None
