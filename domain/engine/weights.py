"""The weights of a game: a table in the game's package that says what each feature counts for, by stage of the game."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Final

FILE: Final = "weights.toml"


def read_weights(package: str, names: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """By stage, the weights of the features of these names, in their order.

    A feature that the table does not know counts for nothing: `wardroom fit` writes another table.
    """
    return parse_weights(files(package).joinpath(FILE).read_text(encoding="utf-8"), names)


def parse_weights(table: str, names: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """The same of the text of a table."""
    stages: Mapping[str, Mapping[str, float]] = tomllib.loads(table)["stage"]
    return {stage: tuple(float(known.get(name, 0.0)) for name in names) for stage, known in stages.items()}
