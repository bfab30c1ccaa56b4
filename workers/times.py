"""Deadlines and time spans in a reader's zone and language."""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_datetime

from domain.sentences import Sentence, row, say, say_n
from service.clock import SECOND, moment

SPANS: Final = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


def due_words(due: int, timezone: str, language: str = "en") -> str:
    """A deadline in the reader's zone and in UTC: Tue 24 Nov 2026 18:00 CET (17:00 UTC)."""
    utc = moment(due)
    here = utc.astimezone(ZoneInfo(timezone))
    if timezone == "UTC":
        return f"{_day(utc, language, year=True)} {utc:%H:%M} UTC"
    day = "" if here.date() == utc.date() else f"{_day(utc, language)} "
    return f"{_day(here, language, year=True)} {here:%H:%M %Z} ({day}{utc:%H:%M} UTC)"


def utc_words(at: int) -> str:
    """A moment to the second, in UTC: 24 Nov 2026 17:00:03."""
    return f"{moment(at):%d %b %Y %H:%M:%S}"


def left_words(left: int) -> Sentence:
    """A time span in its largest units: 2 days 3 hours, 6 hours, 10 minutes, 5 seconds."""
    seconds = max(0, round(left / SECOND))
    parts: list[Sentence] = []
    for unit, size in SPANS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(_counted(unit, count))
    return row(parts[:2], " ") if parts else say("no time")


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


def _day(at: datetime, language: str, *, year: bool = False) -> str:
    if language == "en":
        return f"{at:%a %d %b %Y}" if year else f"{at:%a %d %b}"
    return format_datetime(at, "EEE d MMM y" if year else "EEE d MMM", locale=language)
