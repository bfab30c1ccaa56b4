"""The weights of the features by stage of the game, as `wardroom fit` has learnt them."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.city_hall.search.features import NAMES
from domain.engine.weights import read_weights

WEIGHTS: Final[Mapping[str, Sequence[float]]] = read_weights("domain.city_hall.search", NAMES)
