"""The ending of a game: places, the scoring line by line, and the last time that the lead changed."""

from dataclasses import dataclass
from typing import Any

from domain.engine.sentences import row, say, say_n
from domain.engine.statistics import LeadChange, Score, Statistics, lead_changes
from service.games.reader_view import ReaderView
from service.games.statistics.numbers import Standing, lead_text, standings, tie_text


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the scoring: what it is for, and by place the points with the numbers behind them."""

    what: str
    cells: list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Turning:
    """The last change of the lead: the event, its period, and a sentence."""

    version: int
    period: str
    text: str


@dataclass(frozen=True, slots=True)
class Ending:
    """The ending of a game that was counted to its end."""

    places: list[Standing]
    lines: list[Line]
    """Empty, as are tie and turning point, if all others resigned before the game was scored."""
    tie: str
    """How ties are broken, and whether one was."""
    tie_rule: str
    turning: Turning | None
    moves: int
    """The number of moves that players made."""


def ending_of(view: ReaderView) -> Ending | None:
    """Return the ending, or None if a game has no result or no numbers."""
    count, result = view.head.rules.presentation.statistics, view.head.table.result
    if count is None or not view.is_counted or result is None:
        return None
    known, moves = view.head.rules.decider.evolve, sum(past.action for past in view.past)
    standing = [line for line in view.lines() if line.undone_by is None]
    facts = [(line.version, line.event) for line in standing if type(line.event) in known]
    places = standings(view.head, count, facts)
    if result.resigned:
        return Ending(places, [], "", "", None, moves)
    told = [view.words(text) for text in (tie_text(places), count.tie_break) if text]
    first = view.head.rules.decider.initial(len(view.head.table.chairs), view.head.table.options)
    changes = lead_changes(count, known, first, facts)
    return Ending(
        places,
        _lines(view, places, count.scores(view.head.table.game, facts)),
        " ".join(told),
        count.tie_rule,
        _turning(view, count, changes[-1]) if changes else None,
        moves,
    )


def _lines(view: ReaderView, places: list[Standing], scores: list[Score]) -> list[Line]:
    """Return a line for everything that brought anybody points, in the order of the rules."""
    by_name: dict[str, dict[int, tuple[int, str]]] = {}
    for score in scores:
        by_name.setdefault(view.words(score.what), {})[score.seat] = (score.points, score.made_of)
    return [Line(label, [cells.get(place.seat, (0, "")) for place in places]) for label, cells in by_name.items()]


def _turning(view: ReaderView, count: Statistics[Any], change: LeadChange) -> Turning:
    text = lead_text(change, view.names)
    if not change.before:
        leaders = row([view.names[seat] for seat in change.after], say(" and "))
        text = say_n(
            "{players} takes the lead and keeps it.", "{players} take the lead and keep it.", len(change.after),
            players=leaders,
        )  # fmt: skip
    return Turning(change.version, f"{view.words(count.period_name)} {change.period}", view.words(text))
