"""A clock that the test moves, and accidents that strike at a point of the code."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from service.kernel.clock import Clock, micros

NOON = datetime(2031, 3, 4, 12, 0, tzinfo=UTC)


class ManualClock(Clock):
    """A clock that stands still until the test moves it."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = int(at.timestamp()) * 1_000_000
        self.meanwhile: Callable[[], None] = lambda: None
        """What goes on while time passes: a service that runs was swept all along."""

    def now(self, connection: sa.Connection | None = None) -> int:
        return self.at

    def counted(self) -> int:
        return self.at

    def advance(self, **span: float) -> None:
        self.at += micros(timedelta(**span))
        self.meanwhile()


class Died(BaseException):
    """As if the process had been killed here: nothing in the code under test catches it."""


def dying(point: str, number: int = 1, error: BaseException | None = None) -> Callable[[str], None]:
    """A fault that strikes when this point is reached for the n-th time, once."""
    reached: Counter[str] = Counter()

    def fault(name: str) -> None:
        reached[name] += 1
        if name == point and reached[name] == number:
            raise error or Died(point)

    return fault
