"""Faults at named points: a death, as if by kill -9, or a freeze that outlasts every lease."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from service.kernel.clock import SECOND
from tests.simulation.moment import Moment

OUTSIDE: Final = ("after-commit", "claimed", "composed", "sent", "settled")
"""Points at which no transaction is open. A frozen process that holds one stops everybody on SQLite, which has one
process in production; PostgreSQL ends its transaction after five seconds."""
POINTS: Final = ("before-commit", *OUTSIDE)
FROZEN: Final = 400 * SECOND
"""Longer than any lease."""
DYING: Final = 0.0012
FREEZING: Final = 0.00015
DAWDLING: Final = 0.02
"""At every point that is reached; who dawdles lets the others get in between."""


class Died(BaseException):
    """As if the process had been killed here: nothing in the code under test catches it."""


class Faults:
    """What befalls one worker. `told` hears of a freeze, so that nobody waits for it."""

    def __init__(self, seed: str, moment: Moment, told: Callable[[str], None], rough: int) -> None:
        """`rough` makes what is rare so many times as common; freezes less so, or nobody would work."""
        self.chance = random.Random(seed)
        self.moment = moment
        self.told = told
        self.rough = rough
        self.on = True
        self.befell: Counter[str] = Counter()
        self.last = ""

    def __call__(self, point: str) -> None:
        """Reach a point."""
        if not self.on:
            return
        if self.chance.random() < DYING:
            self._note(f"died {point}")
            raise Died(point)
        if point in OUTSIDE and self.chance.random() < DAWDLING:
            time.sleep(self.chance.random() * 0.01)
        if point in OUTSIDE and self.chance.random() < FREEZING * self.rough**0.5:
            self._note(f"froze {point}")
            self.told("frozen")
            thawed = self.moment.record + FROZEN
            while self.moment.record < thawed and self.on:
                time.sleep(0.002)
            self.told("thawed")

    def around(self, write: Callable[[], Any]) -> Callable[[], Any]:
        """Transactions whose process may die just before the commit or just after it."""

        @contextmanager
        def transaction() -> Iterator[Any]:
            with write() as tx:
                yield tx
                self("before-commit")
            self("after-commit")

        return transaction

    def _note(self, what: str) -> None:
        self.befell[what] += 1
        self.last = what
