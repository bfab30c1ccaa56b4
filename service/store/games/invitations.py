"""Folded addresses that are invited to private tables."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import sqlalchemy as sa

from service.store.connection import Connection
from service.store.outgoing.outbox import outbox
from service.store.people.players import players, seats
from service.store.rows import GameRow, InvitationRow

invitations: Final = InvitationRow.__table__  # type: ignore[attr-defined]
_games: Final = GameRow.__table__  # type: ignore[attr-defined]
KnownBy = Literal["address", "name", ""]
"""What the host knows of a guest: the address they typed, or a name from an earlier table, or nothing."""
ADDRESS: Final = "address"
NAME: Final = "name"
UNKNOWN: Final = ""


class Guest(NamedTuple):
    """Somebody who is invited; a name if the address is a player's."""

    key: str
    known_by: KnownBy
    name: str | None


def of_host(connection: Connection, host: str, since: int, statuses: Sequence[str]) -> int:
    """How many addresses are invited to games that a host opened after this time and that are in such a status."""
    opened = (_games.c.status.in_(statuses), _games.c.created_at > since, _games.c.host == host)
    theirs = sa.select(sa.func.count()).select_from(invitations.join(_games, _games.c.id == invitations.c.game_id))
    return connection.execute(theirs.where(*opened)).scalar_one()


def invited_often(connection: Connection, host: str, keys: Sequence[str], since: int, most: int) -> str | None:
    """One of these addresses to which `most` invitations or more were made after this time; None for none.

    Of those that were never sent only the host's own count: for them it must look as if they had been.
    """
    counts = sa.or_(outbox.c.state != "superseded", _games.c.host == host)
    often = (
        sa.select(outbox.c.recipient)
        .join(_games, _games.c.id == outbox.c.game_id)
        .where(outbox.c.recipient.in_(keys), outbox.c.kind == "invitation", outbox.c.created_at > since, counts)
        .group_by(outbox.c.recipient)
        .having(sa.func.count() >= most)
    )
    found: str | None = connection.execute(often).scalars().first()
    return found


def is_invited(connection: Connection, game: str, key: str) -> bool:
    """Whether an address is invited to a game."""
    found = sa.select(invitations.c.game_id).where(invitations.c.game_id == game, invitations.c.email_key == key)
    return connection.execute(found).first() is not None


def take_back(tx: Connection, game: str, key: str) -> None:
    """End the invitation of an address to a game."""
    tx.execute(sa.delete(invitations).where(invitations.c.game_id == game, invitations.c.email_key == key))


def add(tx: Connection, game: str, keys: Mapping[str, KnownBy]) -> None:
    """Invite addresses to a game. The values say how the host knows each of them."""
    rows = [{"game_id": game, "email_key": key, "known_by": known} for key, known in keys.items()]
    tx.execute(sa.insert(invitations), rows)


def hide(tx: Connection, game: str) -> None:
    """Hide the invited addresses of a game from its next host."""
    tx.execute(sa.update(invitations).where(invitations.c.game_id == game).values(known_by=UNKNOWN))


def waiting(connection: Connection, game: str) -> list[Guest]:
    """Return those who are invited to a game and do not sit there, by address."""
    found = (
        sa.select(invitations.c.email_key, invitations.c.known_by, players.c.name)
        .outerjoin(players, players.c.email_key == invitations.c.email_key)
        .outerjoin(seats, sa.and_(seats.c.game_id == game, seats.c.player_id == players.c.id))
        .where(invitations.c.game_id == game, seats.c.seat.is_(None))
        .order_by(invitations.c.email_key)
    )
    return [Guest(*row) for row in connection.execute(found)]


def of_game(connection: Connection, game: str) -> list[str]:
    """The addresses that are invited to a game, in alphabetical order."""
    found = sa.select(invitations.c.email_key).where(invitations.c.game_id == game)
    return list(connection.execute(found.order_by(invitations.c.email_key)).scalars())


def open_to(connection: Connection, key: str, most: int, but_of: Collection[str] = ()) -> list[str]:
    """Up to `most` games that wait for players and to which an address is invited, but for those of some hosts; the
    newest first."""
    found = sa.select(_games.c.id).join(invitations, invitations.c.game_id == _games.c.id)
    found = found.where(invitations.c.email_key == key, _games.c.status == "open", _games.c.host.not_in([*but_of]))
    return list(connection.execute(found.order_by(_games.c.created_at.desc(), _games.c.id).limit(most)).scalars())
