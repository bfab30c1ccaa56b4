"""The clock policy of a game, and what it makes of a decision that begins now (DESIGN 7)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any, Final

from config.durations import format_duration, parse_duration
from domain.decider import RuleViolation, require
from domain.sentences import Sentence, say
from service.clock import micros

LONGEST_MOVE_TIME: Final = timedelta(days=365)
MOST_REMINDERS: Final = 5
MOST_STRIKES: Final = 10
DEFAULTS: Final[Mapping[str, Any]] = {
    "per_move": "P3D",
    "grace": "PT10M",
    "reminders": ["P1D", "PT6H"],
    "on_timeout": "caretaker",
    "strikes": 2,
}
NEUTRAL: Final[Mapping[str, Any]] = {
    "bank": "PT0S",
    "increment": "PT0S",
    "weekends": "count",
    "quiet_hours": False,
    "leave_days": 0,
}
"""Fields of the policy that this version keeps at the value that does nothing."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy in microseconds."""

    per_move: int
    grace: int
    reminders: tuple[int, ...]  # before the deadline, the earliest first

    def due(self, began: int) -> int:
        """When an answer owed since `began` is due."""
        return began + self.per_move

    def next_reminder(self, due: int, now: int) -> int | None:
        """When to remind next of what is due then: the next rung still ahead."""
        return next((due - before for before in self.reminders if due - before > now), None)


def policy(clock: Mapping[str, Any]) -> Policy:
    """The policy a game was opened with."""
    return _parsed(json.dumps(clock, sort_keys=True))


@lru_cache(1024)
def _parsed(text: str) -> Policy:
    clock = json.loads(text)
    before = sorted((micros(parse_duration(one)) for one in clock["reminders"]), reverse=True)
    return Policy(micros(parse_duration(clock["per_move"])), micros(parse_duration(clock["grace"])), tuple(before))


def check_clock(given: Mapping[str, Any], least: timedelta) -> dict[str, Any]:
    """The complete policy object for what a host asked for, durations in one spelling.

    Raises RuleViolation: "bad-clock" for what no game can have, "clock-not-offered" for what this server cannot do.
    """
    for name, neutral in NEUTRAL.items():
        same = name not in given or given[name] == neutral or _is_zero(given[name], neutral)
        require(same, "clock-not-offered", "DESIGN-7", "“{name}” is not offered here: leave it out.", name=name)
    clock = {**DEFAULTS, **{name: value for name, value in given.items() if name in DEFAULTS}}
    per_move = _duration("per_move", clock["per_move"])
    if "reminders" not in given:
        clock["reminders"] = [one for one in clock["reminders"] if parse_duration(one) < per_move]
    if "grace" not in given:
        clock["grace"] = format_duration(min(parse_duration(clock["grace"]), per_move))
    reminders = [_duration("reminders", one) for one in clock["reminders"]]
    grace = _duration("grace", clock["grace"])
    shortest = format_duration(least)
    _require_clock(per_move >= least, say("“per_move” must be at least {shortest} here.", shortest=shortest))
    _require_clock(per_move <= LONGEST_MOVE_TIME, say("“per_move” must be at most P365D."))
    _require_clock(grace <= per_move, say("“grace” must not be longer than “per_move”."))
    _require_clock(
        len(set(reminders)) == len(reminders) <= MOST_REMINDERS, say("“reminders” takes up to five different times.")
    )
    _require_clock(
        all(timedelta(0) < one < per_move for one in reminders),
        say("A reminder must come after the move is asked for."),
    )
    _require_clock(clock["on_timeout"] == "caretaker", say("“on_timeout” is “caretaker” here."))
    _require_clock(1 <= clock["strikes"] <= MOST_STRIKES, say("“strikes” is a number from 1 to 10."))
    return {
        "per_move": format_duration(per_move),
        "grace": format_duration(grace),
        "reminders": [format_duration(one) for one in sorted(reminders, reverse=True)],
        "on_timeout": clock["on_timeout"],
        "strikes": clock["strikes"],
        **NEUTRAL,
    }


def _duration(name: str, text: str) -> timedelta:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise RuleViolation("bad-clock", "DESIGN-7", say("“{name}”: {reason}", name=name, reason=str(error))) from error


def _is_zero(given: Any, neutral: Any) -> bool:
    try:
        return neutral == "PT0S" and parse_duration(given) == timedelta(0)
    except (ValueError, TypeError):
        return False


def _require_clock(claim: bool, message: Sentence) -> None:
    require(claim, "bad-clock", "DESIGN-7", message)
