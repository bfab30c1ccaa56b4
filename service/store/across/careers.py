"""The games of a person as somebody else may know of them: which, how they ended, and the answers given in them.

Every statement takes who looks, and counts nothing that they may not see: a private game of which they know nothing
is in no list, no number and no share.
"""

from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.orm import aliased

from domain.engine.game import Seat
from service.store.clocks.decisions import decisions
from service.store.connection import Connection
from service.store.games.invitations import invitations
from service.store.outgoing.deliveries import notices
from service.store.people.players import players
from service.store.rows import EventRow, GameRow, SeatRow

games: Final = GameRow.__table__  # type: ignore[attr-defined]
seats: Final = SeatRow.__table__  # type: ignore[attr-defined]
events: Final = EventRow.__table__  # type: ignore[attr-defined]
OVER: Final = ("finished", "abandoned")
FINISHED: Final = "table.game-finished"
LAST_EVENTS: Final = 4
"""Among so many events at its end a finished game says who has won."""


class Ending(NamedTuple):
    """A game of a person that is finished: their seat, and who won it with which scores."""

    game: str
    ruleset: str
    seat: Seat
    ended_at: int
    winners: list[Seat]
    scores: list[int]

    @property
    def won(self) -> bool:
        """Whether the person is among the winners."""
        return self.seat in self.winners


class Beside(NamedTuple):
    """Somebody who sits, or a bot that plays, at a game of a person; None for a seat that nobody has."""

    game: str
    seat: Seat
    player: str | None
    name: str | None
    bot: bool


class Answers(NamedTuple):
    """Answers that a person owed: how many were given or missed, how many of them missed, and in how many of these the
    caretaker acted."""

    asked: int
    missed: int
    by_caretaker: int


def visible_to(viewer: str | None) -> sa.ColumnElement[bool]:
    """Holds for the games somebody may see: public ones and those they host, sit at or are invited to; nobody in
    particular, None, sees public ones."""
    if viewer is None:
        return sa.and_(games.c.public)
    own = aliased(seats)
    sits = sa.exists().where(own.c.game_id == games.c.id, own.c.player_id == viewer)
    key = sa.select(players.c.email_key).where(players.c.id == viewer)
    asked = sa.exists().where(invitations.c.game_id == games.c.id, invitations.c.email_key.in_(key))
    return sa.or_(games.c.public, games.c.host == viewer, sits, asked)


def is_known(connection: Connection, player: str, viewer: str | None) -> bool:
    """Whether somebody may see a game at which a player sits, or which they host: there they read the name anyway."""
    sits = sa.exists().where(seats.c.game_id == games.c.id, seats.c.player_id == player)
    there = sa.or_(games.c.host == player, sits)
    return connection.execute(sa.select(games.c.id).where(there, visible_to(viewer)).limit(1)).first() is not None


def are_companions(connection: Connection, player: str, other: str) -> bool:
    """Whether two people sit at one game, be it over, running or still open."""
    mine, theirs = aliased(seats), aliased(seats)
    found = sa.select(mine.c.game_id).join(theirs, theirs.c.game_id == mine.c.game_id)
    both = (mine.c.player_id == player, theirs.c.player_id == other)
    return connection.execute(found.where(*both).limit(1)).first() is not None


def companions_among(connection: Connection, player: str, others: list[str]) -> set[str]:
    """Those of these people who sit at a game with a player."""
    mine, theirs = aliased(seats), aliased(seats)
    found = sa.select(theirs.c.player_id).join(mine, theirs.c.game_id == mine.c.game_id).distinct()
    return set(connection.execute(found.where(mine.c.player_id == player, theirs.c.player_id.in_(others))).scalars())


def people_met(connection: Connection, player: str) -> dict[str, str]:
    """The names of all who sit at games of a player, by their ids."""
    own = aliased(seats)
    found = sa.select(players.c.id, players.c.name).join(seats, seats.c.player_id == players.c.id)
    found = found.join(own, own.c.game_id == seats.c.game_id).where(own.c.player_id == player, players.c.id != player)
    return {row[0]: row[1] for row in connection.execute(found.distinct())}


def counts(connection: Connection, player: str, viewer: str | None) -> dict[str, int]:
    """How many games of a person there are of each status, at which other people sit."""
    found = sa.select(games.c.status, sa.func.count()).join(seats, seats.c.game_id == games.c.id)
    found = found.where(seats.c.player_id == player, visible_to(viewer), _has_others(player))
    found = found.group_by(games.c.status)
    return {row[0]: row[1] for row in connection.execute(found)}


