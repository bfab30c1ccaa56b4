"""The games there are, by kind. A new game is a package and one line here.

A game is loaded when it is first asked for: most commands need none, and a process that thinks one (decision 0106).
"""

from collections.abc import Iterator, MutableMapping
from pkgutil import resolve_name
from typing import Any, Final

from domain.engine.ruleset import Ruleset

AnyRuleset = Ruleset[Any, Any, Any]


class _Rulesets(MutableMapping[str, AnyRuleset]):
    """Games by kind; one that nobody asked for yet by where it stands."""

    def __init__(self, games: dict[str, AnyRuleset | str]) -> None:
        self._games = games

    def __getitem__(self, kind: str) -> AnyRuleset:
        game = self._games[kind]
        if isinstance(game, str):
            game = self._games[kind] = resolve_name(game)
        return game

    def __setitem__(self, kind: str, game: AnyRuleset) -> None:
        self._games[kind] = game

    def __delitem__(self, kind: str) -> None:
        del self._games[kind]

    def __contains__(self, kind: object) -> bool:
        return kind in self._games

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


RULESETS: Final[MutableMapping[str, AnyRuleset]] = _Rulesets(
    {
        "tammany-hall": "domain.tammany_hall:TAMMANY_HALL",
        "city-hall": "domain.city_hall:CITY_HALL",
    }
)


def ruleset(kind: str) -> AnyRuleset:
    """The game of that kind. Raises KeyError, saying which there are."""
    try:
        return RULESETS[kind]
    except KeyError:
        raise KeyError(f"no ruleset {kind!r}; there are {', '.join(sorted(RULESETS))}") from None
