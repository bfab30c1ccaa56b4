"""Positions of games that are played at tables: their draws are those of the table."""

from collections.abc import Sequence
from typing import Any

from domain.engine.draws import Dice, draw_key
from domain.rulesets import RULESETS
from domain.search.position import Position
from domain.table.state import Table


class Draws:
    """The draws of one game, one after the other."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.index = 0

    def below(self, label: str, n: int) -> int:
        self.index += 1
        return Dice(self.key, self.index - 1).below(label, n)

    def sample(self, label: str, items: Sequence[Any], k: int) -> list[Any]:
        self.index += 1
        return Dice(self.key, self.index - 1).sample(label, items, k)


def beginning(table: Table) -> Position:
    """The first position of a table's game, whose draws are those of the table."""
    rules = RULESETS[table.ruleset]
    key = draw_key(bytes.fromhex(table.seed), [chair.nonce for chair in table.chairs])
    return Position(rules, rules.decider.initial(len(table.chairs), table.options), Draws(key))
