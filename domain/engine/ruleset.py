"""A ruleset: one game as a value, in four parts; `domain.rulesets` lists those there are.

The service knows games through these names only. A newcomer writes the four parts in the order of the fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic

from domain.engine.bidding import Bidding
from domain.engine.decider import Decider
from domain.engine.game import A, E, S
from domain.engine.guidance import Guidance
from domain.engine.lessons import Lessons
from domain.engine.notation import Notation
from domain.engine.presentation import Presentation
from domain.engine.standing_orders import StandingOrders


@dataclass(frozen=True, slots=True)
class Ruleset(Generic[S, A, E]):
    """A game, with all that others need to know of it."""

    kind: str
    """Stored with every game, never renamed: "tammany-hall"."""
    seats: range
    """How many may play."""
    options: Mapping[str, tuple[str, ...]]
    """The variants: the values of each, the default first."""
    decider: Decider[S, A, E]
    """How it is played."""
    notation: Notation[A]
    """How its actions are typed."""
    presentation: Presentation[S, E]
    """How it is shown and told."""
    standing_orders: StandingOrders[S, Any] | None = None
    """What can be ordered ahead, if anything can."""
    guidance: Guidance[S, A] | None = None
    """What is known of playing it well, if bots can think about it."""
    bidding: Bidding[A] | None = None
    """What is to be known of its sealed bids, if it has any, to say what they were worth."""
    lessons: Lessons[S] | None = None
    """What lessons and worked examples need of it, if it can be learned here."""
    later_options: frozenset[str] = frozenset()
    """Options that older games do not name; a table records one only if its host chose another value than the first."""
    edition: str = "1"
    """Of these rules: another one where the same history could not be made by them any more."""
