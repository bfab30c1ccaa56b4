"""Players as the operator lists and shows them: who they are, when they came last, where they sit."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.incoming.inbox import inbound
from service.store.rows import GameRow, PlayerRow, SeatRow, SuspensionRow, TokenRow

_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_players: Final = PlayerRow.__table__  # type: ignore[attr-defined]
_seats: Final = SeatRow.__table__  # type: ignore[attr-defined]
_suspensions: Final = SuspensionRow.__table__  # type: ignore[attr-defined]
_tokens: Final = TokenRow.__table__  # type: ignore[attr-defined]


class PlayerLine(msgspec.Struct, frozen=True):
    """A player in a list; times in microseconds."""

    id: str
    name: str
    email: str
    created_at: int
    used_at: int | None  # when a token of theirs was used last, noted once an hour
    wrote_at: int | None  # when their last mail came in
    seats: int  # at games that are open or run
    suspended_at: int | None
    suspended_until: int | None

    @property
    def seen_at(self) -> int | None:
        """When they were here last."""
        return max((at for at in (self.used_at, self.wrote_at) if at is not None), default=None)


class SeatLine(msgspec.Struct, frozen=True):
    """A seat of a player."""

    game: str
    ruleset: str
    status: str
    seat: int
    vacant: bool
    strikes: int


def _theirs(column: Any, owner: Any, *which: Any) -> Any:
    return sa.select(column).where(owner == _players.c.id, *which).scalar_subquery()


_LINE: Final = sa.select(
    _players.c.id,
    _players.c.name,
    _players.c.email,
    _players.c.created_at,
    _theirs(sa.func.max(_tokens.c.last_used_at), _tokens.c.player_id),
    _theirs(sa.func.max(inbound.c.received_at), inbound.c.player_id),
    sa.select(sa.func.count())
    .select_from(_seats.join(_games, _games.c.id == _seats.c.game_id))
    .where(_seats.c.player_id == _players.c.id, ~_seats.c.vacant, _games.c.status.in_(("open", "running")))
    .scalar_subquery(),
    _suspensions.c.since,
    _suspensions.c.until,
).outerjoin(_suspensions, _suspensions.c.player_id == _players.c.id)


def listed(
    connection: Connection, now: int, part: str = "", *, suspended: bool = False, after: str | None = None, most: int
) -> Sequence[PlayerLine]:
    """Up to `most` players, newest first, whose name or address holds this or whose id begins so; those behind the
    player `after`."""
    found = _LINE.order_by(_players.c.created_at.desc(), _players.c.id).limit(most)
    if part:
        like = f"%{part.casefold().replace('!', '!!').replace('%', '!%').replace('_', '!_')}%"
        named = sa.func.lower(_players.c.name).like(like, escape="!")
        addressed = _players.c.email_key.like(like, escape="!")
        found = found.where(
            sa.or_(named, addressed, _players.c.id.startswith(part, autoescape=True), _players.c.name == part)
        )
    if suspended:
        found = found.where(in_force(now))
    if after is not None:
        last = sa.select(_players.c.created_at).where(_players.c.id == after).scalar_subquery()
        later = sa.and_(_players.c.created_at == last, _players.c.id > after)
        found = found.where(sa.or_(_players.c.created_at < last, later))
    return records.every(connection, PlayerLine, found)


def named(connection: Connection, name: str) -> list[str]:
    """The ids of the players who are called so, some of them where they are many."""
    same = sa.select(_players.c.id).where(_players.c.name == name).order_by(_players.c.id).limit(10)
    return list(connection.execute(same).scalars())


def games_beginning(connection: Connection, part: str, most: int) -> list[tuple[str, str, str]]:
    """Up to `most` games whose ids begin so, the newest first: id, ruleset, status."""
    like = _games.c.id.startswith(part, autoescape=True)
    found = sa.select(_games.c.id, _games.c.ruleset, _games.c.status).where(like)
    return [
        (row[0], row[1], row[2]) for row in connection.execute(found.order_by(_games.c.created_at.desc()).limit(most))
    ]


def line_of(connection: Connection, player: str) -> PlayerLine | None:
    """One player."""
    return records.first(connection, PlayerLine, _LINE.where(_players.c.id == player))


def seats_of(connection: Connection, player: str) -> Sequence[SeatLine]:
    """Every seat of a player, games that are not over first."""
    columns = (_seats.c.game_id, _games.c.ruleset, _games.c.status, _seats.c.seat, _seats.c.vacant, _seats.c.strikes)
    found = sa.select(*columns).join(_games, _games.c.id == _seats.c.game_id).where(_seats.c.player_id == player)
    over = _games.c.status.not_in(("open", "running"))
    return records.every(connection, SeatLine, found.order_by(over, _games.c.created_at.desc(), _seats.c.seat))


def in_force(now: int) -> sa.ColumnElement[bool]:
    """Holds for suspensions that have not run out."""
    until = _suspensions.c.until
    return sa.and_(_suspensions.c.player_id.is_not(None), sa.or_(until.is_(None), until > now))
