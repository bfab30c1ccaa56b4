"""How much mail is answered: an automaton that answers everything must run dry (RATE-09, IN-23)."""

from typing import Final

from service.kernel.clock import SECOND
from service.store.database import Connection
from service.store.incoming import replies
from service.store.incoming.inbox import StoredMail
from service.store.incoming.replies import Author

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


def flood(tx: Connection, row: StoredMail, now: int) -> bool:
    """Whether this address got more mail today than any person sends. Mail that passes the locks is not asked about."""
    return replies.count_done(tx, row.reply_token, now - DAY) >= FLOOD


def answers_left(tx: Connection, row: StoredMail, now: int, state: str) -> int:
    """How many answers more this player can have today about this game, to mails of this sort that do nothing."""
    author, since = _author(row), now - DAY
    if state == "answered":
        count = replies.count_answers(tx, author, since, state)
    else:
        count = replies.count_idle_answers(tx, author, since)
    return max(0, ANSWERS_A_DAY - count)


def had_enough_letters(tx: Connection, row: StoredMail, now: int) -> bool:
    """Whether this player had more letters about their mails in this game today than any person needs."""
    return replies.count_answers(tx, _author(row), now - DAY) >= LETTERS_A_DAY


def had_enough_questions(tx: Connection, row: StoredMail, now: int, *, own: bool, most: int | None = None) -> bool:
    """Whether this player has enough questions of today to answer, about mails like this one in this game."""
    asked = replies.count_questions(tx, _author(row), now - DAY, OWN if own else OTHER)
    return asked >= (QUESTIONS[own] if most is None else most)


def knows_of_strangers(tx: Connection, row: StoredMail, now: int) -> bool:
    """Whether this player heard today already of mails that are not theirs."""
    return replies.count_answers(tx, _author(row), now - DAY, "held") >= 1


def same_answer(tx: Connection, row: StoredMail, written: bytes, now: int, moved_at: int) -> bool:
    """Whether the same text was answered within the hour, and nothing was done or happened since in this game."""
    last = replies.last_like(tx, _author(row), row.id, written, since=now - HOUR, moved_at=moved_at)
    return last is not None and last != "applied"


def _author(row: StoredMail) -> Author:
    return Author(row.game_id, row.player_id, row.reply_token)
