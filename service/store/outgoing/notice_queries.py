"""What the notices that were made say: about a letter that is answered, and about a deadline that passed."""

from typing import Any, NamedTuple

import sqlalchemy as sa

from domain.engine.game import Seat
from service.store.connection import Connection
from service.store.outgoing.outbox import outbox


class About(NamedTuple):
    """What a notice is about, which tells it from others of its kind: an event or a mail, and mostly nothing more.

    `detail` is the step of a reminder, the seat that could not be told, the event that ended a proposal …
    """

    number: int
    detail: int | None = None

    @classmethod
    def read(cls, text: str) -> "About":
        """The value of the column `decision`: `17` or `17.2`. Raises ValueError for another text."""
        number, dot, detail = text.partition(".")
        return cls(int(number), int(detail) if dot else None)

    def __str__(self) -> str:
        return f"{self.number}" if self.detail is None else f"{self.number}.{self.detail}"


class Passed(NamedTuple):
    """A notice that the caretaker answered: when it was made, and the event of the deadline."""

    at: int
    version: int


def version_shown(connection: Connection, notice: int) -> int:
    """The version of the game a letter shows; 0 for a letter that is not there."""
    return connection.execute(sa.select(outbox.c.version).where(outbox.c.id == notice)).scalar() or 0


def kind_and_decision(connection: Connection, notice: int) -> tuple[str, str] | None:
    """What kind of letter it is, and what it is about."""
    row = connection.execute(sa.select(outbox.c.kind, outbox.c.decision).where(outbox.c.id == notice)).first()
    return None if row is None else (row[0], row[1])


def passed_since(connection: Connection, player: str | None, game: str, seat: Seat, at: int) -> Passed | None:
    """The first notice since a time that a deadline of this seat passed, to this player."""
    found = _passed(player, game, seat).where(outbox.c.created_at >= at).order_by(outbox.c.created_at)
    return _first(connection, found)


def passed_between(
    connection: Connection, player: str | None, game: str, seat: Seat | None, notice: int, until: int
) -> Passed | None:
    """The first notice of a deadline that passed after the letter `notice` was made and up to a time."""
    found = _passed(player, game, seat).where(outbox.c.id > notice, outbox.c.created_at <= until)
    return _first(connection, found.order_by(outbox.c.id))


def _passed(player: str | None, game: str, seat: Seat | None) -> sa.Select[Any]:
    mine = (outbox.c.recipient == player, outbox.c.game_id == game, outbox.c.seat == seat)
    return sa.select(outbox.c.created_at, outbox.c.decision).where(*mine, outbox.c.kind == "deadline-passed")


def _first(connection: Connection, found: sa.Select[Any]) -> Passed | None:
    row = connection.execute(found.limit(1)).first()
    return None if row is None else Passed(row[0], About.read(row[1]).number)
