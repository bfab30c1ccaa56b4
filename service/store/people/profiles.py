"""To whom people show which part of their profiles: a row a player who has chosen anything."""

from typing import Final, Literal

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.database import Database, upsert
from service.store.rows import ProfileRow

Audience = Literal["nobody", "companions", "members", "everybody"]
profiles: Final = ProfileRow.__table__  # type: ignore[attr-defined]


class Shown(msgspec.Struct, frozen=True):
    """Who sees which part, and the codes of the languages a player speaks, with blanks between them.

    By default only those whom one plays with see anything, and nobody with whom else one plays.
    """

    games: Audience = "companions"
    together: Audience = "companions"
    opponents: Audience = "nobody"
    reliability: Audience = "companions"
    joined: Audience = "companions"
    languages: Audience = "companions"
    speaks: str = ""


PARTS: Final = tuple(name for name in Shown.__struct_fields__ if name != "speaks")


def of_player(connection: Connection, player: str) -> Shown:
    """What a player has chosen to show, or what holds for who has chosen nothing."""
    mine = sa.select(*records.columns(Shown, profiles)).where(profiles.c.player_id == player)
    return records.first(connection, Shown, mine) or Shown()


def put(database: Database, tx: Connection, player: str, shown: Shown) -> None:
    """Keep what a player shows to whom, in the place of what they had chosen."""
    values = msgspec.structs.asdict(shown)
    row = upsert(database, profiles).values(player_id=player, **values)
    tx.execute(row.on_conflict_do_update(index_elements=["player_id"], set_=values))


def of_players(connection: Connection, players: list[str]) -> dict[str, Shown]:
    """The same of several players; those who have chosen nothing are missing."""
    found = sa.select(profiles.c.player_id, *records.columns(Shown, profiles)).where(profiles.c.player_id.in_(players))
    return {row[0]: Shown(*row[1:]) for row in connection.execute(found)}
