"""Which games of a list somebody wants: of how many seats, with or without bots, with whom."""

from typing import Any, Final

import msgspec
import sqlalchemy as sa

from domain.rulesets import RULESETS
from service.store.connection import Connection
from service.store.people.players import players
from service.store.rows import GameRow, SeatRow

games: Final = GameRow.__table__  # type: ignore[attr-defined]
seats: Final = SeatRow.__table__  # type: ignore[attr-defined]
MOST_NAMES: Final = 500
"""People whose names a word may be in; who looks for more has to say more."""


class Word(msgspec.Struct, frozen=True):
    """A word that is looked for, by what it may mean: games by these rules, or of these players."""

    rulesets: tuple[str, ...]
    players: tuple[str, ...]


class Wanted(msgspec.Struct, frozen=True):
    """What is asked of the games of a list; None for what does not matter."""

    seats: int | None = None
    has_bots: bool | None = None
    words: tuple[Word, ...] = ()


ANY: Final = Wanted()


def named(connection: Connection, part: str) -> list[str]:
    """The players whose names hold this, in upper or lower case; some of them, where they are too many."""
    found = sa.select(players.c.id).where(players.c.name.icontains(part, autoescape=True)).limit(MOST_NAMES)
    return list(connection.execute(found).scalars())


def narrowed(found: sa.Select[Any], wanted: Wanted) -> sa.Select[Any]:
    """A selection of games, with those alone that are wanted."""
    of_game = seats.c.game_id == games.c.id
    if wanted.seats is not None:
        fitting = [kind for kind, rules in RULESETS.items() if wanted.seats in rules.seats]
        found = found.where(games.c.ruleset.in_(fitting))  # what nobody can play is not looked for among all games
        found = found.where(sa.exists().where(of_game, seats.c.seat == wanted.seats - 1))
        found = found.where(~sa.exists().where(of_game, seats.c.seat == wanted.seats))
    if wanted.has_bots is not None:
        bots = games.c.id.in_(sa.select(seats.c.game_id).where(sa.text("bot")))  # as the partial index has it
        found = found.where(bots if wanted.has_bots else ~bots)
    for word in wanted.words:
        found = found.where(_means(word))
    return found


def _means(word: Word) -> sa.ColumnElement[bool]:
    """What a word may mean; where it is in no title, the few games of those people are looked up, and no others."""
    sat = games.c.id.in_(sa.select(seats.c.game_id).where(seats.c.player_id.in_(word.players)))
    return sa.or_(games.c.ruleset.in_(word.rulesets), sat) if word.rulesets else sat
