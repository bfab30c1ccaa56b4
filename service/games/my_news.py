"""All that happens in somebody's games, as one sequence that is taken up again where it was left.

A place in it is a mark for every game: how far its events were told, and its talk. Versions of a game have no gaps, so
nothing is lost and nothing told twice, however often a reader comes back. (A number over all games would have: it is
given out before the commit, and commits overtake each other.)
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from service.container import Services
from service.games import chat, game_lists, history_queries, play
from service.kernel.clock import SECOND
from service.store.database import Connection
from service.store.games import followed
from service.store.games.followed import GOING, Followed

LATELY: Final = 3600 * SECOND
"""How long a game stays in a place after it is over: longer than any transaction."""
MOST: Final = 200
"""Things told at once."""
_PLACE: Final = re.compile(r"[0-9a-f]{1,16}(~[0-9A-Za-z_-]{1,64}\.[0-9a-f]{1,12}\.[0-9a-f]{1,16})*")
LONGEST: Final = 16_000
CLOCK: Final = ("table.clock", "table.turn-expired", "table.caretaker", "table.strikes", "table.proposal-dropped")
END: Final = ("table.game-finished", "table.game-abandoned", "table.seed-revealed")


class Mark(NamedTuple):
    """How far a game was told. `events` is twice the version of the last event, and one more once its turn was told."""

    events: int = 0
    said: int = 0  # when the last line was shown


class BadPlace(ValueError):
    """A place that is none of ours."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reader has come to, and when."""

    at: int
    marks: Mapping[str, Mark]

    def __str__(self) -> str:
        return "~".join([f"{self.at:x}", *(f"{id}.{mark.events:x}.{mark.said:x}" for id, mark in self.marks.items())])


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happened, and the place behind it."""

    id: str
    document: dict[str, Any]


def read_place(text: str) -> Place:
    """A place as it was written. Raises BadPlace."""
    if len(text) > LONGEST or not _PLACE.fullmatch(text):
        raise BadPlace("This is no place of ours: leave it out to begin with what waits now.")
    at, *games = text.split("~")
    split = [game.split(".") for game in games]
    return Place(int(at, 16), {id: Mark(int(events, 16), int(shown, 16)) for id, events, shown in split})


def news(
    services: Services, connection: Connection, player: str, after: Place | None, most: int = MOST
) -> tuple[list[Told], Place]:
    """Up to `most` things that happened in a player's games after a place, and the place behind them.

    Without a place: the turns that wait now, and the place as it is.
    """
    now = services.database.clock.now(connection)
    since, known = (now, dict[str, Mark]()) if after is None else (after.at, dict(after.marks))
    games = followed.of_player(connection, player, since - LATELY, known)
    said = followed.last_said(connection, player, [game.id for game in games], now)
    owed = {turn["game"]: turn for turn in game_lists.turns(connection, player)}
    if after is None:
        marks = {game.id: Mark(2 * game.version + 1, said.get(game.id, 0)) for game in games if _stays(game, now)}
        place = Place(now, marks)
        return [Told(str(place), {"type": "turn", **turn}) for turn in owed.values()], place
    marks = {game.id: known.get(game.id, Mark()) for game in games if _stays(game, now) or game.id in known}
    told: list[Told] = []
    for game in games:
        for mark, document in _of_game(services, connection, game, player, known.get(game.id, Mark()), owed, said):
            if len(told) >= most:
                return told, Place(after.at, marks)
            marks[game.id] = mark
            told.append(Told(str(Place(after.at, marks)), document))
    return told, Place(now, {game.id: marks[game.id] for game in games if _stays(game, now)})


def _stays(game: Followed, now: int) -> bool:
    return game.status in GOING or game.last_at >= now - LATELY


def _of_game(
    services: Services,
    connection: Connection,
    game: Followed,
    player: str,
    mark: Mark,
    owed: Mapping[str, dict[str, Any]],
    said: Mapping[str, int],
) -> Iterator[tuple[Mark, dict[str, Any]]]:
    """What happened in one game after a mark, each with the mark behind it: events, the turn that one of them begins
    right behind it, then talk."""
    turn = owed.get(game.id)
    due = None if turn is None or 2 * turn["since"] + 1 <= mark.events else turn
    if 2 * game.version <= mark.events and due is None and said.get(game.id, 0) <= mark.said:
        return
    head, seat = play.look(services, connection, game.id, player)
    if seat is None:
        return
    if due is not None and 2 * due["since"] <= mark.events:
        mark = mark._replace(events=2 * due["since"] + 1)
        yield mark, {"type": "turn", **due}
    shown = history_queries.events(services, connection, head, seat, after=mark.events // 2, limit=MOST)
    for event in shown:
        mark = mark._replace(events=2 * event["version"])
        yield mark, {"type": kind_of(event["type"]), "game": game.id, "event": event}
        if due is not None and due["since"] == event["version"]:
            mark = mark._replace(events=mark.events + 1)
            yield mark, {"type": "turn", **due}
    if len(shown) == MOST and shown[-1]["version"] < head.version:
        return
    for line in chat.lines_after(services, connection, head, seat, mark.said, MOST):
        mark = mark._replace(said=line.shown_at)
        yield mark, {"type": "talk", "game": game.id, "line": line}


def kind_of(event: str) -> str:
    """What an event is called in a stream: a move, something of the clock, or the end."""
    return "end" if event.startswith(END) else "clock" if event.startswith(CLOCK) else "move"
