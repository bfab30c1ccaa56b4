"""Who sits where, and who may know of a game, by rows alone."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from domain.engine.bots import Bot, Strength, Temper
from service.store.connection import Connection
from service.store.outgoing.outbox import outbox
from service.store.people.known import KNOWN
from service.store.people.players import players
from service.store.rows import GameRow, SeatRow
from service.store.statements import Statement

seats: Final = SeatRow.__table__  # type: ignore[attr-defined]
_games: Final = GameRow.__table__  # type: ignore[attr-defined]
_clear: Final = Statement(sa.delete(seats).where(seats.c.game_id == bindparam("game", type_=sa.String)))
_insert: Final = Statement(sa.insert(seats))
_game: Final = bindparam("game", type_=sa.String)
_known: Final = Statement(sa.select(_games.c.id).where(_games.c.id == _game, KNOWN))


def replace_all(tx: Connection, game: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Put these seats in the place of those that a game had."""
    _clear(tx, game=game)
    _insert.each(tx, [{"game_id": game, **row} for row in rows])


def bot_columns(bot: Bot | None) -> dict[str, Any]:
    """The columns of a seat that say which bot sits there, if any."""
    return {"bot": bot is not None, "strength": bot and bot.strength, "temper": bot and bot.temper}


def games_of(connection: Connection, player: str) -> list[str]:
    """The games a player sits in, those that are over too."""
    found = sa.select(seats.c.game_id).where(seats.c.player_id == player).order_by(seats.c.game_id)
    return list(connection.execute(found).scalars())


def count_bot_tables(connection: Connection, host: str) -> int:
    """At how many games of a host that are not over bots think."""
    thinks = sa.exists().where(seats.c.game_id == _games.c.id, seats.c.strength > 0)
    mine = (_games.c.host == host, _games.c.status.in_(("open", "running")), thinks)
    return connection.execute(sa.select(sa.func.count()).select_from(_games).where(*mine)).scalar_one()


def companions(connection: Connection, player: str) -> list[str]:
    """The players at the tables of a player that are not over."""
    mine = sa.select(seats.c.game_id).where(seats.c.player_id == player).subquery()
    found = (
        sa.select(seats.c.player_id)
        .join(mine, mine.c.game_id == seats.c.game_id)
        .join(_games, _games.c.id == seats.c.game_id)
        .where(_games.c.status.in_(("open", "running")), seats.c.player_id.is_not(None), seats.c.player_id != player)
        .distinct()
    )
    return list(connection.execute(found).scalars())


def hosts_beside(connection: Connection, player: str) -> list[str]:
    """The other players who opened the tables that are not over at which a player sits."""
    sits = sa.exists().where(seats.c.game_id == _games.c.id, seats.c.player_id == player, ~seats.c.vacant)
    theirs = (_games.c.status.in_(("open", "running")), _games.c.host != player, sits)
    found = sa.select(_games.c.host).join(players, players.c.id == _games.c.host).where(*theirs).distinct()
    return list(connection.execute(found.order_by(_games.c.host)).scalars())


def games_still_played(connection: Connection, player: str) -> list[str]:
    """The games that are open or run in which a player has a seat that is not vacant."""
    plays = (seats.c.player_id == player, seats.c.vacant.is_(False), _games.c.status.in_(("open", "running")))
    found = sa.select(_games.c.id).join(seats, seats.c.game_id == _games.c.id).where(*plays).order_by(_games.c.id)
    return list(connection.execute(found).scalars())


def tables_of(connection: Connection, player: str) -> list[str]:
    """The games a player was told about, sat in or opened."""
    told = sa.select(outbox.c.game_id).where(outbox.c.recipient == player, outbox.c.game_id != "")
    sat = sa.select(seats.c.game_id).where(seats.c.player_id == player)
    opened = sa.select(_games.c.id).where(_games.c.host == player)
    return sorted(connection.execute(sa.union(told, sat, opened)).scalars())


def ruleset_at(connection: Connection, game: str) -> str:
    """By which rules a game is played."""
    ruleset: str = connection.execute(sa.select(_games.c.ruleset).where(_games.c.id == game)).scalar_one()
    return ruleset


def may_know(connection: Connection, game: str, player: str | None) -> bool:
    """Whether a game is public, or the player is its host, sits there or is invited; nobody is any of these."""
    return _known(connection, game=game, player=player).fetchone() is not None


def is_sat_by(connection: Connection, game: str, seat: int, player: str) -> bool:
    """Whether this player sits on this seat."""
    mine = (seats.c.game_id == game, seats.c.seat == seat, seats.c.player_id == player)
    return connection.execute(sa.select(seats.c.seat).where(*mine)).first() is not None


class Sitting(msgspec.Struct, frozen=True):
    """A seat in a list of games, with the name of its player."""

    game_id: str
    seat: int
    player_id: str | None
    strength: Strength | None
    temper: Temper | None
    vacant: bool
    strikes: int
    name: str | None

    @property
    def bot(self) -> Bot | None:
        """The bot that sits there."""
        return None if self.strength is None or self.temper is None else Bot(self.strength, self.temper)


def at_games(connection: Connection, games: Sequence[str]) -> list[Sitting]:
    """The seats of these games, by game and seat."""
    if not games:
        return []
    columns = [seats.c[name] for name in Sitting.__struct_fields__[:-1]]
    named: sa.Select[Any] = sa.select(*columns, players.c.name).outerjoin(players, players.c.id == seats.c.player_id)
    found = named.where(seats.c.game_id.in_(games)).order_by(seats.c.game_id, seats.c.seat)
    return [Sitting(*row) for row in connection.execute(found)]
