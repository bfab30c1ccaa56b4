"""The Decider: how a game is played, a handful of pure functions and a first state.

Seats act, chance acts, and the referee proceeds: `decide` answers one action with the facts it makes true,
`proceed` states the facts that then follow by rule, `chance` plays the draw a state waits for.

A newcomer writes `state`, `actions` and `events` first, then `initial`, `decide` and `evolve`, then `awaiting`,
`proceed` and `chance`: now a game can be played. `copy`, `blind` and `view` say who may see what; `decision`,
`legal_actions`, `sample`, `caretaker` and `result` serve the table around the game.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Generic

from domain.engine.game import A, Dice, E, S, Seat, View
from domain.engine.legal import Legal


@dataclass(frozen=True, slots=True)
class Decider(Generic[S, A, E]):
    """How a game is played. All functions are pure: `evolve` alone changes a state, and only one `fold` owns."""

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
    sample: Callable[[S, Seat, Random], A]
    """A legal action by chance, found from a blind state without listing all; every kind of action comes up."""
    caretaker: Callable[[S, Seat], A]
    """The smallest harmless legal action of an awaited seat, found from a blind state of its own."""
    result: Callable[[S], dict[str, Any] | None]
    """{"winners": [seats], "scores": [by seat]} once the game is over."""
    scores: Callable[[S], list[int]]
    """Points by seat as they stand, of a state with nothing hidden: the scores of a game that ends before its time."""
    reveal: Callable[[S, Collection[Seat]], View] | None = None
    """The same document for whoever looks into the hands of these seats, and is none of them: of games that are over.
    None where nothing is hidden from spectators."""
    document: type | None = None
    """The TypedDict of what `view` shows, for descriptions of the API. None: an object of no described shape."""

    def fold(self, state: S, events: Iterable[E]) -> S:
        """`state` after `events`. The state given is left as it was: one copy, then one handler an event."""
        state = self.copy(state)
        evolve = self.evolve
        for event in events:
            evolve[type(event)](state, event)
        return state
