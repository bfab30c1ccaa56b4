"""Players as readers of letters and pages: names, addresses, languages, zones and when they wake."""

from collections.abc import Collection
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import bindparam

from service.store.connection import Connection
from service.store.people.players import players
from service.store.statements import Statement

AT_ONCE: Final = 8
"""The players whose names one statement asks for: more than sit at any table."""
_ids: Final = [bindparam(f"id{place}", type_=sa.String) for place in range(AT_ONCE)]
_names: Final = Statement(sa.select(players.c.id, players.c.name).where(players.c.id.in_(_ids)))


class Correspondent(NamedTuple):
    """A player whom we write to: their id, address and language, and whether plain successes are confirmed."""

    id: str
    email: str
    language: str
    receipts: bool


def correspondent(connection: Connection, player: str | None, email_key: str) -> Correspondent | None:
    """The player with this id or, for None, with this address."""
    wanted = players.c.id == player if player else players.c.email_key == email_key
    columns = (players.c.id, players.c.email, players.c.language, players.c.receipts)
    row = connection.execute(sa.select(*columns).where(wanted)).first()
    return None if row is None else Correspondent(*row)


def homes(connection: Connection, ids: Collection[str]) -> dict[str, tuple[str, int]]:
    """The zone of each of these players and when they wake, in minutes after midnight; unknown ids are missing."""
    found = sa.select(players.c.id, players.c.timezone, players.c.wakes_at).where(players.c.id.in_([*ids]))
    return {row[0]: (row[1], row[2]) for row in connection.execute(found)}


def timezone_of(connection: Connection, player: str | None) -> str:
    """The zone a player has set, UTC for one that is not known."""
    return connection.execute(sa.select(players.c.timezone).where(players.c.id == player)).scalar() or "UTC"


def language_of(connection: Connection, player: str) -> str:
    """The language a player reads, English for one that is not known."""
    return connection.execute(sa.select(players.c.language).where(players.c.id == player)).scalar() or "en"


def names_of(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """Return the names of these players, as far as they are known."""
    wanted, known = sorted(ids), dict[str, str]()
    for first in range(0, len(wanted), AT_ONCE):
        some = wanted[first : first + AT_ONCE]
        asked = {f"id{place}": some[min(place, len(some) - 1)] for place in range(AT_ONCE)}
        known.update(_names(connection, **asked).fetchall())
    return known
