"""Leave as a line of a mail says it: from which day to which, or none (PLAY-BY-EMAIL, universal words)."""

import re
from datetime import date
from typing import Final

from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import say, typed
from service.languages.commands import AWAY

NONE: Final = f"{AWAY} none"
"""What takes back all leave that is still to come."""
_NONE: Final = frozenset({"none", "nothing", "withdraw"})
_DAY: Final = r"([0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}\.\s?[0-9]{1,2}\.\s?[0-9]{4})"
_BETWEEN: Final = r"(?:\s*-+>?\s*|\s+(?:(?:to|up|until|till|through|bis|au)\s+)?)"
"""A word for "up to" may have become an English one by then."""
_DAYS: Final = re.compile(rf"(?:from\s+|von\s+|du\s+)?{_DAY}{_BETWEEN}{_DAY}")


def leave_line(line: str, rest: str) -> str:
    """What stands after `away`, in canonical words: "away 2026-12-24 2027-01-02" or "away none".

    A day is year-month-day, or day.month.year with points: 3/4/2027 is two days, and nobody should guess which.
    Raises OrderNotUnderstood.
    """
    if rest in _NONE:
        return NONE
    found = _DAYS.fullmatch(rest)
    days = [_day(day) for day in found.groups()] if found else []
    if not days or None in days:
        example = say("{away} 2026-12-24 2027-01-02", away=typed(AWAY))
        message = say(
            "Write “{example}”, the first and the last day of leave; “{none}” to take leave back, or “{away}” alone.",
            example=example, none=say("{away} {none}", away=typed(AWAY), none=typed("none")), away=typed(AWAY),
        )  # fmt: skip
        raise OrderNotUnderstood("bad-syntax", "DESIGN-7", line, message)
    return f"{AWAY} {days[0]} {days[1]}"


def days_of(text: str) -> tuple[date, date] | None:
    """The days of a line in canonical words; None for one that takes leave back."""
    if text == NONE:
        return None
    _, first, last = text.split()
    return date.fromisoformat(first), date.fromisoformat(last)


def _day(text: str) -> date | None:
    parts = [int(part) for part in re.split(r"[-.]\s?", text)]
    year, month, day = parts if "-" in text else parts[::-1]
    try:
        return date(year, month, day)
    except ValueError:
        return None
