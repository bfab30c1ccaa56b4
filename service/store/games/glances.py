"""A game without its state: where its log ends, who sits there, who owes an answer: all that changes between moves."""

from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from service.store.clocks.decisions import decisions
from service.store.connection import Connection
from service.store.event_store.stream_rows import GAME, games
from service.store.people.known import KNOWN
from service.store.people.players import players, seats
from service.store.statements import Statement


class Glance(NamedTuple):
    """`sitting` are the rows of the statement of that name."""

    version: int
    hash: str
    host: str
    name: str | None
    sitting: tuple[Any, ...]


_owed: Final = sa.and_(decisions.c.game_id == seats.c.game_id, decisions.c.seat == seats.c.seat)
_glance: Final = Statement(
    sa.select(
        games.c.version, games.c.hash, games.c.host, games.c.name,
        seats.c.seat, players.c.name, decisions.c.decision, decisions.c.since, decisions.c.due_at,
    )
    .outerjoin(seats, seats.c.game_id == games.c.id)
    .outerjoin(players, players.c.id == seats.c.player_id)
    .outerjoin(decisions, _owed)
    .where(games.c.id == GAME, KNOWN)
    .order_by(seats.c.seat)
)  # fmt: skip


def glance(connection: Connection, game: str, player: str | None) -> Glance | None:
    """A game at a glance; None where it is not there, or this player may not know of it: by one statement (S-11)."""
    rows = _glance(connection, game=game, player=player).fetchall()
    if not rows:
        return None
    version, hash_, host, name, *_ = rows[0]
    return Glance(version, hash_, host, name, tuple(tuple(row[4:]) for row in rows if row[4] is not None))
