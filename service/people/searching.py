"""Words of a search for games: in their titles, and in the names of people who show which games they play."""

from typing import Final

from domain.rulesets import RULESETS
from service.people.visibility import showing_games_to
from service.store.database import Connection
from service.store.games import game_filters
from service.store.games.game_filters import Word

MOST_WORDS: Final = 5
FEWEST_LETTERS: Final = 2


def words_of(connection: Connection, typed: str, viewer: str | None) -> tuple[Word, ...]:
    """What the words of a search may mean to somebody: nobody is found by their name who does not show them which
    games they play."""
    words = [word for word in typed.replace("\0", " ").split() if len(word) >= FEWEST_LETTERS][:MOST_WORDS]
    found = []
    for word in words:
        titled = tuple(kind for kind, rules in RULESETS.items() if _begins(rules.presentation.title, word))
        people = showing_games_to(connection, game_filters.named(connection, word), viewer)
        found.append(Word(titled, tuple(sorted(people))))
    return tuple(found)


def _begins(title: str, word: str) -> bool:
    return any(part.startswith(word.casefold()) for part in title.casefold().split())