def endings(connection: Connection, player: str, viewer: str | None) -> list[Ending]:
    """The finished games of a person, the one that ended last first."""
    last = sa.and_(events.c.game_id == games.c.id, events.c.version > games.c.version - LAST_EVENTS)
    columns = (games.c.id, games.c.ruleset, seats.c.seat, games.c.last_at, events.c.body)
    found = sa.select(*columns).join(seats, seats.c.game_id == games.c.id).join(events, last)
    found = found.where(seats.c.player_id == player, games.c.status == "finished", events.c.type == FINISHED)
    found = found.where(visible_to(viewer)).order_by(games.c.last_at.desc(), games.c.id)
    return [_ending(row) for row in connection.execute(found)]


def beside(connection: Connection, player: str, viewer: str | None) -> list[Beside]:
    """All the others at the games of a person that are not abandoned, by game and seat."""
    own = aliased(seats)
    columns = (seats.c.game_id, seats.c.seat, seats.c.player_id, players.c.name, seats.c.bot)
    found = sa.select(*columns).join(own, own.c.game_id == seats.c.game_id).join(games, games.c.id == own.c.game_id)
    found = found.outerjoin(players, players.c.id == seats.c.player_id)
    found = found.where(own.c.player_id == player, own.c.seat != seats.c.seat, games.c.status != "abandoned")
    found = found.where(visible_to(viewer)).order_by(seats.c.game_id, seats.c.seat)
    return [Beside(*row) for row in connection.execute(found)]


_with_games: Final = notices.join(games, games.c.id == notices.c.game_id)


def answers(connection: Connection, player: str, viewer: str | None, since: int) -> Answers:
    """The answers that a person was asked for by the clock since a time, at games with other people.

    Each question that begins and each deadline that passes is one notice, whether or not it was mailed. What outages,
    leave, pauses or the table have moved counts as it was moved.
    """
    asked = sa.select(sa.func.count()).select_from(_with_games)
    asked = asked.where(notices.c.recipient == player, notices.c.kind == "your-turn", notices.c.created_at >= since)
    owed = sa.select(sa.func.count()).select_from(decisions.join(games, games.c.id == decisions.c.game_id))
    owed = owed.where(decisions.c.player_id == player, decisions.c.began_at >= since, ~_is_missed())
    passed = sa.select(notices.c.game_id, sa.func.count()).select_from(_with_games)
    late_ones = (notices.c.recipient == player, notices.c.kind == "deadline-passed", notices.c.created_at >= since)
    passed = passed.where(*late_ones).group_by(notices.c.game_id)
    known = (visible_to(viewer), _has_others(player))
    late = {row[0]: row[1] for row in connection.execute(passed.where(*known))}
    waits = _waiting_tables(connection, list(late))
    total = connection.execute(asked.where(*known)).scalar_one() - connection.execute(owed.where(*known)).scalar_one()
    by_caretaker = sum(count for game, count in late.items() if game not in waits)
    return Answers(max(total, sum(late.values())), sum(late.values()), by_caretaker)


def _is_missed() -> sa.ColumnElement[bool]:
    """Holds for answers that are still owed though their deadline has passed: the table waits."""
    same = (notices.c.game_id == decisions.c.game_id, notices.c.recipient == decisions.c.player_id)
    told = (notices.c.kind == "deadline-passed", notices.c.created_at >= decisions.c.began_at)
    return sa.exists().where(*same, *told)


def _has_others(player: str) -> sa.ColumnElement[bool]:
    """Holds for games at which other people sit, or sat when they ended: not for those against bots alone."""
    other = aliased(seats)
    return sa.exists().where(other.c.game_id == games.c.id, other.c.player_id.is_not(None), other.c.player_id != player)


def _waiting_tables(connection: Connection, of: list[str]) -> set[str]:
    """Those of these games at which the table waits when a deadline passes, and no caretaker acts."""
    opened = sa.select(events.c.game_id, events.c.body).where(events.c.game_id.in_(of), events.c.version == 1)
    terms = ((row[0], msgspec.json.decode(row[1])["data"]["clock"]) for row in connection.execute(opened))
    return {game for game, clock in terms if clock.get("on_timeout") == "pause"}


def _ending(row: Any) -> Ending:
    data = msgspec.json.decode(row[4])["data"]
    return Ending(row[0], row[1], row[2], row[3], data["winners"], data["scores"])
