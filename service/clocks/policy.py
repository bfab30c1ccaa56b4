"""The clock policy of a game, as its host chose it (DESIGN 7)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any, Final

from config.durations import format_duration, parse_duration
from domain.engine.refusals import RuleViolation, require
from domain.engine.sentences import Sentence, say
from service.clocks.hours import DAY, HOUR, WEEKENDS, scaled
from service.kernel.clock import micros

LONGEST_MOVE_TIME: Final = timedelta(days=365)
LONGEST_BANK: Final = timedelta(days=60)
MOST_LEAVE: Final = 60
EARLIER: Final = DAY // 2
"""How much earlier a reminder may come than it is set for: more than any night lasts."""
REMIND_AGAIN: Final = HOUR
"""When a game that could not be opened is looked at again; a reminder that was due longer before a look is not made up
for: when the clock last began to run it had passed."""
MOST_REMINDERS: Final = 5
MOST_STRIKES: Final = 10
ON_TIMEOUT: Final = ("caretaker", "pause")
DEFAULTS: Final[Mapping[str, Any]] = {
    "per_move": "P3D",
    "bank": "PT0S",
    "increment": "PT0S",
    "weekends": "count",
    "quiet_hours": False,
    "leave_days": 0,
    "grace": "PT10M",
    "reminders": ["P1D", "PT6H"],
    "on_timeout": "caretaker",
    "strikes": 2,
}


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy in microseconds: per move, bank and increment in charged ones (`service.clocks.hours.scaled`)."""

    per_move: int
    bank: int
    increment: int
    grace: int
    reminders: tuple[int, ...]  # before the deadline, the earliest first
    quiet_hours: bool
    skips_weekends: bool
    leave_days: int

    @property
    def plain(self) -> bool:
        """Whether every hour counts alike for everybody."""
        return not (self.quiet_hours or self.skips_weekends or self.leave_days)

    def rungs(self, due: int, bank_from: int | None = None) -> dict[int, int]:
        """When to remind of what is due then, by number; the last of them also before the bank begins to be used."""
        rungs = {rung: due - before for rung, before in enumerate(self.reminders, 1)}
        if rungs and bank_from is not None and bank_from < due:
            rungs[len(rungs) + 1] = bank_from - self.reminders[-1]
        return rungs

    def next_reminder(self, due: int, now: int, bank_from: int | None = None) -> int | None:
        """When to remind next of what is due then: the next rung still ahead."""
        return min((at for at in self.rungs(due, bank_from).values() if at > now), default=None)

    def next_look(self, due: int, now: int, bank_from: int | None = None) -> int | None:
        """When to look whether to remind: the next rung may come the evening before."""
        rung = self.next_reminder(due, now, bank_from)
        return None if rung is None else max(now, rung - EARLIER)


def policy(clock: Mapping[str, Any]) -> Policy:
    """The policy a game was opened with."""
    return _parse(json.dumps(clock, sort_keys=True))


@lru_cache(1024)
def _parse(text: str) -> Policy:
    clock = {**DEFAULTS, **json.loads(text)}
    quiet = bool(clock["quiet_hours"])
    charged = {name: scaled(micros(parse_duration(clock[name])), quiet) for name in ("per_move", "bank", "increment")}
    return Policy(
        **charged,
        grace=micros(parse_duration(clock["grace"])),
        reminders=tuple(sorted((micros(parse_duration(reminder)) for reminder in clock["reminders"]), reverse=True)),
        quiet_hours=quiet,
        skips_weekends=clock["weekends"] == "skip",
        leave_days=clock["leave_days"],
    )


def check_clock(given: Mapping[str, Any], least: timedelta) -> dict[str, Any]:
    """The complete policy object for what a host asked for, durations in one spelling.

    Raises RuleViolation "bad-clock" for what no game can have.
    """
    clock = {**DEFAULTS, **given}
    per_move = _duration("per_move", clock["per_move"])
    if "reminders" not in given:
        clock["reminders"] = [reminder for reminder in clock["reminders"] if parse_duration(reminder) < per_move]
    if "grace" not in given:
        clock["grace"] = format_duration(min(parse_duration(clock["grace"]), per_move))
    reminders = [_duration("reminders", reminder) for reminder in clock["reminders"]]
    grace, bank = _duration("grace", clock["grace"]), _duration("bank", clock["bank"])
    increment = _duration("increment", clock["increment"])
    shortest = format_duration(least)
    _require_clock(per_move >= least, say("“per_move” must be at least {shortest} here.", shortest=shortest))
    _require_clock(per_move <= LONGEST_MOVE_TIME, say("“per_move” must be at most P365D."))
    _require_clock(bank <= LONGEST_BANK, say("“bank” must be at most P60D."))
    _require_clock(increment <= bank, say("“increment” fills the bank, so it must not be longer than “bank”."))
    _require_clock(grace <= per_move, say("“grace” must not be longer than “per_move”."))
    _require_clock(
        len(set(reminders)) == len(reminders) <= MOST_REMINDERS, say("“reminders” takes up to five different times.")
    )
    _require_clock(
        all(timedelta(0) < reminder < per_move + bank for reminder in reminders),
        say("A reminder must come after the move is asked for."),
    )
    _require_clock(clock["weekends"] in WEEKENDS, say("“weekends” is “count” or “skip”."))
    _require_clock(clock["on_timeout"] in ON_TIMEOUT, say("“on_timeout” is “caretaker” or “pause”."))
    _require_clock(0 <= clock["leave_days"] <= MOST_LEAVE, say("“leave_days” is a number from 0 to 60."))
    _require_clock(1 <= clock["strikes"] <= MOST_STRIKES, say("“strikes” is a number from 1 to 10."))
    return {
        **{name: clock[name] for name in DEFAULTS},
        "per_move": format_duration(per_move),
        "bank": format_duration(bank),
        "increment": format_duration(increment),
        "grace": format_duration(grace),
        "reminders": [format_duration(reminder) for reminder in sorted(reminders, reverse=True)],
    }


def _duration(name: str, text: str) -> timedelta:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise RuleViolation("bad-clock", "DESIGN-7", say("“{name}”: {reason}", name=name, reason=str(error))) from error


def _require_clock(claim: bool, message: Sentence) -> None:
    require(claim, "bad-clock", "DESIGN-7", message)
