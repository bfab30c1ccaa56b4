"""Deadlines and time spans in a reader's zone and language."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Final

from domain.engine.sentences import Sentence, Words, row, say, say_n
from service.kernel.clock import SECOND, moment
from service.kernel.late import late
from service.kernel.zones import zone

if TYPE_CHECKING:
    from babel import dates
else:
    dates = late("babel.dates")

BEFORE_TIME: Final = {"de": ", ", "fr": " à "}
"""What stands between a day and a time; in English a blank."""
SPANS: Final = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


@dataclass(frozen=True, slots=True)
class ReaderLocale:
    """The time zone and language of a reader, and the function that says a text in that language."""

    timezone: str
    language: str
    words: Words
    seconds: bool = False  # whether moments are told to the second

    def when(self, at: int) -> str:
        """A moment as they read it."""
        return due_words(at, self.timezone, self.language, seconds=self.seconds)

    def brief(self, at: int) -> str:
        """A moment as they read it, without year and zone: Thu 26 Nov 18:00."""
        here = moment(at).astimezone(zone(self.timezone))
        return f"{_day(here, self.language)}{BEFORE_TIME.get(self.language, ' ')}{here:%H:%M}"

    def month(self, month: str) -> str:
        """A month, as 2026-11, as they read it: November 2026."""
        return dates.format_date(date.fromisoformat(f"{month}-01"), "LLLL y", locale=self.language)

    def day(self, day: date) -> str:
        """A day as they read it: Thu 24 Dec 2026."""
        return _day(day, self.language, year=True)


def due_words(due: int, timezone: str, language: str = "en", *, seconds: bool = False) -> str:
    """A deadline in the reader's zone and in UTC: Tue 24 Nov 2026 18:00 CET (17:00 UTC)."""
    utc = moment(due)
    here = utc.astimezone(zone(timezone))
    time = "%H:%M:%S" if seconds else "%H:%M"
    before_time = BEFORE_TIME.get(language, " ")
    if timezone == "UTC":
        return f"{_day(utc, language, year=True)}{before_time}{utc:{time}} UTC"
    day = "" if here.date() == utc.date() else f"{_day(utc, language)}{before_time}"
    return f"{_day(here, language, year=True)}{before_time}{here:{time} %Z} ({day}{utc:{time}} UTC)"


def utc_words(at: int, language: str = "en") -> str:
    """A moment to the second, in UTC: 24 Nov 2026 17:00:03."""
    if language == "en":
        return f"{moment(at):%d %b %Y %H:%M:%S}"
    return f"{_formatted(moment(at), language, 'd MMM y')}{BEFORE_TIME.get(language, ' ')}{moment(at):%H:%M:%S}"


def left_words(left: int) -> Sentence:
    """A time span in its largest units: 2 days 3 hours, 6 hours, 10 minutes, 5 seconds."""
    return _spans(left, SPANS)


def hours_words(charged: int) -> Sentence:
    """The time that a clock has charged, in hours, as a day is not one of its units: 42 hours, 3 hours 30 minutes."""
    return _spans(charged, SPANS[1:], len(SPANS))


def exact_words(seconds: int) -> Sentence:
    """A time span in all its units: 1 day 2 hours 30 minutes."""
    return _spans(seconds * SECOND, SPANS, len(SPANS))


def days_words(count: int) -> Sentence:
    """So many days."""
    return _counted("day", count)


def _spans(length: int, spans: tuple[tuple[str, int], ...], most: int = 2) -> Sentence:
    seconds = max(0, round(length / SECOND))
    parts: list[Sentence] = []
    for unit, size in spans:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(_counted(unit, count))
    return row(parts[:most], " ") if parts else say("no time")


def _counted(unit: str, count: int) -> Sentence:
    match unit:
        case "day":
            return say_n("{count} day", "{count} days", count)
        case "hour":
            return say_n("{count} hour", "{count} hours", count)
        case "minute":
            return say_n("{count} minute", "{count} minutes", count)
        case _:
            return say_n("{count} second", "{count} seconds", count)


def _day(at: date | datetime, language: str, *, year: bool = False) -> str:
    if language == "en":
        return f"{at:%a %d %b %Y}" if year else f"{at:%a %d %b}"
    return _formatted(at, language, "EEE d MMM y" if year else "EEE d MMM")


def _formatted(at: date | datetime, language: str, pattern: str) -> str:
    """A day by a pattern of CLDR: in German its number has a point and its name a comma, in French the first is 1er."""
    if language == "de":
        pattern = pattern.replace("EEE d", "EEE, d").replace("d MMM", "d. MMM")
    if language == "fr" and at.day == 1:
        pattern = pattern.replace("d MMM", "d'er' MMM")
    return dates.format_date(at, pattern, locale=language)
