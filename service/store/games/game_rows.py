"""The row of a game beside its stream: pauses, opening times, who may find it. Its head is the event store's."""

from collections.abc import Collection
from typing import Final, Literal

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.engine.game import Seat
from service.store.clocks.decisions import decisions
from service.store.connection import Connection
from service.store.games.game_filters import ANY, Wanted, narrowed
from service.store.rows import GameRow, SeatRow
from service.store.statements import Statement

games: Final = GameRow.__table__  # type: ignore[attr-defined]
seats: Final = SeatRow.__table__  # type: ignore[attr-defined]


_version: Final = Statement(sa.select(games.c.version).where(games.c.id == bindparam("game", type_=sa.String)))


Order = Literal["opened", "moved"]


class Listed(msgspec.Struct, frozen=True):
    """A game in a list."""

    id: str
    ruleset: str
    status: str
    version: int
    hash: str
    public: bool
    created_at: int
    host: str
    last_at: int
    name: str | None  # of the table, as its host chose it


def version(connection: Connection, game: str) -> int | None:
    """The version of a game; None for a game that is not there."""
    row = _version(connection, game=game).fetchone()
    return None if row is None else int(row[0])


def newest(
    connection: Connection,
    player: str | None,
    most: int,
    *,
    status: str | None,
    mine: bool,
    awaiting: bool,
    after: tuple[int, str] | None,
    ruleset: str | None = None,
    beside: str | None = None,
    among: Collection[str] | None = None,
    order: Order = "opened",
    wanted: Wanted = ANY,
) -> list[Listed]:
    """Up to `most` games, the newest first: public ones and the player's own, or theirs alone; nobody has any.

    Of one status, of one ruleset; or where the player owes an answer; where somebody sits; among these. Sorted by when
    they were opened, or by when something happened there last; those after such a time and an id.
    """
    sits = games.c.id.in_(sa.select(seats.c.game_id).where(seats.c.player_id == player)) if player else sa.false()
    columns = [games.c[name] for name in Listed.__struct_fields__]
    found = sa.select(*columns).where(sits if mine else sa.or_(games.c.public, sits))
    if status is not None:
        found = found.where(games.c.status == status)
    if ruleset is not None:
        found = found.where(games.c.ruleset == ruleset)
    if awaiting:
        owes = games.c.id.in_(sa.select(decisions.c.game_id).where(decisions.c.player_id == player))
        found = found.where(owes if player else sa.false())
    if beside is not None:
        found = found.where(games.c.id.in_(sa.select(seats.c.game_id).where(seats.c.player_id == beside)))
    if among is not None:
        found = found.where(games.c.id.in_(sorted(among)))
    at = games.c.created_at if order == "opened" else games.c.last_at
    if after is not None:
        found = found.where(sa.tuple_(at, games.c.id) < sa.tuple_(*after))
    found = narrowed(found, wanted).order_by(at.desc(), games.c.id.desc()).limit(most)
    return [Listed(*row) for row in connection.execute(found)]


def count_open(connection: Connection, host: str) -> int:
    """How many games of a host have not begun."""
    waiting = sa.select(sa.func.count()).where(games.c.status == "open", games.c.host == host)
    return connection.execute(waiting).scalar_one()


def hold(tx: Connection, game: str) -> None:
    """Lock the row of a game, also where it is halted, without reading its head."""
    tx.execute(sa.select(games.c.id).where(games.c.id == game).with_for_update())


def rename(tx: Connection, game: str, name: str | None) -> None:
    """Store the name of a table. None restores its default name."""
    tx.execute(sa.update(games).where(games.c.id == game).values(name=name))


def forget_names(tx: Connection, host: str) -> None:
    """Delete the names that a host has given to tables."""
    tx.execute(sa.update(games).where(games.c.host == host, games.c.name.is_not(None)).values(name=None))


def opened_at(connection: Connection, game: str) -> int | None:
    """When a game was opened, in microseconds; None for a game that is not there."""
    at: int | None = connection.execute(sa.select(games.c.created_at).where(games.c.id == game)).scalar()
    return at


def pause_end(connection: Connection, game: str) -> int | None:
    """When a clock that stands runs on by itself; None for never."""
    until: int | None = connection.execute(sa.select(games.c.paused_until).where(games.c.id == game)).scalar()
    return until


def set_pause_end(tx: Connection, game: str, until: int | None) -> None:
    """Let a clock that stands run on at this time, or not by itself."""
    tx.execute(sa.update(games).where(games.c.id == game).values(paused_until=until))


def pauses_over(connection: Connection, now: int, most: int) -> list[str]:
    """Up to `most` running games whose pause has lasted long enough."""
    running = (games.c.status == "running", games.c.halted_at.is_(None))  # a game may end while its clock stands
    found = sa.select(games.c.id).where(games.c.paused_until <= now, *running)
    return list(connection.execute(found.order_by(games.c.paused_until).limit(most)).scalars())


def played_by(connection: Connection, player: str) -> list[tuple[str, Seat]]:
    """The running games of a player that are not halted, with their seat, by game."""
    found = (
        sa.select(seats.c.game_id, seats.c.seat)
        .join(games, games.c.id == seats.c.game_id)
        .where(seats.c.player_id == player, seats.c.vacant.is_(False), games.c.status == "running")
        .where(games.c.halted_at.is_(None))
        .order_by(seats.c.game_id)
    )
    return [(row[0], row[1]) for row in connection.execute(found)]


def sat_at_by(connection: Connection, player: str) -> list[tuple[str, Seat]]:
    """The open and running games of a player, with their seat."""
    found = sa.select(seats.c.game_id, seats.c.seat).join(games, games.c.id == seats.c.game_id)
    found = found.where(seats.c.player_id == player, games.c.status.in_(("open", "running")))
    return [(row[0], row[1]) for row in connection.execute(found)]


def ended_lately(connection: Connection, player: str, most: int) -> list[str]:
    """Up to `most` games of a player that are over, the one that ended last first."""
    found = sa.select(games.c.id).join(seats, seats.c.game_id == games.c.id)
    found = found.where(seats.c.player_id == player, games.c.status.in_(("finished", "abandoned")))
    return list(connection.execute(found.order_by(games.c.last_at.desc(), games.c.id).limit(most)).scalars())
