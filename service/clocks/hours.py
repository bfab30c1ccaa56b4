"""The hours in which a seat's clock runs: its days without their nights, weekends and leave (DESIGN 7, T-43, T-44).

Moments are microseconds since 1970 UTC, lengths microseconds of elapsed time; nothing here asks what time it is.
With quiet hours each day charges AWAKE from the seat's wake time on, on days of change, too: all seats get the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import count, groupby, pairwise
from typing import Final, Literal, NamedTuple

from service.kernel.clock import SECOND, moment, text
from service.kernel.zones import first_shown, zone

Why = Literal["night", "weekend", "leave"]

HOUR: Final = 3600 * SECOND
DAY: Final = 24 * HOUR
AWAKE: Final = 14 * HOUR
MINUTE: Final = 60 * SECOND
LAST_MINUTE: Final = 24 * 60 - 1
SATURDAY: Final = 5
LONGEST_SEARCH: Final = 3653 * DAY
WEEKENDS: Final = ("count", "skip")


@dataclass(frozen=True, slots=True)
class Pause:
    """A stretch in which the clock stood."""

    begins: int
    ends: int
    why: Why


class _Day(NamedTuple):
    """The part of a local day that it charges, or would if it were not off."""

    begins: int
    ends: int
    off: Why | None


@dataclass(frozen=True, slots=True)
class Hours:
    """When the clock of one seat runs. Raises ValueError for an unknown zone, wake time or leave out of order."""

    zone: str
    wakes: int | None = None  # minutes after local midnight; None: no quiet hours, whole days count
    skips_weekends: bool = False
    away: tuple[date, ...] = ()  # local days of leave, in order

    def __post_init__(self) -> None:
        zone(self.zone)
        if self.wakes is not None and not 0 <= self.wakes <= LAST_MINUTE:
            raise ValueError(f"{self.wakes} is no wake time: give the minutes after midnight, 0 to {LAST_MINUTE}.")
        if any(day >= following for day, following in pairwise(self.away)):
            raise ValueError("Leave lists each day once and in order.")

    @property
    def plain(self) -> bool:
        """Whether the clock never stands."""
        return self.wakes is None and not self.skips_weekends and not self.away

    def until(self, start: int, budget: int) -> int:
        """The moment at which `budget` has been charged since `start`; of nothing, the first at which the clock runs.

        What is used up at the end of a day is due then, not next morning. Raises ValueError for a budget below zero,
        and where ten years do not charge it.
        """
        if budget < 0:
            raise ValueError("A clock cannot be charged less than nothing.")
        if self.plain:
            return start + budget
        for day in self._days(start):
            if day.begins > start + LONGEST_SEARCH:
                break
            begins = max(start, day.begins)
            if day.off or day.ends <= begins:
                continue
            if budget <= day.ends - begins:
                return begins + budget
            budget -= day.ends - begins
        raise ValueError(f"In the ten years after {text(start)} this clock never runs that long: shorten the leave.")

    def charged(self, start: int, end: int) -> int:
        """How much is charged between two moments; nothing where the second is not the later."""
        if self.plain or end <= start:
            return max(0, end - start)
        running = (day for day in self._days_to(start, end) if not day.off)
        return sum(max(0, min(end, day.ends) - max(start, day.begins)) for day in running)

    def pauses(self, start: int, end: int) -> list[Pause]:
        """The stretches between two moments in which the clock stood, in order, neighbours of one reason as one.

        A day of leave on a weekend is leave. A night between two days off for one reason belongs to them.
        """
        pauses: list[Pause] = []
        for pause in () if self.plain else self._standing(start, end):
            begins, ends = max(start, pause.begins), min(end, pause.ends)
            if begins >= ends:
                continue
            if pauses and (pauses[-1].ends, pauses[-1].why) == (begins, pause.why):
                begins = pauses.pop().begins
            pauses.append(Pause(begins, ends, pause.why))
        return pauses

    def is_awake(self, at: int) -> bool:
        """Whether it is no night; weekends and leave do not matter here."""
        return self.awake_from(at) == at

    def awake_from(self, at: int) -> int:
        """This moment, or at night the next morning."""
        if self.wakes is None:
            return at
        return next(max(at, day.begins) for day in self._days(at) if day.ends > at)

    def awake_before(self, at: int) -> int:
        """This moment, or at night the end of the evening before."""
        if self.wakes is None:
            return at
        return max(min(at, day.ends) for day in self._days_to(at, at + 1))

    def mornings(self, at: int) -> Iterator[int]:
        """Yield when each local day begins to be charged, from one that began before this moment on."""
        return (day.begins for day in self._days(at))

    def text(self) -> str:
        """These hours on one line of ASCII, the same for the same hours, to lie beside a deadline (T-44)."""
        wakes = "-" if self.wakes is None else str(self.wakes)
        leave = ("/".join(str(day) for day in dict.fromkeys((run[0], run[-1]))) for run in _runs(self.away))
        return " ".join([self.zone, wakes, WEEKENDS[self.skips_weekends], *leave])

    @classmethod
    def read(cls, text: str) -> "Hours":
        """The hours of such a line. Raises ValueError for a line that `text` never writes."""
        try:
            name, wakes, weekends, *leave = text.split(" ")
            spans = [[date.fromisoformat(day).toordinal() for day in run.split("/")] for run in leave]
            away = tuple(date.fromordinal(day) for span in spans for day in range(span[0], span[-1] + 1))
            hours = cls(name, None if wakes == "-" else int(wakes), weekends == WEEKENDS[True], away)
        except ValueError as error:
            raise ValueError(f"{text!r} are no hours: write them as in Europe/Paris 480 skip 2026-12-24.") from error
        if hours.text() != text:
            raise ValueError(f"{text!r} are no hours: they are written {hours.text()!r}.")
        return hours

    def _days(self, at: int) -> Iterator[_Day]:
        """The days from one that began before this moment on, without end and without overlap."""
        away = {day.toordinal() for day in self.away}
        for day in count(moment(at).astimezone(zone(self.zone)).toordinal() - 2):
            midnight, next_midnight = first_shown(self.zone, day, 0), first_shown(self.zone, day + 1, 0)
            if midnight == next_midnight:  # skipped to cross the date line: Apia, 30 December 2011
                continue
            off: Why | None = "leave" if day in away else "weekend" if self._is_skipped(day) else None
            if self.wakes is None:
                yield _Day(midnight, next_midnight, off)
            else:
                # In Nuuk, a Saturday in March ends at 23:00. Who wakes later does so in its last minute, not on Sunday.
                begins = min(first_shown(self.zone, day, self.wakes), next_midnight - MINUTE)
                yield _Day(begins, begins + AWAKE, off)

    def _days_to(self, start: int, end: int) -> Iterator[_Day]:
        for day in self._days(start):
            if day.begins >= end:
                return
            yield day

    def _is_skipped(self, day: int) -> bool:
        return self.skips_weekends and date.fromordinal(day).weekday() >= SATURDAY

    def _standing(self, start: int, end: int) -> Iterator[Pause]:
        """The nights and the days off around two moments, in order."""
        for day, following in pairwise(self._days(start)):
            if day.begins >= end:
                return
            if day.off:
                yield Pause(day.begins, day.ends, day.off)
            same = day.off == following.off
            yield Pause(day.ends, following.begins, day.off if day.off and same else "night")


def scaled(duration: int, quiet: bool) -> int:
    """What a span of the calendar is when charged: with quiet hours AWAKE of every day, so 3 days are 42 hours."""
    return -(-duration * AWAKE // DAY) if quiet else duration


def _runs(days: Sequence[date]) -> Iterator[list[date]]:
    """Days in order, those that follow one another together."""
    for _, run in groupby(enumerate(days), key=lambda numbered: numbered[1].toordinal() - numbered[0]):
        yield [day for _, day in run]
