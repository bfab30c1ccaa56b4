"""Charged time reckoned naively, minute by minute: what `service.clocks.hours` is checked against, and shares no code with.

A day charges from the minute its clock first shows the wake time on, for fourteen hours; or all of it, where there are
no quiet hours. All zones here differ from UTC by whole minutes.
"""

from bisect import bisect_left
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import accumulate
from typing import Final
from zoneinfo import ZoneInfo

MINUTE: Final = 60_000_000
AWAKE: Final = 14 * 60
EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


@lru_cache(16)
def local_minutes(zone: str, first: int, minutes: int) -> list[tuple[date, int]]:
    """What the clocks of a zone show in each minute: the day, and the minutes after midnight."""
    shown = []
    where = ZoneInfo(zone)
    for minute in range(first, first + minutes):
        at = (EPOCH + timedelta(minutes=minute)).astimezone(where)
        shown.append((at.date(), at.hour * 60 + at.minute))
    return shown


class Calendar:
    """Which minutes of a stretch of time charge a clock. Moments in microseconds."""

    def __init__(
        self, first: int, last: int, zone: str, wakes: int | None, *, weekends: bool, away: Iterable[date] = ()
    ) -> None:
        self.first = first // MINUTE
        minutes = last // MINUTE - self.first
        shown, off = local_minutes(zone, self.first, minutes), set(away)

        def is_off(day: date) -> bool:
            return day in off or (weekends and day.weekday() >= 5)

        if wakes is None:
            charges = [not is_off(day) for day, _ in shown]
        else:
            charges = [False] * minutes
            began: set[date] = set()
            for number, (day, minute) in enumerate(shown):
                if minute >= wakes and day not in began:
                    began.add(day)
                    if number == 0:
                        continue  # it began before this calendar does
                    end = min(minutes, number + AWAKE)
                    charges[number:end] = [not is_off(day)] * (end - number)
        self.charges = charges
        self.sums = [0, *accumulate(charges)]

    def charged(self, start: int, end: int) -> int:
        """How much is charged between two moments."""
        return max(0, self._upto(end) - self._upto(start))

    def until(self, start: int, budget: int) -> int:
        """When so much has been charged since `start`; of nothing, when the clock runs first."""
        if budget == 0:
            number = start // MINUTE - self.first
            while not self.charges[number]:
                number += 1
            return max(start, (self.first + number) * MINUTE)
        target = self._upto(start) + budget
        number = bisect_left(self.sums, -(-target // MINUTE))  # the first minute by whose end it is charged
        return (self.first + number - 1) * MINUTE + target - self.sums[number - 1] * MINUTE

    def _upto(self, at: int) -> int:
        number = at // MINUTE - self.first
        rest = (at % MINUTE) if self.charges[number] else 0
        return self.sums[number] * MINUTE + rest


class Always:
    """Every minute counts."""

    @staticmethod
    def charged(start: int, end: int) -> int:
        return max(0, end - start)

    @staticmethod
    def until(start: int, budget: int) -> int:
        return start + budget
