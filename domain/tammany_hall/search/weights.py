"""The weights of the features by term: a softmax over the seats of weights times features is their share of winning."""

from collections.abc import Mapping, Sequence
from typing import Final

WEIGHTS: Final[Mapping[str, Sequence[float]]] = {
    "1": (-0.3, 0.0, 0.12, -0.85, 2.36, 0.87, 0.25, -0.23, -0.38, 0.0, 0.0, 0.55),
    "2": (0.78, 0.0, 1.29, -0.41, 1.67, 1.29, 0.3, -0.18, -0.28, 0.14, 0.33, 0.6),
    "3": (2.99, 0.0, 1.65, -0.12, 1.3, 0.96, 0.08, 0.07, -0.38, -0.14, 0.51, 0.85),
    "4": (6.72, 0.0, 2.17, 0.27, 1.08, 0.77, 0.47, 0.21, -0.24, 0.39, 0.72, 1.04),
}
"""By hand, not yet fitted."""
