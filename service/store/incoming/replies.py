"""Mails that came in, as the answers to them ask about them: copies, what was applied last, how many were answered.

Mails of a guest, who is not a player yet, are those to addresses given out to the same guest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from domain.engine.game import Seat
from service.store import records
from service.store.connection import Connection
from service.store.incoming.inbox import FACTS, StoredMail, inbound
from service.store.outgoing.outbox import outbox
from service.store.rows import ReplyTokenRow

tokens: Final = ReplyTokenRow.__table__  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Author:
    """Whose mails about which game are counted: a player's or, by the token of their address, a guest's."""

    game: str
    player: str | None
    token: bytes

    def wrote(self) -> sa.ColumnElement[bool]:
        """Holds for mails of this author."""
        if self.player is not None:
            return sa.and_(inbound.c.player_id == self.player)
        theirs = sa.select(tokens.c.digest).where(tokens.c.recipient == self._guest(), tokens.c.game_id == self.game)
        return sa.and_(inbound.c.token.in_(theirs))

    def reads(self) -> sa.ColumnElement[bool]:
        """Holds for letters to this author: the unique key of the outbox begins with the recipient."""
        return sa.and_(outbox.c.recipient == (self._guest() if self.player is None else self.player))

    def _guest(self) -> Any:
        return sa.select(tokens.c.recipient).where(tokens.c.digest == self.token).scalar_subquery()


class Arrival(NamedTuple):
    """A mail that came in: when, and what became of it."""

    at: int
    state: str


def arrivals(
    connection: Connection, game: str, seat: Seat, player: str | None, first: int, last: int, most: int
) -> list[Arrival]:
    """Up to `most` mails of a player about a seat that were received in a span of time, in their order."""
    whose = (inbound.c.game_id == game, inbound.c.seat == seat, inbound.c.player_id == player)
    found = sa.select(inbound.c.received_at, inbound.c.state).where(*whose, inbound.c.received_at.between(first, last))
    return [Arrival(*row) for row in connection.execute(found.order_by(inbound.c.id).limit(most))]


def applied(connection: Connection, game: str, seat: Seat, player: str | None, most: int) -> Sequence[StoredMail]:
    """Up to `most` mails of a player about a seat that were done, the latest first; without what they said."""
    whose = (inbound.c.game_id == game, inbound.c.seat == seat, inbound.c.player_id == player)
    found = sa.select(*FACTS).where(*whose, inbound.c.state == "applied")
    latest = found.order_by(inbound.c.done_at.desc(), inbound.c.id.desc()).limit(most)
    return records.every(connection, StoredMail, latest)


def has_copy(connection: Connection, mail: int, token: bytes, message_id: str, written: bytes) -> bool:
    """Whether another mail to this address, of this Message-ID and text, was worked off before."""
    same = sa.select(inbound.c.id).where(
        inbound.c.token == token,
        inbound.c.message_id == message_id,
        inbound.c.written == written,
        inbound.c.id != mail,
        inbound.c.state != "received",
    )
    return connection.execute(same).first() is not None


def has_twin(connection: Connection, mail: int, token: bytes | None, digest: bytes) -> bool:
    """Whether another mail to this address, the same byte by byte, was worked off before."""
    same = sa.select(inbound.c.id).where(
        inbound.c.token == token, inbound.c.digest == digest, inbound.c.id != mail, inbound.c.state != "received"
    )
    return connection.execute(same).first() is not None


def set_state(tx: Connection, mail: int, state: str, reason: str) -> None:
    """Write down what became of a mail that had waited."""
    tx.execute(sa.update(inbound).where(inbound.c.id == mail).values(state=state, reason=reason))


def count_done(connection: Connection, token: bytes, since: int) -> int:
    """How many mails to an address were done with since a time."""
    found = sa.select(sa.func.count()).where(inbound.c.token == token, inbound.c.done_at > since)
    return int(connection.execute(found).scalar_one())


def count_answers(connection: Connection, author: Author, since: int, *states: str) -> int:
    """How many answers an author has had since a time, to mails that are in one of these states; in any for none."""
    return _count(connection, author, "answer", since, inbound.c.state.in_(states) if states else sa.true())


def count_idle_answers(connection: Connection, author: Author, since: int) -> int:
    """How many answers an author has had since a time to mails that neither did anything nor asked anything."""
    return _count(connection, author, "answer", since, inbound.c.state.not_in(("applied", "received", "answered")))


def count_questions(connection: Connection, author: Author, since: int, reason: str) -> int:
    """How many requests to confirm a mail an author has had since a time, of mails that wait for this reason."""
    waiting = sa.and_(inbound.c.state == "held", inbound.c.reason == reason)
    return _count(connection, author, "confirm", since, waiting)


def last_like(
    connection: Connection, author: Author, mail: int, written: bytes, *, since: int, moved_at: int
) -> str | None:
    """The state of the author's last mail since a time that was applied, or that said the same and was answered.

    The latter counts only after the game moved last. None where there is none.
    """
    answered = sa.exists().where(
        author.reads(), outbox.c.game_id == author.game,
        outbox.c.kind == "answer", outbox.c.decision == sa.cast(inbound.c.id, sa.String),
    )  # fmt: skip
    same = sa.and_(inbound.c.written == written, inbound.c.done_at >= moved_at, answered)
    found = (
        sa.select(inbound.c.state)
        .where(author.wrote(), inbound.c.game_id == author.game)
        .where(inbound.c.id != mail, inbound.c.state != "received", inbound.c.done_at > since)
        .where(sa.or_(same, inbound.c.state == "applied"))
        .order_by(inbound.c.done_at.desc(), inbound.c.id.desc())
        .limit(1)
    )
    state: str | None = connection.execute(found).scalar()
    return state


def _count(connection: Connection, author: Author, kind: str, since: int, about: sa.ColumnElement[bool]) -> int:
    """How many letters of a kind went to an author since a time, about mails for which `about` holds."""
    joined = outbox.join(inbound, sa.cast(inbound.c.id, sa.String) == outbox.c.decision)
    letters = (outbox.c.kind == kind, outbox.c.game_id == author.game, outbox.c.created_at > since)
    found = sa.select(sa.func.count()).select_from(joined).where(*letters, author.reads(), about, author.wrote())
    return int(connection.execute(found).scalar_one())
