"""Nights: when a player is not written to without need, and where what would come then goes instead (RATE-07).

Moments are microseconds since 1970 UTC; nothing here asks what time it is.
"""

from typing import Final

from service.clocks.hours import HOUR, Hours
from service.kernel.clock import SECOND

LAST_CALL: Final = 900 * SECOND
"""How long before a night the last mail is made: it is to arrive in the evening."""
USEFUL: Final = HOUR
"""How long before a deadline a reminder must come to be of use in the morning."""


def waking(timezone: str, wakes_at: int) -> Hours:
    """The fourteen hours of each day in which a player is written to; those of UTC for a zone that was known once."""
    try:
        return Hours(timezone, wakes_at)
    except ValueError:
        return Hours("UTC", wakes_at)


def evening(hours: Hours, at: int) -> int:
    """This moment, or where it lies in the night or just before it, the last call of that evening."""
    awake = hours.awake_before(at)
    return hours.awake_before(awake + LAST_CALL) - LAST_CALL


def reminder_at(hours: Hours, began: int, due: int, at: int, now: int) -> int:
    """When to remind of what is owed since `began`, if it were to be at `at` by day: then, or now where that is past.

    At night it is the evening before; where that is past, or no time was left since `began`, the next morning if that
    is of use, else the middle of the night.
    """
    wanted = evening(hours, at)
    soonest = max(wanted if wanted > began else at, now)
    morning = hours.awake_from(soonest)
    return morning if morning <= due - USEFUL else soonest


def three_quarters(began: int, due: int) -> int:
    """Until when mail about what is owed since then may wait: a quarter of the time is left for the answer."""
    return due - (due - began) // 4
