"""What bots must be worth: the pairings of the arena's report, and the share of wins that each of them has to reach."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from domain.engine.bots import STRENGTHS, TEMPERS, Bot
from domain.engine.ruleset import Ruleset
from domain.search.players import PARTS
from domain.search.standing import Pairing, Standing

THINKING: Final = [strength for strength in STRENGTHS if Bot(strength).thinks]
TABLES: Final[Mapping[int, int]] = {1: 40, 2: 40, 3: 16}
"""So many tables of each pairing, by the strength: what the whole costs is nearly all thought by the strongest.

Twice as many at two seats, where nothing is allowed for chance.
"""
FEW: Final = 10
"""Tables of each pairing without a gate."""
SECONDS: Final[Mapping[int, float]] = {1: 0.3, 2: 1.5, 3: 6.0}
"""The most processor time that the median decision may take, by strength."""
MEMORY: Final = 150 * 1024
"""KiB that a process may take."""


class Gate(msgspec.Struct, frozen=True):
    """A pairing, at how many tables it is played, and what its `a` must win of them."""

    pairing: Pairing
    tables: int
    least: float | None = None
    """The share of wins; None where nothing is asked."""
    doubtful: bool = False
    """Whether half the interval is allowed for."""

    def met(self, standing: Standing) -> bool:
        """Whether that was reached."""
        allowed = (standing.high - standing.low) / 2 if self.doubtful else 0.0
        return self.least is None or standing.share + allowed >= self.least


def gates(rules: Ruleset[Any, Any, Any]) -> Iterator[Gate]:
    """Those of a game: strength 1 against random players, each strength against the one below, at all numbers of seats.

    At two seats it has to win 90 % of the games against random players, and 70 % against the strength below; at fuller
    tables three times and twice its fair share, less half the interval.
    """
    below = {1: "random"} | {strength: str(strength - 1) for strength in THINKING[1:]}
    for strength, other in below.items():
        times, duel = (3, 0.9) if other == "random" else (2, 0.7)
        for seats in rules.seats:
            pairing = Pairing(rules.kind, seats, str(strength), other)
            least = duel if seats == 2 else min(1.0, times / seats)
            yield Gate(pairing, TABLES[strength] * (1 + (seats == 2)), least, doubtful=seats > 2)


def trials(rules: Ruleset[Any, Any, Any]) -> Iterator[Gate]:
    """Strength 2 against itself without one part, and of other tempers: at the smallest table, without a gate."""
    seats = rules.seats[0]
    for part in [part for part in PARTS if part not in _idle(rules)]:
        yield Gate(Pairing(rules.kind, seats, "2", f"2-{part}"), FEW)
    for temper in TEMPERS[1:]:
        yield Gate(Pairing(rules.kind, seats, f"2:{temper}", "2"), FEW)


def _idle(rules: Ruleset[Any, Any, Any]) -> set[str]:
    """Parts that bots of a game do without as it is."""
    flat = rules.guidance is not None and rules.guidance.depth == 1
    return {""} | ({"tree"} if flat else set()) | (set() if rules.bidding else {"matrix"})
