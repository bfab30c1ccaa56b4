"""The games there are, by kind. A new game is a package and one line here."""

from collections.abc import Mapping
from typing import Any, Final

from domain.city_hall import CITY_HALL
from domain.engine.ruleset import Ruleset
from domain.tammany_hall import TAMMANY_HALL

RULESETS: Final[Mapping[str, Ruleset[Any, Any, Any]]] = {
    TAMMANY_HALL.kind: TAMMANY_HALL,
    CITY_HALL.kind: CITY_HALL,
}


def ruleset(kind: str) -> Ruleset[Any, Any, Any]:
    """The game of that kind. Raises KeyError, saying which there are."""
    try:
        return RULESETS[kind]
    except KeyError:
        raise KeyError(f"no ruleset {kind!r}; there are {', '.join(sorted(RULESETS))}") from None
