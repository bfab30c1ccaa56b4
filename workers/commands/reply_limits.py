"""How much mail is answered: an automaton that answers everything must run dry (RATE-09, IN-23)."""

from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.kernel.clock import SECOND
from service.store.inbox import Row, inbound
from service.store.outbox import outbox
from service.store.reply_tokens import reply_tokens as tokens

UNANSWERED: Final = ", not answered"
"""Ends the reason of a mail that had no answer, for there had been enough: the next scheduled mail mentions it."""
HOUR: Final = 3600 * SECOND
DAY: Final = 24 * HOUR
FLOOD: Final = 60
"""Mails to one address in a day that nobody vouches for, after which they are only counted."""
ANSWERS_A_DAY: Final = 10
"""Answers a day, to one player about one game: so many to questions, and so many to mails that could not be used."""
LETTERS_A_DAY: Final = 60
"""Answers of every sort in a day, to one player about one game: orders beyond them are played without one."""
QUESTIONS: Final = {True: 10, False: 3}
"""Requests to confirm a mail that wait for an answer, in a day, to one player about one game: for mails that say
they are from the player, and for others. A stranger uses up no question of the player's own."""
OWN: Final = "to be confirmed"
OTHER: Final = "to be confirmed: from another address"


def flood(tx: Connection, row: Row, now: int) -> bool:
    """Whether this address got more mail today than any person sends. Mail that passes the locks is not asked about."""
    found = sa.select(sa.func.count()).where(inbound.c.token == row["token"], inbound.c.done_at > now - DAY)
    return int(tx.execute(found).scalar_one()) >= FLOOD


def answers_left(tx: Connection, row: Row, now: int, state: str) -> int:
    """How many answers more this player can have today about this game, to mails of this sort that do nothing."""
    questions = inbound.c.state == "answered"
    others = inbound.c.state.not_in(("applied", "received", "answered"))
    alike = questions if state == "answered" else others
    return max(0, ANSWERS_A_DAY - _answers(tx, row, now, "answer", alike))


def told_enough(tx: Connection, row: Row, now: int) -> bool:
    """Whether this player had more letters about their mails in this game today than any person needs."""
    return _answers(tx, row, now, "answer", sa.true()) >= LETTERS_A_DAY


def asked_enough(tx: Connection, row: Row, now: int, *, own: bool, most: int | None = None) -> bool:
    """Whether this player has enough questions of today to answer, about mails like this one in this game."""
    waiting = sa.and_(inbound.c.state == "held", inbound.c.reason == (OWN if own else OTHER))
    return _answers(tx, row, now, "confirm", waiting) >= (QUESTIONS[own] if most is None else most)


def told_of_strangers(tx: Connection, row: Row, now: int) -> bool:
    """Whether this player heard today already of mails that are not theirs."""
    return _answers(tx, row, now, "answer", inbound.c.state == "held") >= 1


def same_answer(tx: Connection, row: Row, written: bytes, now: int, moved_at: int) -> bool:
    """Whether the same text was answered within the hour, and nothing was done or happened since in this game."""
    answered = sa.exists().where(
        _reader(row), outbox.c.game_id == row["game_id"],
        outbox.c.kind == "answer", outbox.c.decision == sa.cast(inbound.c.id, sa.String),
    )  # fmt: skip
    same = sa.and_(inbound.c.written == written, inbound.c.done_at >= moved_at, answered)
    before = (
        sa.select(inbound.c.id, inbound.c.state)
        .where(_whose(row), inbound.c.game_id == row["game_id"])
        .where(inbound.c.id != row["id"], inbound.c.state != "received", inbound.c.done_at > now - HOUR)
        .where(sa.or_(same, inbound.c.state == "applied"))
        .order_by(inbound.c.done_at.desc(), inbound.c.id.desc())
        .limit(1)
    )
    last = tx.execute(before).first()
    return last is not None and last[1] != "applied"


def _whose(row: Row) -> sa.ColumnElement[bool]:
    """Mails of the same player; of a guest who is none yet, mails to addresses given out to the same guest."""
    if row["player_id"] is not None:
        return sa.and_(inbound.c.player_id == row["player_id"])
    guest = sa.select(tokens.c.recipient).where(tokens.c.digest == row["token"]).scalar_subquery()
    theirs = sa.select(tokens.c.digest).where(tokens.c.recipient == guest, tokens.c.game_id == row["game_id"])
    return sa.and_(inbound.c.token.in_(theirs))


def _reader(row: Row) -> sa.ColumnElement[bool]:
    """Letters to the same reader: the unique key of the outbox begins with it."""
    if row["player_id"] is not None:
        return sa.and_(outbox.c.recipient == row["player_id"])
    guest = sa.select(tokens.c.recipient).where(tokens.c.digest == row["token"]).scalar_subquery()
    return sa.and_(outbox.c.recipient == guest)


def _answers(tx: Connection, row: Row, now: int, kind: str, of: sa.ColumnElement[bool]) -> int:
    """Letters of a kind to this reader about this game today, about mails of which this holds."""
    about = sa.cast(inbound.c.id, sa.String) == outbox.c.decision
    found = (
        sa.select(sa.func.count())
        .select_from(outbox.join(inbound, about))
        .where(outbox.c.kind == kind, outbox.c.game_id == row["game_id"], outbox.c.created_at > now - DAY)
        .where(_reader(row), of, _whose(row))
    )
    return int(tx.execute(found).scalar_one())
