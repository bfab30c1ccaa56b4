"""Statistics: a finished game in numbers, by period and seat; what each bid was worth, and where the lead changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal

from domain.engine.game import Event, S, Seat

Row = dict[str, int | str]
"""Numbers of one seat in one period: the period, the seat, then the columns."""
Facts = Iterable[tuple[int, Event]]
"""All facts of a game that stand, none sealed, each with the number it has in the history."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A column of the rows that is worth a picture."""

    name: str
    """In addresses: "points"."""
    column: str
    title: str
    unit: str
    """What is counted, on the axis: "chips"."""
    kind: Literal["line", "bars"] = "line"
    """A line where the number goes on from period to period, bars where each period counts anew."""


@dataclass(frozen=True, slots=True)
class Score:
    """A line of the final result of a seat: what it is for, and the points."""

    seat: Seat
    what: str
    points: int
    made_of: str = ""
    """How the points of this seat came about, if a number says it: "4 × 23"."""


@dataclass(frozen=True, slots=True)
class BidValue:
    """What one bid was worth, with everything open and the other bids as they were."""

    version: int
    """The event that decided it."""
    period: int
    prize: str
    seat: Seat
    contested: bool
    """Whether anybody else could have had it."""
    won: bool
    bid: int
    most: int
    """The most that the seat could have bid."""
    paid: int
    needed: int
    """The least bid that would have won, whether or not the seat could have made it."""

    @property
    def wasted(self) -> int:
        """What was paid beyond what was needed; of a bid that lost, all that was paid."""
        return self.paid - self.needed if self.won else self.paid

    @property
    def short(self) -> int | None:
        """How much more would have won; None for a bid that did."""
        return None if self.won else self.needed - self.bid


@dataclass(frozen=True, slots=True)
class LeadChange:
    """A moment after which other seats lead than before."""

    version: int
    period: int
    before: tuple[Seat, ...]
    """Nobody where there had been no leader yet."""
    after: tuple[Seat, ...]
    standing: tuple[int, ...]
    """By seat, what the lead is counted in."""


@dataclass(frozen=True, slots=True)
class Statistics(Generic[S]):
    """A game in numbers. Texts are sentences that can be translated, but for those of `columns`, which are English."""

    unit: str
    """What a period is, and the name of its column: "round"."""
    columns: Mapping[str, str]
    """What is counted, and what that is."""
    rows: Callable[[S, Iterable[Any]], list[Row]]
    """The numbers of a game, from its first state, which is used up, and all its facts that stand, none sealed."""
    period_name: str = ""
    """What a period is called, over its numbers: "Round"."""
    charts: Sequence[Chart] = ()
    scores: Callable[[S, Facts], list[Score]] = lambda state, facts: []
    """The lines that add up to the score of each seat, from the last state and all facts that stand."""
    tie_rule: str = ""
    """The rule that says who wins with as many points as another: "TH-13.6"."""
    tie_break: str = ""
    """The same in one sentence."""
    bids: Callable[[S, Facts], list[BidValue]] = lambda state, facts: []
    """What each bid was worth, from the first state, which is used up."""
    bid_terms: Mapping[str, str] = field(default_factory=dict)
    """What the fields of a bid mean in this game, in sentences."""
    bid_unit: str = ""
    """What is bid: "chips"."""
    standing: Callable[[S], Sequence[int]] = lambda state: ()
    """By seat, what the lead is counted in."""
    standing_name: str = ""
    """What that is: "victory points"."""
    moments: frozenset[type[Event]] = frozenset()
    """Facts after which it is looked who leads."""
    period: Callable[[S], int] = lambda state: 0
    """The period of a state."""


def lead_changes(
    statistics: Statistics[S], evolve: Mapping[type[Event], Callable[[S, Any], None]], state: S, facts: Facts
) -> list[LeadChange]:
    """Where the lead changed, from the first state, which is used up.

    Whoever catches up with a leader changes nothing yet: the lead is theirs once the leader is behind.
    """
    found: list[LeadChange] = []
    leaders: tuple[Seat, ...] = ()
    for version, event in facts:
        evolve[type(event)](state, event)
        if type(event) not in statistics.moments:
            continue
        standing = tuple(statistics.standing(state))
        best = tuple(seat for seat, points in enumerate(standing) if points == max(standing))
        if set(leaders) & set(best) or len(best) == len(standing):
            leaders = leaders and tuple(seat for seat in leaders if seat in best)
            continue
        found.append(LeadChange(version, statistics.period(state), leaders, best, standing))
        leaders = best
    return found


class Flow:
    """What every seat gained and spent of something in a period: each fact counts with its balance."""

    def __init__(self, held: Sequence[int]) -> None:
        self.held = list(held)
        self.gained = [0] * len(held)
        self.spent = [0] * len(held)

    def follow(self, held: Sequence[int]) -> None:
        """So much does every seat hold after the next fact."""
        for seat, (before, now) in enumerate(zip(self.held, held, strict=True)):
            self.gained[seat] += max(0, now - before)
            self.spent[seat] += max(0, before - now)
        self.held = list(held)

    def close(self) -> tuple[list[int], list[int], list[int]]:
        """What was gained and spent in the period, and what is held at its end; the next one begins."""
        closed = self.gained, self.spent, self.held
        self.gained, self.spent = [0] * len(self.held), [0] * len(self.held)
        return closed
