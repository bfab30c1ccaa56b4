"""The weights of the features by stage of the game: by hand, 2026-11-22."""

from collections.abc import Mapping, Sequence
from typing import Final

WEIGHTS: Final[Mapping[str, Sequence[float]]] = {
    "1": (1.0, 1.5, 0.5, 0.5, 0.8, 0.8, 0.3, 0.4, 0.3, 0.3),
    "2": (1.6, 2.0, 0.5, 0.5, 0.5, 0.4, 0.2, 0.2, 0.2, 0.2),
    "3": (3.0, 3.0, 0.3, 0.3, 0.2, 0.1, 0.0, 0.1, 0.2, 0.3),
}
"""In the order of the names of the features."""
EARLY: Final = 3
"""Rounds of the first stage; the last one is the final round."""
