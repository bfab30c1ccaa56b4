"""Statistics: a finished game in numbers, by period and seat."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from domain.engine.game import S

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
