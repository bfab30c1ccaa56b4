"""What a game is: a Decider, a handful of pure functions and a first state.

Seats act, chance acts, and the referee proceeds: `decide` answers one action with the facts it makes true,
`proceed` states the facts that then follow by rule, `chance` plays the draw a state waits for. The service
knows games through these names only; `domain.rulesets` lists the games there are.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import msgspec

from domain.engine.sentences import Sentence, Words, say

Seat = int
"""A place at the table, 0 to n-1, numbered clockwise."""

CHANCE: Final[Seat] = -1
"""The seat of chance: a state that awaits it needs a draw before anybody can act."""

NOBODY: Final = "nobody"
"""The owner of a sealed leaf that no seat may read before the game is over."""

View = dict[str, Any]


class RuleViolation(Exception):
    """The rules forbid this action. Nothing was recorded; `message` is safe to show to the player who tried.

    In English, and a Sentence wherever it can be said in other languages too.
    """

    def __init__(self, code: str, rule: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.message = message


class OrderNotUnderstood(Exception):
    """A text that fits no line of the notation. `line` is the text as given, `message` says what would fit."""

    def __init__(self, code: str, rule: str, line: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.line = line
        self.message = message


def require(claim: object, code: str, rule: str, template: str, /, **values: Any) -> None:
    """Refuse with RuleViolation unless `claim` holds, in a sentence of this template and these values.

    A value may be a function without arguments: it is called only where the claim does not hold, so that what takes
    time to tell costs nothing while all is well. A finished Sentence is taken as it is.
    """
    if not claim:
        raise RuleViolation(code, rule, sentence(template, values))


def sentence(template: str, values: Mapping[str, Any]) -> Sentence:
    """What a refusal says: a template filled with values, or with what functions among them return."""
    if isinstance(template, Sentence):
        return template
    return say(template, **{name: value() if callable(value) else value for name, value in values.items()})


class Action(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """An order a player gives. Its seat is not part of it: that comes from the login."""


class Draw(msgspec.Struct, frozen=True):
    """Which draw of a game this was: its label, and its number over all draws of the game, from 0."""

    label: str
    index: int


class Event(msgspec.Struct, frozen=True):
    """A fact. Fields named in SEALED are stored apart, readable only by the seat in the field they map to
    (or by NOBODY), and are None where the reader may not know them.

    OPENS marks a fact that opens every leaf last sealed by each seat; LASTS one whose leaves no such fact opens:
    they stay shut until the game is over.
    """

    SEALED: ClassVar[Mapping[str, str]] = {}
    OPENS: ClassVar[bool] = False
    LASTS: ClassVar[bool] = False


class Dice(Protocol):
    """One provably fair draw; `domain.engine.draws.Dice` is the one that plays."""

    index: int

    def below(self, label: str, n: int) -> int: ...

    def sample(self, label: str, items: Sequence[Any], k: int) -> list[Any]: ...


S = TypeVar("S")
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)


class Drawing(Protocol):
    """A view as plain text, in the language of a speaker: English unless told otherwise."""

    def __call__(self, view: View, words: Words = str) -> str: ...


@dataclass(frozen=True, slots=True)
class Legal(Generic[A]):
    """The actions a seat may take now, in board order; `complete` is False where they are a sample of more."""

    actions: list[A]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class ScriptFormat:
    """A whole game as a text, its chance included: for fixtures that people share."""

    play: Callable[[str], View]
    """The state document a script leads to, nothing hidden in it. Raises ValueError naming the line that is wrong."""
    write: Callable[[Iterable[Any], Sequence[str]], str]
    """The script of a game from all its facts, with these names by seat."""


@dataclass(frozen=True, slots=True)
class Narrative:
    """How a whole game is told, beyond a sentence on each fact."""

    chapter: Callable[[Any], tuple[str, str] | None] = lambda event: None
    """The part that begins with a fact, if one does: what it is a part of ("" for as before), and its name."""
    scenes: frozenset[type[Event]] = frozenset()
    """Facts that begin a paragraph."""
    passing: frozenset[type[Event]] = frozenset()
    """Facts that need no word where all the others are told: whose turn it is, and that it ends."""
    tell_all: Callable[[Any, Sequence[str]], str] = lambda event, names: ""
    """As `tell`, with what is sealed, of a fact of which that is known; "" for any other."""
    tells_end: bool = False
    """Whether its own facts tell the scores and who has won, so that the table need not say it again."""


Row = dict[str, int | str]
"""Numbers of one seat in one period: the period, the seat, then the columns."""


@dataclass(frozen=True, slots=True)
class Statistics(Generic[S]):
    """A game in numbers."""

    unit: str
    """What a period is, and the name of its column: "round"."""
    columns: Mapping[str, str]
    """What is counted, and what that is."""
    rows: Callable[[S, Iterable[Any]], list[Row]]
    """The numbers of a game, from its first state, which is used up, and all its facts that stand, none sealed."""


class Unfit(Exception):
    """Standing orders that do not fit the decision they were filed for: they are dropped, never guessed at.

    `message` is one sentence for the player who filed them, and for nobody else.
    """

    def __init__(self, code: str, rule: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.rule = rule
        self.message = message


F = TypeVar("F", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class StandingOrders(Generic[S, F]):
    """What a seat can order ahead: orders that are followed as soon as the decision they are about is asked."""

    form: type[F]
    """Their JSON form: integers, texts, lists and objects with ASCII keys."""
    parse: Callable[[str, Sequence[str]], F]
    """The orders of a text, one line each; the names by seat are read as well as the pawns. Raises OrderNotUnderstood
    naming the line."""
    write: Callable[[F], str]
    """The text of orders, one line each, in lower case: `parse` reads the same orders back."""
    check: Callable[[S, Seat, F], F]
    """Orders as they are filed, from a blind state of the seat's own: complete with what they are for. Raises
    RuleViolation for what can never be followed."""
    follow: Callable[[S, Seat, F], Action | None]
    """The action ordered for what an awaited seat is asked now, from a blind state of its own; None where the orders
    say nothing about it. Raises Unfit where they do and it cannot be done."""
    live: Callable[[S, Seat, F], F | None]
    """What of the orders can still come to pass; None where nothing can."""
    help: str
    """How to write them, for people."""
    verbs: frozenset[str]
    """The words a line of them can begin with, in lower case."""


@dataclass(frozen=True, slots=True)
class Decider(Generic[S, A, E]):
    """A game. All functions are pure: `evolve` alone changes a state, and only one `fold` owns."""

    kind: str
    """Stored with every game, never renamed: "tammany-hall"."""
    title: str
    seats: range
    """How many may play."""
    options: Mapping[str, tuple[str, ...]]
    """The variants: the values of each, the default first."""
    pawns: tuple[str, ...]
    """What to call the seats where nobody's name is known, in seat order."""
    reserved: frozenset[str]
    """Words of the notation, in lower case, that cannot be a player's name in it."""
    notation: str
    """Help on the notation, for people."""

    state: type[S]
    actions: tuple[type[A], ...]
    """What a player can do. Actions of chance are not among them."""
    events: Mapping[str, type[E]]
    """Every event by its stored name, "boss-placed". Never renamed once written."""

    initial: Callable[[int, Mapping[str, str]], S]
    """The first state for so many seats, under these options."""
    decide: Callable[[S, Seat, Any], list[E]]
    """The facts one action makes true. Raises RuleViolation; leaves the state alone."""
    proceed: Callable[[S], list[E]]
    """The facts that follow now by rule, without anybody's decision: one step, [] where somebody must act.
    Where the step opens what is sealed, its first event OPENS. A blind state that lacks something needed gives []."""
    chance: Callable[[S, Dice], Any]
    """The action of CHANCE that a state awaiting it calls for, drawn with these dice."""
    evolve: Mapping[type[E], Callable[[S, E], None]]
    """One total handler for every event."""
    copy: Callable[[S], S]
    blind: Callable[[S, Seat | None], S]
    """A copy without what the seat (None: a spectator) may not know."""
    awaiting: Callable[[S], frozenset[Seat]]
    """Who must act: seats, or CHANCE; empty when the game is over."""
    decision: Callable[[S], str]
    """What the awaited seats are asked, as a short ASCII token: another token is another decision."""
    view: Callable[[S, Seat | None], View]
    """What a seat may see, as a JSON document."""
    legal_actions: Callable[[S, Seat], Legal[A]]
    """What a seat may do, found from a blind state of its own."""
    caretaker: Callable[[S, Seat], A]
    """The smallest harmless legal action of an awaited seat, found from a blind state of its own."""
    result: Callable[[S], dict[str, Any] | None]
    """{"winners": [seats], "scores": [by seat]} once the game is over."""

    read_bid: Callable[[Mapping[str, Any]], A]
    """The action a body of `POST /bids` stands for. Raises OrderNotUnderstood."""
    parse: Callable[[str, Sequence[str]], list[A]]
    """The actions of a text, one a line; the names by seat are read as well as the pawns. Raises OrderNotUnderstood."""
    write: Callable[[A], str]
    """An action in the notation: one line, in lower case."""
    tell: Callable[[E, Sequence[str]], str]
    """One sentence on a fact for people, with these names by seat; "" where there is nothing to tell."""
    board: Drawing
    """A view as plain text: the board, the seats, what is asked; lines of at most 78 characters in any language."""
    guide: Callable[[S, Seat], list[tuple[str, str]]]
    """What an awaited seat can do, from a blind state of its own: pairs (what to type, what it does)."""
    stage: Callable[[View], tuple[str, int, int]] = lambda view: ("turn", 0, 0)
    """How far a view's game is: what it is counted in, how many of them have begun, of how many (0: nobody knows)."""
    printed: Mapping[str, Any] = field(default_factory=dict)
    """What is printed on board and cards, with the source of each value, for whoever asks."""
    edition: str = "1"
    """Of these rules: another one where the same history could not be made by them any more."""
    verbs: frozenset[str] = frozenset()
    """The words a line of the notation can begin with, in lower case."""
    orders: StandingOrders[S, Any] | None = None
    """What can be ordered ahead, if anything can."""
    script: ScriptFormat | None = None
    """How its games are written as scripts, if they are."""
    statistics: Statistics[S] | None = None
    """Its games in numbers, if they are counted."""
    narrative: Narrative = Narrative()
    """How a whole game is told."""

    def fold(self, state: S, events: Iterable[E]) -> S:
        """`state` after `events`. The state given is left as it was: one copy, then one handler an event."""
        state = self.copy(state)
        evolve = self.evolve
        for event in events:
            evolve[type(event)](state, event)
        return state
