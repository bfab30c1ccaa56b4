"""The bar of the page: the question to the reader or the players that the game waits for, and the time left."""

from dataclasses import dataclass

from domain.engine.sentences import Sentence, row, say, say_n
from domain.rulesets import RULESETS
from service.games import game_lists
from service.games.reader_view import ReaderView
from service.kernel.clock import from_text
from service.languages.time_text import left_words


@dataclass(frozen=True, slots=True)
class Deadline:
    """The deadline of one seat, and the time that is left."""

    name: str
    due: int | None  # None: the clock stands
    left: str
    is_mine: bool
    is_late: bool


@dataclass(frozen=True, slots=True)
class NextGame:
    """Another game that waits for the reader."""

    game: str
    title: str
    left: str  # "" without a deadline


@dataclass(frozen=True, slots=True)
class Status:
    """The bar of the page, and the notes above the move."""

    is_asked: bool
    is_thinking: bool
    """Whether only bots are waited for, who answer by themselves."""
    heading: str
    stage: str
    """How far the game is; "" where that is not told."""
    notes: list[str]
    deadlines: list[Deadline]
    next_game: NextGame | None


def status_of(view: ReaderView) -> Status:
    """The head of the page of a running or finished game."""
    notes = [view.words(note) for note in _notes(view)]
    return Status(
        view.is_asked, _only_bots_think(view), view.words(_heading(view)), _stage(view), notes, _deadlines(view),
        next_game(view),
    )  # fmt: skip


def _stage(view: ReaderView) -> str:
    return "" if view.stage is None else view.words(view.stage)


def _only_bots_think(view: ReaderView) -> bool:
    chairs = view.head.table.chairs
    return bool(view.awaited) and all(chairs[seat].thinks for seat in view.awaited)


def _heading(view: ReaderView) -> Sentence:
    table = view.head.table
    if table.status == "abandoned":
        return say("The game ended without a result")
    if table.status == "finished":
        result = table.result
        assert result is not None, "a finished game has a result"
        winners = [view.names[seat] for seat in result.winners]
        if result.resigned:
            return say("{winner} has won: all others have resigned or left", winner=winners[0])
        return say_n("{winners} has won", "{winners} have won", len(winners), winners=row(winners, say(" and ")))
    if view.is_asked:
        assert view.document is not None, "a game under way has a position"
        return view.head.rules.presentation.asks(view.document)
    waiting = [view.names[seat] for seat in view.awaited]
    if _only_bots_think(view):
        return say_n("{bots} is thinking …", "{bots} are thinking …", len(waiting), bots=row(waiting, say(" and ")))
    return say("The game waits for {players}", players=row(waiting, say(" and ")))


def _notes(view: ReaderView) -> list[Sentence]:
    """Return the reasons why the game does not go on as usual."""
    table = view.head.table
    notes: list[Sentence] = []
    if view.is_over:
        return notes
    if view.is_asked and len(view.awaited) > 1:
        others = [view.names[seat] for seat in view.awaited if seat != view.seat]
        notes.append(say("{players} must answer, too.", players=row(others, say(" and "))))
    if table.paused and table.late is not None:
        notes.append(say("The clock is stopped: the game waits for {name}.", name=view.names[table.late]))
    elif table.paused:
        until = view.paused_until
        stands = say("The clock is stopped: nothing is due before it runs again.")
        ends = "" if until is None else view.locale.when(until)
        most = say("The clock is stopped until {until} at the latest: nothing is due before it runs again.", until=ends)
        notes.append(most if ends else stands)
    return notes


def _deadlines(view: ReaderView) -> list[Deadline]:
    now = view.head.now
    found = [
        Deadline(
            view.names[entry.seat],
            entry.due_at,
            "" if entry.due_at is None else view.words(left_words(max(0, entry.due_at - now))),
            entry.seat == view.seat,
            entry.due_at is not None and entry.due_at <= now,
        )
        for entry in view.owed
    ]
    return sorted(found, key=lambda deadline: not deadline.is_mine)


def next_game(view: ReaderView) -> NextGame | None:
    """The most urgent other game that waits for the reader."""
    waiting = [] if view.player is None else game_lists.turns(view.connection, view.player)
    other = next((turn for turn in waiting if turn["game"] != view.head.game), None)
    if other is None:
        return None
    left = "" if other["due"] is None else left_words(max(0, from_text(other["due"]) - view.head.now))
    title = RULESETS[other["ruleset"]].presentation.title
    return NextGame(other["game"], view.words(title), view.words(left))
