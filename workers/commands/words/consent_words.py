"""Going back and the clock as a line of a mail says it: `undo`, `undo ask`, `pause 7 days`, `extend P2D`."""

import re
from datetime import timedelta
from typing import Final

from config.durations import format_duration, parse_duration
from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import row, say, say_in, typed

UNDO: Final = "undo"
ASK: Final = say_in("command", "ask")
LASTING: Final = frozenset({"pause", "extend"})
"""Verbs that say for how long."""
VOTES: Final = frozenset({"agree", "refuse"})
BY_CONSENT: Final = frozenset({UNDO, "resume", *LASTING, *VOTES})
REASONS: Final = (
    say_in("command", "slip"),
    say_in("command", "misread"),
    say_in("command", "lapse"),
    say_in("command", "agreed"),
)
"""Why a game goes back, as it is typed."""
_FOR: Final = re.compile(r"(?:for|by|um|für|fur|fuer|pour|de|pendant)\s+")
_UNITS: Final[dict[str, int]] = {
    **dict.fromkeys("w week weeks woche wochen semaine semaines".split(), 7 * 86_400),
    **dict.fromkeys("d day days tag tage tagen jour jours".split(), 86_400),
    **dict.fromkeys("h hour hours stunde stunden heure heures std".split(), 3600),
}
"""Seconds by the words for them in every language: no word means two spans."""
_SPAN: Final = re.compile(r"([0-9]{1,4})\s*([a-z]+)")
_ONE: Final = re.compile(r"^(?:a|an|one|ein|eine|einen|un|une)\s+")


def lasting_line(line: str, verb: str, rest: str) -> str:
    """What stands after `pause` or `extend`, as a duration in ISO 8601: "pause P7D". Raises OrderNotUnderstood."""
    span = _duration(_FOR.sub("", rest, count=1))
    if span is None:
        days, iso = say("{verb} 7 days", verb=typed(verb)), say("{verb} P7D", verb=typed(verb))
        message = say("Say for how long: “{days}” or “{iso}”.", days=days, iso=iso)
        raise OrderNotUnderstood("bad-syntax", "DESIGN-7", line, message)
    return f"{verb} {format_duration(span)}"


def undo_line(line: str, rest: str) -> str:
    """What stands after `undo`, in canonical words: whether others are to be asked, and why. Raises
    OrderNotUnderstood."""
    words = rest.split()
    reason = words[-1] if words and words[-1] in REASONS else ""
    asks = [word for word in words if word != reason]
    if asks not in ([], [ASK]):
        message = say(
            "Write “{undo}”, or “{ask}” to ask those who must agree, with one of these words for why: {reasons}.",
            undo=typed(UNDO), ask=say("{undo} {ask}", undo=typed(UNDO), ask=ASK), reasons=row(REASONS, ", "),
        )  # fmt: skip
        raise OrderNotUnderstood("bad-syntax", "IN-12", line, message)
    return " ".join([UNDO, *asks, *([reason] if reason else [])])


def _duration(text: str) -> timedelta | None:
    try:
        return parse_duration(text.upper())
    except ValueError:
        pass
    counted = _ONE.sub("1 ", text)
    found = _SPAN.fullmatch(counted)
    if found is None or found[2] not in _UNITS:
        return None
    return timedelta(seconds=int(found[1]) * _UNITS[found[2]])
