"""The weights of the features by stage of the game: by hand, 2026-11-22."""

from collections.abc import Mapping, Sequence
from typing import Final

WEIGHTS: Final[Mapping[str, Sequence[float]]] = {
    "1": (0.61, 0.94, 0.5, -0.85, 0.79, -0.12, 0.12, -0.28, -0.43, 1.06, 0.74, -0.54, 0.21, 0.27),
    "2": (0.97, 1.04, 1.63, 0.1, 2.09, -0.43, 1.39, 0.01, 0.23, 1.72, 0.9, 0.06, -0.38, -0.13),
    "3": (0.98, 1.32, 2.81, 1.18, 1.97, 0.48, 1.84, -0.11, 0.18, 0.43, 0.57, 0.21, 0.12, 0.03),
    "4": (3.15, 0.85, 1.9, 0.86, 1.81, 1.22, 0.6, -0.1, 0.68, -0.19, 0.01, -0.22, 0.38, 0.0),
}
"""In the order of the names of the features."""
