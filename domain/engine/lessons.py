"""What a game has for those who learn it: positions in words, and goals by name.

The lessons and the worked examples themselves are data beside the game; `service.lessons` reads and plays them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic

from domain.engine.game import Event, S, Seat


@dataclass(frozen=True, slots=True)
class Attempt(Generic[S]):
    """What a learner has done since a step of a lesson began."""

    before: S
    facts: Sequence[Event]
    """What the learner's own orders made true, in order."""
    after: S
    seat: Seat

    def did(self, kind: type[Event]) -> bool:
        """Whether a fact of this kind is among them."""
        return any(isinstance(fact, kind) for fact in self.facts)


Goal = Callable[[Attempt[Any]], bool]
"""Whether a learner has done what a step asks for."""


class Goals(dict[str, Goal]):
    """The goals of a game by name; its module of goals fills it."""

    def __call__(self, goal: Goal) -> Goal:
        """Take in a function under its own name, with hyphens: a decorator."""
        self[goal.__name__.strip("_").replace("_", "-")] = goal
        return goal


@dataclass(frozen=True, slots=True)
class Lessons(Generic[S]):
    """All that lessons and worked examples need of a game beyond its rules."""

    position: Callable[..., S]
    """A position from words, see the game's own module: for `players` and whatever else is not as usual. Raises
    ValueError for one that cannot be."""
    goals: Mapping[str, Goal]
    """What a step of a lesson may ask for."""


ANY: Final = "any"
"""The goal that whatever is played reaches."""
