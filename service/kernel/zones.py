"""Time zones from the pinned `tzdata` package, and when a zone's clocks show a local time (T-43, T-44)."""

from bisect import bisect
from datetime import date, datetime, time
from functools import lru_cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

from service.kernel.clock import EPOCH, SECOND, micros, moment

SHOWN: Final = 40


@lru_cache(1024)
def zone(name: str) -> ZoneInfo:
    """The zone of an IANA name: Europe/Paris. `ZoneInfo(name)` would read the host's own files where it has them.

    Raises ValueError for a name the package does not know.
    """
    if name not in names():
        raise ValueError(f"{name[:SHOWN]!r} is no time zone: write one as in Europe/Paris or America/New_York.")
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


@lru_cache(8192)
def first_shown(name: str, day: int, minute: int) -> int:
    """The moment at which the clocks of a zone first show `minute` (after midnight) of `day` (an ordinal) or later.

    Where they skip that time it is the first moment after the gap, where they show it twice the first of the two.
    """
    where = zone(name)
    local = datetime.combine(date.fromordinal(day), time(*divmod(minute, 60)), where)
    first, second = (micros(local.replace(fold=fold) - EPOCH) for fold in (0, 1))
    if first <= second:
        return first

    def changed(at: int) -> bool:
        return moment(at).astimezone(where).utcoffset() != local.utcoffset()

    gap = range(second, first + SECOND, SECOND)  # PEP 495: in a gap the two lie on either side of the change
    return gap[bisect(gap, False, key=changed)]


@lru_cache(1)
def names() -> frozenset[str]:
    """Every zone there is."""
    return frozenset(files("tzdata").joinpath("zones").read_text("ascii").split())
