"""What others keep that names somebody who is erased: their mails at shared tables, and what they were answered."""

import re
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.rulesets import RULESETS
from service.accounts import idempotency
from service.container import Services
from service.languages import UNIVERSAL, words_of_all_languages
from service.mail import inbox
from service.privacy.data_map import GAMES, INBOUND, OUTBOX, SEATS
from service.store import idempotency as store_answers

AT_ONCE: Final = 500
WORD: Final = re.compile(r"[^\W_]+")
SMALL_NUMBER: Final = re.compile(r"[0-9]{1,3}")


def tables_of(connection: Connection, player: str) -> list[str]:
    """The games a player was told about, sat in or opened."""
    told = sa.select(OUTBOX.c.game_id).where(OUTBOX.c.recipient == player, OUTBOX.c.game_id != "")
    sat = sa.select(SEATS.c.game_id).where(SEATS.c.player_id == player)
    opened = sa.select(GAMES.c.id).where(GAMES.c.host == player)
    return sorted(connection.execute(sa.union(told, sat, opened)).scalars())


def reduce_mails(services: Services, game: str, upto: int) -> int:
    """Keep of the mails of others at this table, which quote ours with everybody's name, only what must be known of
    them, sooner than of others (IN-31). How many are not worked off yet, and left as they are."""
    while _reduce_some(services, game, upto):
        pass
    waits = (INBOUND.c.game_id == game, INBOUND.c.received_at <= upto, INBOUND.c.state == "received")
    with services.database.read() as connection:
        return connection.execute(sa.select(sa.func.count()).where(*waits)).scalar_one()


def _reduce_some(services: Services, game: str, upto: int) -> int:
    done = (INBOUND.c.game_id == game, INBOUND.c.received_at <= upto, INBOUND.c.state != "received")
    whole = sa.or_(INBOUND.c.raw.is_not(None), INBOUND.c.sender != "")
    with services.database.write() as tx:
        ruleset = tx.execute(sa.select(GAMES.c.ruleset).where(GAMES.c.id == game)).scalar_one()
        found = sa.select(INBOUND.c.id, INBOUND.c.state, INBOUND.c.outcome).where(*done, whole)
        rows = tx.execute(found.order_by(INBOUND.c.id).limit(AT_ONCE).with_for_update()).mappings().all()
        words = _words_of(ruleset)
        for row in rows:
            inbox.reduce_one(services, tx, dict(row), lambda text: _is_notation(text, words))
    return len(rows)


def _is_notation(text: str, words: frozenset[str]) -> bool:
    """Whether a command has nothing in it but words of the notation and numbers as they occur there."""
    return all(word in words or SMALL_NUMBER.fullmatch(word) for word in WORD.findall(text.lower()))


def _words_of(ruleset: str) -> frozenset[str]:
    """The words of a notation, which are nobody's name."""
    rules = RULESETS.get(ruleset)
    own = () if rules is None else (*rules.notation.reserved, *rules.notation.pawns)
    return words_of_all_languages(ruleset).union(own, UNIVERSAL) if rules is not None else frozenset()


def strike_from_answers(services: Services, player: str, upto: int) -> None:
    """Take the name out of what others were answered: where a position stands there, only its place in the game stays.

    An answer that names a player has their id beside the name.
    """
    after: tuple[str, str] | None = ("", "")
    while after is not None:
        after = _strike_some(services, player, upto, after)


def _strike_some(services: Services, player: str, upto: int, after: tuple[str, str]) -> tuple[str, str] | None:
    """A batch of them. What the next begins after, None for none."""
    with services.database.write() as tx:
        kept = store_answers.answered(tx, after, upto, AT_ONCE)
        for answer in kept:
            idempotency.shorten(services.sealer, tx, answer, naming=player.encode())
    return (kept[-1].player_id, kept[-1].key) if kept else None
