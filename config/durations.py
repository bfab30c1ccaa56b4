"""ISO 8601 durations as `timedelta`: whole weeks, days, hours, minutes and seconds.

Years and months have no fixed length and are refused, as are signs and fractions.
"""

import re
from datetime import timedelta
from typing import Final

_UNITS: Final = ("weeks", "days", "hours", "minutes", "seconds")
_DATE: Final = r"(?:(?P<weeks>[0-9]{1,9})W)?(?:(?P<days>[0-9]{1,9})D)?"
_TIME: Final = r"(?:(?P<hours>[0-9]{1,9})H)?(?:(?P<minutes>[0-9]{1,9})M)?(?:(?P<seconds>[0-9]{1,9})S)?"
_DURATION: Final = re.compile(rf"P(?!$){_DATE}(?:T(?=[0-9]){_TIME})?")


def parse_duration(text: str) -> timedelta:
    """Return the length `text` writes, as in `P3D`, `PT12H` or `P1DT30M`. Raises ValueError with one sentence."""
    match = _DURATION.fullmatch(text)
    if not match:
        shown = text if len(text) <= 40 else f"{text[:40]}…"
        raise ValueError(
            f"{shown!r} is no duration: write whole weeks, days, hours, minutes or seconds, as in P3D or P1DT30M."
        )
    try:
        return timedelta(**{unit: int(match[unit] or 0) for unit in _UNITS})
    except OverflowError:
        raise ValueError(f"{text!r} is longer than any game: write at most {timedelta.max.days} days.") from None


def format_duration(length: timedelta) -> str:
    """Write `length` in its shortest form without weeks: 7 days are `P7D`. Raises ValueError below zero or a second."""
    if length < timedelta(0) or length.microseconds:
        raise ValueError(f"{length} cannot be written: a duration is zero or more whole seconds.")
    minutes, seconds = divmod(length.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    days = f"{length.days}D" if length.days else ""
    time = "".join(f"{n}{unit}" for n, unit in ((hours, "H"), (minutes, "M"), (seconds, "S")) if n)
    return f"P{days}T{time}" if time else f"P{days or 'T0S'}"
