"""Strengths: how long a bot thinks, and how often it takes the second-best. Counts, not seconds: a thought can be
thought again elsewhere, by the same version of Python, and comes to the same move."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.engine.guidance import Guidance


class Effort(msgspec.Struct, frozen=True):
    """What one thought may cost, and how what it finds becomes a move."""

    simulations: int
    """How often the position is dealt and played on."""
    width: int
    """At most so many moves of a seat are looked at."""
    horizons: int
    """A playout ends where the game's own horizon has changed so often, and is judged there."""
    exploration: float = 1.0
    """Of the bound that UCT adds to a value, in standard deviations."""
    trust: float = 8.0
    """A move is judged as if it had been tried so often before, as well as the others, but for its place among them."""
    step: float = 0.1
    """By which each next candidate is thought to be worse before it is tried, in standard deviations."""
    slip: float = 0.0
    """How far a move may fall behind the best and still be played at times, in standard deviations."""
    lax: float = 0.0
    """How much more each sealed answer weighs that was looked at, where their weights are 1 together."""
    depth: int = 100
    """So many moves of a simulation are chosen by the tree: 1 looks no further than the move itself."""
    mixes: bool = True
    """Whether sealed answers are mixed; else the tree takes them for moves that others see."""


EFFORTS: Final[Mapping[int, Effort]] = {
    1: Effort(simulations=4, width=5, horizons=1, lax=0.5),
    2: Effort(simulations=24, width=8, horizons=1),
    3: Effort(simulations=300, width=12, horizons=1),
}
"""By strength, without slips. What they are worth stands in docs/bots.md."""
MOST_SIMULATIONS: Final = 5_000
"""No thought costs more, whoever asks for it."""
WHOLE: Final = 4
"""Thoughts in a row that are thought at leisure."""


def effort_of(guidance: Guidance[Any, Any] | None, strength: int) -> Effort:
    """The effort of a bot of a strength, which slips as far as it does in this game."""
    slips = guidance.slips if guidance else {}
    return msgspec.structs.replace(EFFORTS[strength], slip=slips.get(strength, 0.0))


def paced(effort: Effort, answered: int) -> Effort:
    """Half of it for each WHOLE answers that bots gave since a person's last, so that nobody waits for long.

    A chain of bots costs less than twice its first WHOLE thoughts, however long it is. It never is less than what the
    weakest spend, and follows from the history: a thought can be thought again.
    """
    least = min(effort.simulations, EFFORTS[1].simulations)
    return msgspec.structs.replace(effort, simulations=max(least, effort.simulations >> (answered // WHOLE)))
