"""Playing on in a state that the caller owns: no history is kept, no copy made, chance is any dice."""

from collections.abc import Sequence
from random import Random
from typing import Any

from domain.engine.decider import Decider
from domain.engine.game import CHANCE, Dice, Seat
from domain.engine.guidance import Move


class RandomDice:
    """Draws out of a generator, for games that nobody has to check."""

    index = 0

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def below(self, label: str, n: int) -> int:
        """An integer from 0 to n-1, each equally likely."""
        return self.rng.randrange(n)

    def sample(self, label: str, items: Sequence[Any], k: int) -> list[Any]:
        """k of the items without replacement."""
        return self.rng.sample(list(items), k)


def act(decider: Decider[Any, Any, Any], state: Any, seat: Seat, action: Any) -> None:
    """One action, no more. Raises RuleViolation and leaves the state alone where the rules forbid it."""
    evolve = decider.evolve
    for event in decider.decide(state, seat, action):
        evolve[type(event)](state, event)


def settle(decider: Decider[Any, Any, Any], state: Any, dice: Dice) -> frozenset[Seat]:
    """All that follows without a person: forced steps, openings, draws. Who is awaited then; nobody: it is over."""
    evolve = decider.evolve
    while True:
        if facts := decider.proceed(state):
            for event in facts:
                evolve[type(event)](state, event)
            continue
        waits = decider.awaiting(state)
        if CHANCE not in waits:
            return waits
        for event in decider.decide(state, CHANCE, decider.chance(state, dice)):
            evolve[type(event)](state, event)


def make(decider: Decider[Any, Any, Any], state: Any, seat: Seat, move: Move[Any], dice: Dice) -> frozenset[Seat]:
    """A whole move, and what follows it; after each of its actions the steps that come by rule. Who is awaited then.

    Raises RuleViolation where the rules forbid one of the actions: those before it are made.
    """
    waits: frozenset[Seat] = frozenset()
    for action in move:
        act(decider, state, seat, action)
        waits = settle(decider, state, dice)
    return waits
