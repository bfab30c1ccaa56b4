"""Bots: programs that play a seat, by how well they do it and what they care for."""

from typing import Final, Literal, get_args

import msgspec

Strength = Literal[0, 1, 2, 3]
Temper = Literal["even", "cautious", "patient", "vindictive"]

STRENGTHS: Final[tuple[Strength, ...]] = get_args(Strength)
"""0 is the caretaker, who plays the smallest legal move at once; the others think."""
TEMPERS: Final[tuple[Temper, ...]] = get_args(Temper)


class Bot(msgspec.Struct, frozen=True):
    """Who plays a seat that is no person."""

    strength: Strength = 1
    temper: Temper = "even"

    @property
    def thinks(self) -> bool:
        """Whether a move of it takes time, and so a worker."""
        return self.strength > 0
