"""The numbered options of a mail: what a phone can answer with one digit (OUT-31)."""

from typing import Any, Final

from domain.engine.game import Seat
from domain.table.evolve import Rules

MOST: Final = 24
MOST_OF_A_KIND: Final = 9


def numbered(rules: Rules, game: Any, seat: Seat) -> list[str]:
    """Legal actions in the notation, to be numbered from 1: all of them if they are few, else the kinds that are few.

    `game` is the seat's own blind state.
    """
    legal = rules.decider.legal_actions(game, seat)
    texts = list(dict.fromkeys(rules.notation.write(action) for action in legal.actions))
    if legal.complete and len(texts) <= MOST:
        return texts
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kinds.setdefault(text.partition(" ")[0], []).append(text)
    few = [text for kind in kinds.values() if len(kind) <= MOST_OF_A_KIND for text in kind]
    return few[:MOST]
