"""Presentation: how a game is shown and told to people.

A newcomer writes `title`, `about` and `tell` first, then `board` and `guide`; all the rest has a
value that will do until then.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol

from domain.engine.choices import Questions
from domain.engine.contests import Told
from domain.engine.game import E, Event, S, Seat, View
from domain.engine.sentences import Sentence, Words, say
from domain.engine.statistics import Statistics

Names = Sequence[str]
"""What to call the players, by seat."""
Tell = Callable[[Any, Names], str]


EXAMPLE: Final = say("for example")
"""Beside a line of a guide: it is an example of the form before it."""


def teller(tellers: Mapping[type[Event], Tell]) -> Tell:
    """The `tell` of a game that has a function for every kind of event there is something to tell of."""

    def tell(event: Event, names: Names) -> str:
        describe = tellers.get(type(event))
        return "" if describe is None else describe(event, names)

    return tell


class Drawing(Protocol):
    """A view as plain text, in the language of a speaker: English unless told otherwise."""

    def __call__(self, view: View, words: Words = str) -> str: ...


@dataclass(frozen=True, slots=True)
class Narrative:
    """How a whole game is told, beyond a sentence on each fact."""

    chapter: Callable[[Any], tuple[str, str] | None] = lambda event: None
    """The part that begins with a fact, if one does: what it is a part of ("" for as before), and its name."""
    scenes: frozenset[type[Event]] = frozenset()
    """Facts that begin a paragraph."""
    passing: frozenset[type[Event]] = frozenset()
    """Facts that need no word where all the others are told: whose turn it is, and that it ends."""
    implied: Mapping[type[Event], type[Event]] = field(default_factory=dict)
    """Facts that need no word where one of the other kind follows: that a turn ends, where the next one begins."""
    tell_with_sealed: Callable[[Any, Sequence[str]], str] = lambda event, names: ""
    """Like `tell`, but includes sealed values the reader may know; "" if there are none."""
    tells_end: bool = False
    """Whether its own facts tell the scores and who has won, so that the table need not say it again."""


@dataclass(frozen=True, slots=True)
class Variant:
    """An option of a game in words: what it is about, the rule it changes, and what each of its values means."""

    name: Sentence
    rule: str
    values: Mapping[str, Sentence]


@dataclass(frozen=True, slots=True)
class Presentation(Generic[S, E]):
    """All that people see and read of a game, in English sentences that can be translated."""

    title: str
    about: str
    """The game in a sentence, for those who are invited to it."""
    tell: Callable[[E, Sequence[str]], str]
    """One sentence on a fact for people, with these names by seat; "" where there is nothing to tell."""
    board: Drawing
    """A view as plain text: the board, the seats, what is asked; lines of at most 78 characters in any language."""
    guide: Callable[[S, Seat], list[tuple[str, str]]]
    """What an awaited seat can do, from a blind state of its own: pairs (what to type, what it does)."""
    choices: Callable[[S, Seat, Names], Questions] | None = None
    """What a seat may do as questions, from a blind state of its own, with these names by seat; else word by word."""
    stage: Callable[[View], tuple[str, int, int]] = lambda view: ("turn", 0, 0)
    """How far a view's game is: what it is counted in, how many of them have begun, of how many (0: nobody knows)."""
    narrative: Narrative = Narrative()
    """How a whole game is told."""
    statistics: Statistics[S] | None = None
    """Its games in numbers, if they are counted."""
    description: str = ""
    """A few sentences for somebody who has never heard of the game: what it is about, and what one does in it."""
    first_move: str = ""
    """What a beginner is asked first, and what to do, in a few sentences; empty if a first move needs no words."""
    author: str = ""
    """The designer of the game; empty if nobody is named."""
    asks: Callable[[View], Sentence] = lambda view: say("Make your move")
    """What a view's game asks of whoever it waits for, said to them, without a full stop."""
    question: Callable[[View, str], Sentence] = lambda view, player: say("{player}, what is your move?", player=player)
    """What a view's game asks, said to a player by name: for headlines."""
    consequences: Callable[[View, View, Seat, Names], list[Sentence]] = lambda before, after, seat, names: []
    """What differs between two views of a seat, before and after a move, as its player should weigh it."""
    gives: Callable[[E, Seat], str] = lambda event, seat: ""
    """An office or the like that a fact gives to a seat, and its use, said to the seat; "" for nothing."""
    contests: Told = lambda facts, after, seat, names: []
    """The elections and auctions that were decided after an event, as tables."""
    variants: Mapping[str, Variant] = field(default_factory=dict)
    """The options of the game in words, by name."""
    printed: Mapping[str, Any] = field(default_factory=dict)
    """What is printed on board and cards, with the source of each value, for whoever asks."""
