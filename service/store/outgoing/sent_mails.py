"""Statements about mails that went out: those before another, how many in a time, and the last of a kind."""

from collections.abc import Collection
from typing import Any, Final, Protocol

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.engine.game import Seat
from service.store.outgoing.outbox import outbox

GONE_OUT: Final = ("sent", "bounced")


class Key(Protocol):
    """A notice that mails are looked up before: made at a moment, for a recipient, about a game."""

    @property
    def id(self) -> int: ...
    @property
    def recipient(self) -> str: ...
    @property
    def game_id(self) -> str: ...
    @property
    def created_at(self) -> int: ...


def previous_message_id(connection: Connection, notice: Key) -> str | None:
    """The Message-ID of the last mail about the game that was out when a notice was made; None for none."""
    found = _before(notice, outbox.c.message_id).order_by(outbox.c.id.desc()).limit(1)
    return connection.execute(found).scalar()


def count_before(connection: Connection, notice: Key) -> int:
    """How many mails about the game were out when a notice was made."""
    return int(connection.execute(_before(notice, sa.func.count())).scalar_one())


def last_made_before(connection: Connection, notice: Key, kinds: Collection[str]) -> int:
    """When the last mail of these kinds about the game was made that was out when a notice was made; 0 for none."""
    found = _before(notice, sa.func.max(outbox.c.created_at)).where(outbox.c.kind.in_(kinds))
    return int(connection.execute(found).scalar() or 0)


def last_made_of_all_games(connection: Connection, notice: Key, kinds: Collection[str]) -> int:
    """The same, whatever game they are about."""
    found = _before(notice, sa.func.max(outbox.c.created_at), of_game=False).where(outbox.c.kind.in_(kinds))
    return int(connection.execute(found).scalar() or 0)


def was_shown(
    connection: Connection, recipient: str, game: str, seat: Seat, kinds: Collection[str], after: int, before: int
) -> bool:
    """Whether a mail of these kinds, of a version between these two, has gone or is going to a player at a seat."""
    found = sa.select(outbox.c.id).where(
        outbox.c.recipient == recipient,
        outbox.c.game_id == game,
        outbox.c.seat == seat,
        outbox.c.kind.in_(kinds),
        outbox.c.version > after,
        outbox.c.version < before,
        sa.or_(outbox.c.state.in_(GONE_OUT), outbox.c.lease.is_not(None)),
    )
    return connection.execute(found.limit(1)).first() is not None


def last_sent(connection: Connection, recipient: str, game: str, kind: str, since: int) -> int | None:
    """When the last mail of a kind about a game went to somebody, if that was after `since`."""
    found = sa.select(sa.func.max(outbox.c.done_at)).where(
        *_gone(recipient, since), outbox.c.game_id == game, outbox.c.kind == kind
    )
    last: int | None = connection.execute(found).scalar()
    return last


def nth_last_sent(
    connection: Connection, recipient: str, since: int, number: int, without: Collection[str], game: str | None = None
) -> int | None:
    """When the mail went out that is the n-th last to somebody after `since`, of a game or of all; None for fewer."""
    found = sa.select(outbox.c.done_at).where(*_gone(recipient, since), outbox.c.kind.not_in(without))
    if game is not None:
        found = found.where(outbox.c.game_id == game)
    at: int | None = connection.execute(found.order_by(outbox.c.done_at.desc()).offset(number - 1).limit(1)).scalar()
    return at


def is_any_held(connection: Connection, recipient: str, reason: str, since: int) -> bool:
    """Whether a mail waits, or was superseded after `since`, for a reason that begins so."""
    lately = sa.or_(outbox.c.done_at > since, outbox.c.state == "queued")
    same = (outbox.c.recipient == recipient, outbox.c.reason.startswith(reason))
    return connection.execute(sa.select(outbox.c.id).where(*same, lately).limit(1)).first() is not None


def _before(notice: Key, column: Any, *, of_game: bool = True) -> sa.Select[Any]:
    found = sa.select(column).where(
        outbox.c.recipient == notice.recipient,
        outbox.c.state.in_(GONE_OUT),
        outbox.c.id < notice.id,
        outbox.c.done_at <= notice.created_at,
    )
    return found.where(outbox.c.game_id == notice.game_id) if of_game else found


def _gone(recipient: str, since: int) -> list[sa.ColumnElement[bool]]:
    """What went out to the same person since then."""
    return [outbox.c.recipient == recipient, outbox.c.state.in_(GONE_OUT), outbox.c.done_at > since]
