"""The games that somebody follows in one stream: where they sit, how far each has come, when something was said."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.rows import GameRow, MessageRow, SeatRow

_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_seats: Final = SeatRow.__table__  # type: ignore[attr-defined]
_messages: Final = MessageRow.__table__  # type: ignore[attr-defined]
GOING: Final = ("open", "running")


class Followed(msgspec.Struct, frozen=True):
    """A game of somebody's, the version it has come to, and when; deadlines that moved count, too."""

    id: str
    version: int
    status: str
    last_at: int


def of_player(connection: Connection, player: str, since: int, known: Collection[str]) -> Sequence[Followed]:
    """The games where a player sits that are going on, were known, or where something happened since, by their ids."""
    last_at = sa.case((_games.c.clock_at > _games.c.last_at, _games.c.clock_at), else_=_games.c.last_at)
    going = sa.or_(_games.c.status.in_(GOING), last_at >= since, _games.c.id.in_(sorted(known)))
    columns = (_games.c.id, _games.c.version, _games.c.status, last_at.label("last_at"))
    found = sa.select(*columns).join(_seats, _seats.c.game_id == _games.c.id)
    return records.every(connection, Followed, found.where(_seats.c.player_id == player, going).order_by(_games.c.id))


def last_said(connection: Connection, player: str, games: Collection[str], now: int) -> Mapping[str, int]:
    """When the last line of each of these games was shown that this player may read by now: none that seats tell each
    other (S-02)."""
    last = sa.select(_messages.c.game_id, sa.func.max(_messages.c.shown_at)).where(_messages.c.shown_at <= now)
    found = connection.execute(_readable(last, player, games).group_by(_messages.c.game_id))
    return {row[0]: row[1] for row in found}


def next_said(connection: Connection, player: str, games: Collection[str], now: int) -> int | None:
    """When the next line of any of these games is shown that this player may read then; None for none."""
    first = sa.select(sa.func.min(_messages.c.shown_at)).where(_messages.c.shown_at > now)
    shown: int | None = connection.execute(_readable(first, player, games)).scalar_one()
    return shown


def _readable(lines: sa.Select[Any], player: str, games: Collection[str]) -> sa.Select[Any]:
    own = sa.and_(_seats.c.game_id == _messages.c.game_id, _seats.c.player_id == player)
    to_player = sa.or_(_messages.c.to_seat.is_(None), _seats.c.seat.in_((_messages.c.to_seat, _messages.c.seat)))
    said = (_messages.c.game_id.in_(sorted(games)), _messages.c.cancelled_at.is_(None))
    return lines.join(_seats, own).where(*said, to_player)
