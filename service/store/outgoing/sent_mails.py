"""Statements about mails that went out: those before another, how many in a time, and the last of a kind."""

from collections.abc import Collection
from functools import cache
from typing import Any, Final, Protocol

import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.engine.game import Seat
from service.store.connection import Connection
from service.store.outgoing.outbox import outbox
from service.store.statements import Statement

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
    row = _previous(connection, **_key(notice), game=notice.game_id).fetchone()
    return None if row is None else row[0]


def count_before(connection: Connection, notice: Key) -> int:
    """How many mails about the game were out when a notice was made."""
    return int(_counted(connection, **_key(notice), game=notice.game_id).fetchone()[0])


def last_made_before(connection: Connection, notice: Key, kinds: Collection[str]) -> int:
    """When the last mail of these kinds about the game was made that was out when a notice was made; 0 for none."""
    row = _last_made(frozenset(kinds), of_game=True)(connection, **_key(notice), game=notice.game_id).fetchone()
    return int(row[0] or 0)


def last_made_of_all_games(connection: Connection, notice: Key, kinds: Collection[str]) -> int:
    """The same, whatever game they are about."""
    row = _last_made(frozenset(kinds), of_game=False)(connection, **_key(notice)).fetchone()
    return int(row[0] or 0)


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
    last: int | None = _last_of_kind(connection, to=recipient, game=game, kind=kind, since=since).fetchone()[0]
    return last


def nth_last_sent(
    connection: Connection, recipient: str, since: int, number: int, without: Collection[str], game: str | None = None
) -> int | None:
    """When the mail went out that is the n-th last to somebody after `since`, of a game or of all; None for fewer."""
    found = _nth_last(frozenset(without), of_game=game is not None)
    row = found(connection, to=recipient, since=since, game=game, skipped=number - 1).fetchone()
    return None if row is None else int(row[0])


def is_any_held(connection: Connection, recipient: str, reason: str, since: int) -> bool:
    """Whether a mail waits, or was superseded after `since`, for a reason that begins so."""
    lately = sa.or_(outbox.c.done_at > since, outbox.c.state == "queued")
    same = (outbox.c.recipient == recipient, outbox.c.reason.startswith(reason))
    return connection.execute(sa.select(outbox.c.id).where(*same, lately).limit(1)).first() is not None


def _key(notice: Key) -> dict[str, Any]:
    return {"to": notice.recipient, "number": notice.id, "made": notice.created_at}


def _names(names: Collection[str]) -> list[sa.ColumnElement[str]]:
    """Names of ours in a statement, where they never change."""
    return [sa.literal_column(f"'{name}'") for name in sorted(names)]


_TO: Final = outbox.c.recipient == bindparam("to", type_=sa.String)
_OUT: Final = outbox.c.state.in_(_names(GONE_OUT))
_OF_GAME: Final = outbox.c.game_id == bindparam("game", type_=sa.String)
_BEFORE: Final = (
    _TO,
    _OUT,
    outbox.c.id < bindparam("number", type_=sa.BigInteger),
    outbox.c.done_at <= bindparam("made", type_=sa.BigInteger),
)
"""Holds for mails that were out when a notice was made."""
_SINCE: Final = (_TO, _OUT, outbox.c.done_at > bindparam("since", type_=sa.BigInteger))
"""Holds for what went out to the same person since then."""
_counted: Final = Statement(sa.select(sa.func.count()).where(*_BEFORE, _OF_GAME))
_previous: Final = Statement(
    sa.select(outbox.c.message_id).where(*_BEFORE, _OF_GAME).order_by(outbox.c.id.desc()).limit(sa.literal_column("1"))
)
_last_of_kind: Final = Statement(
    sa.select(sa.func.max(outbox.c.done_at)).where(
        *_SINCE, _OF_GAME, outbox.c.kind == bindparam("kind", type_=sa.String)
    )
)


@cache
def _last_made(kinds: frozenset[str], *, of_game: bool) -> Statement:
    about = [_OF_GAME] if of_game else []
    last = sa.select(sa.func.max(outbox.c.created_at))
    return Statement(last.where(*_BEFORE, outbox.c.kind.in_(_names(kinds)), *about))


@cache
def _nth_last(without: frozenset[str], *, of_game: bool) -> Statement:
    about = [_OF_GAME] if of_game else []
    return Statement(
        sa.select(outbox.c.done_at)
        .where(*_SINCE, outbox.c.kind.not_in(_names(without)), *about)
        .order_by(outbox.c.done_at.desc())
        .limit(sa.literal_column("1"))
        .offset(bindparam("skipped", type_=sa.Integer))
    )
