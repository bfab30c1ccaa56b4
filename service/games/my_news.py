"""All that happens in somebody's games, as one sequence that is taken up again where it was left.

A place in it is a mark for every game: how far its events were told, its talk, and the reader's deadline. Versions of a
game have no gaps, so nothing is lost and nothing told twice, however often a reader comes back. (A number over all
games would have: it is given out before the commit, and commits overtake each other.) A game that rests and asks its
reader nothing has no mark: of it, all is known that is older than the place by more than any commit can take.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from service.container import Services
from service.games import chat, game_lists, history_queries, play
from service.kernel.clock import SECOND, from_text
from service.store.database import Connection
from service.store.games import followed
from service.store.games.followed import GOING, Followed

LATELY: Final = 3600 * SECOND
"""How long a game stays in a place after it is over, or has come to rest: longer than any transaction."""
MOST: Final = 200
"""Things told at once."""
_PLACE: Final = re.compile(r"[0-9a-f]{1,16}(~[0-9A-Za-z_-]{1,64}\.[0-9a-f]{1,12}\.[0-9a-f]{1,16}\.[0-9a-f]{1,12})*")
LONGEST: Final = 16_000
CLOCK: Final = (
    "table.clock", "table.deadline-moved", "table.turn-expired", "table.caretaker", "table.strikes",
    "table.proposal-dropped",
)  # fmt: skip
END: Final = ("table.game-finished", "table.game-abandoned", "table.seed-revealed")


class Mark(NamedTuple):
    """How far a game was told. `events` is twice the version of the last event, and one more once its turn was told."""

    events: int = 0
    said: int = 0  # when the last line was shown
    due: int = 0  # when the last turn that was told was due, in seconds

    def __str__(self) -> str:
        return f"{self.events:x}.{self.said:x}.{self.due:x}"


class BadPlace(ValueError):
    """A place that is none of ours."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reader has come to, and when."""

    at: int
    marks: Mapping[str, Mark]

    def __str__(self) -> str:
        return "~".join([f"{self.at:x}", *(f"{id}.{mark}" for id, mark in self.marks.items())])


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
    return Place(int(at, 16), {id: Mark(*[int(number, 16) for number in numbers]) for id, *numbers in split})


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

    def place_behind(marks: Mapping[str, Mark]) -> Place:
        stay = [game for game in games if _stays(game, now)]
        return Place(
            now,
            {
                game.id: marks[game.id]
                for game in stay
                if game.id in owed or not _rests(game, marks[game.id], said.get(game.id, 0), now)
            },
        )

    if after is None:
        marks = {game.id: Mark(2 * game.version + 1, said.get(game.id, 0), _due(owed.get(game.id))) for game in games}
        place = place_behind(marks)
        return [Told(str(place), {"type": "turn", **turn}) for turn in owed.values()], place
    marks = {game.id: known[game.id] for game in games if game.id in known}
    ends = {}
    told: list[Told] = []
    for game in games:
        mark = known.get(game.id) or _mark_of_rest(services, connection, game, since - LATELY)
        for further, document in _of_game(services, connection, game, player, mark, owed, said):
            if len(told) >= most:
                return told, Place(after.at, marks)
            marks[game.id] = mark = further
            told.append(Told(str(Place(after.at, marks)), document))
        ends[game.id] = mark
    return told, place_behind(ends)


def seconds_to_next_line(services: Services, connection: Connection, player: str, place: Place) -> float | None:
    """Seconds until a line is shown to a player that was said already in a game that goes on; None for none."""
    now = services.database.clock.now(connection)
    games = followed.of_player(connection, player, place.at - LATELY, place.marks)
    shown = followed.next_said(connection, player, [game.id for game in games], now)
    return None if shown is None else (shown - now) / SECOND


def _stays(game: Followed, now: int) -> bool:
    return game.status in GOING or game.last_at >= now - LATELY


def _rests(game: Followed, mark: Mark, said: int, now: int) -> bool:
    """Whether all of a game was told, and none of it is of late."""
    is_told = mark.events >= 2 * game.version and mark.said >= said
    return is_told and max(game.last_at, said) <= now - LATELY


def _mark_of_rest(services: Services, connection: Connection, game: Followed, at: int) -> Mark:
    """The mark of a game that has none: it rested since then, or is new."""
    version = game.version
    if game.last_at > at:
        version = services.streams.version_at(connection, game.id, at, version)
    return Mark(2 * version, at)


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
    right behind it, that the deadline of a turn was moved, then talk."""
    turn = owed.get(game.id)
    due = None if turn is None or 2 * turn["since"] + 1 <= mark.events else turn
    is_quiet = 2 * game.version <= mark.events and said.get(game.id, 0) <= mark.said
    if is_quiet and due is None and not _is_put_off(turn, mark):
        return
    head, seat = play.look(services, connection, game.id, player)
    if seat is None:
        return
    if due is not None and 2 * due["since"] <= mark.events:
        mark = mark._replace(events=2 * due["since"] + 1, due=_due(due))
        yield mark, {"type": "turn", **due}
    shown = history_queries.events(services, connection, head, seat, after=mark.events // 2, limit=MOST)
    for event in shown:
        mark = mark._replace(events=2 * event["version"])
        yield mark, {"type": kind_of(event["type"]), "game": game.id, "event": event}
        if due is not None and due["since"] == event["version"]:
            mark = mark._replace(events=mark.events + 1, due=_due(due))
            yield mark, {"type": "turn", **due}
    if len(shown) == MOST and shown[-1]["version"] < head.version:
        return
    if turn is not None and _is_put_off(turn, mark):
        mark = mark._replace(due=_due(turn))
        yield mark, {"type": "clock", **turn}
    for line in chat.lines_after(services, connection, head, seat, mark.said, MOST):
        mark = mark._replace(said=line.shown_at)
        yield mark, {"type": "talk", "game": game.id, "line": line}


def _is_put_off(turn: Mapping[str, Any] | None, mark: Mark) -> bool:
    """Return whether a turn that was told is due at another time now."""
    is_told = turn is not None and 2 * turn["since"] + 1 <= mark.events
    return is_told and mark.due != _due(turn)


def _due(turn: Mapping[str, Any] | None) -> int:
    """When a turn is due, in seconds; 0 where its clock stands, or for no turn."""
    return 0 if turn is None or turn["due"] is None else from_text(turn["due"]) // SECOND


def kind_of(event: str) -> str:
    """What an event is called in a stream: a move, something of the clock, or the end."""
    return "end" if event.startswith(END) else "clock" if event.startswith(CLOCK) else "move"
