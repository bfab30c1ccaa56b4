"""Chance that comes out as a test tells it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Dice:
    """Draws that come out as told: the order of the Land cards, of the Permits and of the turns; else as the seed has
    it. The cards still in the Land deck must be put into `deck`, in board order, before a Land card is drawn."""

    lands: list[str] = field(default_factory=list)
    permits: list[str] = field(default_factory=list)
    order: list[int] | None = None
    seed: int = 0
    index: int = 0
    deck: list[str] = field(default_factory=list)
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def below(self, label: str, n: int) -> int:
        self.asked.append((label, n))
        if label == "land" and self.lands:
            assert n == len(self.deck), f"{n} cards are drawn from, not the {len(self.deck)} in the deck"
            return self.deck.index(self.lands.pop(0))
        return random.Random(f"{self.seed} {label} {self.index}").randrange(n)

    def sample(self, label: str, items: Sequence[Any], k: int) -> list[Any]:
        self.asked.append((label, list(items), k))
        if label == "turn-order" and self.order is not None:
            return self.order
        if label == "permits" and self.permits:
            drawn, self.permits = self.permits[:k], self.permits[k:]
            assert all(drawn.count(kind) <= list(items).count(kind) for kind in drawn), f"{drawn} of {items}"
            left = list(items)
            for kind in drawn:
                left.remove(kind)
            return drawn + left[: k - len(drawn)]
        return random.Random(f"{self.seed} {label} {self.index}").sample(list(items), k)
