"""The weights of the features by term, from the table that `wardroom fit tammany-hall` writes beside this module."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any, Final

from domain.tammany_hall.search.features import NAMES

TABLE: Final[Mapping[str, Any]] = tomllib.loads(
    (files("domain.tammany_hall.search") / "weights.toml").read_text(encoding="utf-8")
)
"""How it was made, and `stage`: by term and name of the feature."""
WEIGHTS: Final[Mapping[str, Sequence[float]]] = {
    term: tuple(float(weights[name]) for name in NAMES) for term, weights in TABLE["stage"].items()
}
"""A softmax over the seats of weights times features is their share of winning."""
