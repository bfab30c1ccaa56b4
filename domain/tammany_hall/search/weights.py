"""The weights of the features by term: a softmax over the seats of weights times features is their share of winning."""

from collections.abc import Mapping, Sequence
from typing import Final

WEIGHTS: Final[Mapping[str, Sequence[float]]] = {
    "1": (2.0, 2.0, 1.5, 1.0, 0.5, 1.6, 0.2, 0.6, 0.0, 0.3, 0.5),
    "2": (2.0, 3.0, 1.5, 1.0, 0.5, 1.6, 0.2, 0.6, 0.0, 0.3, 0.5),
    "3": (3.0, 4.0, 1.6, 1.2, 0.5, 1.5, 0.4, 0.6, 0.0, 0.3, 0.7),
    "4": (4.0, 8.0, 2.5, 2.5, 0.3, 0.8, 1.6, 0.2, 0.0, 0.3, 1.0),
}
"""By hand, not yet fitted."""
