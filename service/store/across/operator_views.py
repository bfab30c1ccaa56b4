"""Games as the operator of the service looks at them: their rows alone, and nothing of what they hold sealed."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from domain.engine.game import Seat
from service.store import records
from service.store.clocks.decisions import decisions
from service.store.connection import Connection
from service.store.games.invitations import invitations
from service.store.outgoing.deliveries import deliveries, notices
from service.store.people.players import players
from service.store.rows import GameRow, SeatRow

games: Final = GameRow.__table__  # type: ignore[attr-defined]
seats: Final = SeatRow.__table__  # type: ignore[attr-defined]
MOST_COMPARED: Final = 2000
"""The newest games, with whose ids one that is not there is compared."""
OPEN: Final = ("queued", "failed", "bounced")


class GameLine(msgspec.Struct, frozen=True):
    """A game in a list; times in microseconds."""

    id: str
    ruleset: str
    status: str
    version: int
    public: bool
    host: str  # the player
    created_at: int
    last_at: int
    paused_until: int | None
    halted_at: int | None
    halted: str | None
    seats: int
    free: int  # seats that nobody plays
    asked: int  # people who owe an answer
    waiting_since: int | None  # since when the first of them does
    stopped: int  # of them, those whose clock stands


class Sitter(msgspec.Struct, frozen=True):
    """Who sits on a seat."""

    seat: Seat
    player: str | None
    name: str | None
    bot: bool
    strength: int | None
    temper: str | None
    vacant: bool
    strikes: int


class Answer(msgspec.Struct, frozen=True):
    """An answer that is owed; times in microseconds, no deadline where the clock stands."""

    seat: Seat
    since: int
    began_at: int
    due_at: int | None
    acts_at: int | None


class Undelivered(msgspec.Struct, frozen=True):
    """Something that is to be told about a game, and was not taken yet, or never."""

    id: int
    channel: str
    kind: str
    seat: Seat | None
    state: str
    attempts: int
    not_before: int
    created_at: int
    reason: str | None


class Asked(msgspec.Struct, frozen=True):
    """Which games are asked for; None for what does not matter."""

    status: str | None = None
    ruleset: str | None = None
    host: str | None = None  # a player's id
    waiting_before: int | None = None  # somebody has been asked since before this time
    halted: bool = False


_of_game: Final = seats.c.game_id == games.c.id
_owed: Final = decisions.c.game_id == games.c.id
_sitting: Final = sa.or_(seats.c.bot, sa.and_(seats.c.player_id.is_not(None), ~seats.c.vacant))


def _count(table: sa.Table, *which: sa.ColumnElement[bool]) -> sa.ScalarSelect[Any]:
    return sa.select(sa.func.count()).select_from(table).where(*which).correlate(games).scalar_subquery()


_waiting: Final = sa.select(sa.func.min(decisions.c.began_at)).where(_owed).correlate(games).scalar_subquery()
_LINES: Final = sa.select(
    *(games.c[name] for name in GameLine.__struct_fields__[:11]),
    _count(seats, _of_game).label("seats"),
    _count(seats, _of_game, ~_sitting).label("free"),
    _count(decisions, _owed).label("asked"),
    _waiting.label("waiting_since"),
    _count(decisions, _owed, decisions.c.due_at.is_(None)).label("stopped"),
)


def newest(connection: Connection, asked: Asked, after: str | None, most: int) -> Sequence[GameLine]:
    """Up to `most` games, the newest first; those opened before game `after`."""
    found = _LINES
    for column, value in ((games.c.status, asked.status), (games.c.ruleset, asked.ruleset), (games.c.host, asked.host)):
        found = found if value is None else found.where(column == value)
    if asked.waiting_before is not None:
        found = found.where(sa.exists().where(_owed, decisions.c.began_at < asked.waiting_before))
    if asked.halted:
        found = found.where(games.c.halted_at.is_not(None))
    if after is not None:
        opened = sa.select(games.c.created_at).where(games.c.id == after)
        at = connection.execute(opened).scalar() or 0
        found = found.where(sa.or_(games.c.created_at < at, sa.and_(games.c.created_at == at, games.c.id < after)))
    return records.every(connection, GameLine, found.order_by(games.c.created_at.desc(), games.c.id.desc()).limit(most))


def find(connection: Connection, game: str) -> GameLine | None:
    """One game; None where there is none."""
    return records.first(connection, GameLine, _LINES.where(games.c.id == game))


def alike(connection: Connection, typed: str) -> list[str]:
    """Ids of newer games that are written much like this."""
    ids = connection.execute(sa.select(games.c.id).order_by(games.c.created_at.desc()).limit(MOST_COMPARED)).scalars()
    return get_close_matches(typed, ids, n=3, cutoff=0.7)


def named(connection: Connection, name: str) -> list[str]:
    """The players of this name, in upper or lower case."""
    found = sa.select(players.c.id).where(sa.func.lower(players.c.name) == name.lower()).limit(9)
    return list(connection.execute(found).scalars())


def sitters(connection: Connection, game: str) -> Sequence[Sitter]:
    """Who sits at a game, by seat."""
    found = sa.select(
        seats.c.seat, seats.c.player_id, players.c.name, seats.c.bot, seats.c.strength, seats.c.temper,
        seats.c.vacant, seats.c.strikes,
    ).outerjoin(players, players.c.id == seats.c.player_id)  # fmt: skip
    return records.every(connection, Sitter, found.where(seats.c.game_id == game).order_by(seats.c.seat))


def answers(connection: Connection, game: str) -> Sequence[Answer]:
    """The answers that are owed in a game, by seat."""
    found = sa.select(*records.columns(Answer, decisions)).where(decisions.c.game_id == game)
    return records.every(connection, Answer, found.order_by(decisions.c.seat))


def undelivered(connection: Connection, game: str, most: int) -> Sequence[Undelivered]:
    """What was not taken of what is to be told about a game, the newest first."""
    theirs = sa.union_all(
        sa.select(seats.c.player_id).where(seats.c.game_id == game, seats.c.player_id.is_not(None)),
        sa.select(invitations.c.email_key).where(invitations.c.game_id == game),
    )
    columns = [notices.c.seat if name == "seat" else deliveries.c[name] for name in Undelivered.__struct_fields__]
    found = sa.select(*columns).join(notices, notices.c.id == deliveries.c.notice_id)
    mine = (notices.c.recipient.in_(theirs), notices.c.game_id == game, deliveries.c.state.in_(OPEN))
    return records.every(connection, Undelivered, found.where(*mine).order_by(deliveries.c.id.desc()).limit(most))
