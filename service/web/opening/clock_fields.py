"""The clock of a table as fields of a form: a preset, or values of one's own (DESIGN 7)."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

from config.durations import format_duration, parse_duration
from domain.engine.sentences import Sentence, say
from service.clocks.policy import DEFAULTS, LONGEST_BANK, LONGEST_MOVE_TIME, MOST_LEAVE, MOST_STRIKES
from service.clocks.presets import PRESETS, STANDARD
from service.languages.time_text import exact_words

OWN: Final = "own"
UNITS: Final = {"minutes": timedelta(minutes=1), "hours": timedelta(hours=1), "days": timedelta(days=1)}
LENGTHS: Final = {"per_move": "days", "bank": "days", "increment": "hours", "grace": "minutes"}
"""Fields with a number and a unit, and the unit that stands there first."""
Faults = dict[str, Sentence | str]
Filled = dict[str, str]
WHOLE: Final = say("Write a whole number, in digits.")


def filled_of(clock: Mapping[str, Any]) -> Filled:
    """The fields that would say this clock."""
    whole = {**DEFAULTS, **clock}
    found: Filled = {"reminders": ", ".join(_in_hours(reminder) for reminder in whole["reminders"])}
    for name in LENGTHS:
        found |= _length(name, parse_duration(whole[name]))
    found |= {name: str(whole[name]) for name in ("leave_days", "strikes", "on_timeout")}
    found |= {name: "yes" for name, on in (("weekends", "skip"), ("quiet_hours", True)) if whole[name] == on}
    return found


def read_clock(filled: Filled, least: timedelta) -> tuple[dict[str, Any], Faults]:
    """The clock that the fields say, as the API takes it, and what is wrong with them."""
    chosen = filled.get("pace", STANDARD)
    if chosen in PRESETS:
        return dict(PRESETS[chosen].clock), {}
    faults: Faults = {}
    lengths = {name: _read_length(name, filled, faults) for name in LENGTHS}
    leave, strikes = (_read_number(name, filled, faults) for name in ("leave_days", "strikes"))
    reminders = list(_read_reminders(filled.get("reminders", ""), faults))
    if not faults:
        faults = dict(_out_of_range(lengths, leave, strikes, least))
    clock = {name: format_duration(length) for name, length in lengths.items()}
    return clock | {
        "reminders": reminders,
        "leave_days": leave,
        "strikes": strikes,
        "weekends": "skip" if "weekends" in filled else "count",
        "quiet_hours": "quiet_hours" in filled,
        "on_timeout": "pause" if filled.get("on_timeout") == "pause" else "caretaker",
    }, faults


def _out_of_range(
    lengths: Mapping[str, timedelta], leave: int, strikes: int, least: timedelta
) -> Iterator[tuple[str, Sentence]]:
    """What no game can have, at its field; `check_clock` holds the same limits."""
    per_move, bank = lengths["per_move"], lengths["bank"]
    shortest = exact_words(least // timedelta(seconds=1))
    if not least <= per_move <= LONGEST_MOVE_TIME:
        yield "per_move", say("A move has at least {shortest} and at most 365 days.", shortest=shortest)
    if bank > LONGEST_BANK:
        yield "bank", say("A bank has at most 60 days.")
    if lengths["increment"] > bank:
        yield "increment", say("It fills the bank again, so it must not be longer than that.")
    if lengths["grace"] > per_move:
        yield "grace", say("It must not be longer than the time for a move.")
    if leave > MOST_LEAVE:
        yield "leave_days", say("Write a number from 0 to {most}.", most=MOST_LEAVE)
    if not 1 <= strikes <= MOST_STRIKES:
        yield "strikes", say("Write a number from 1 to {most}.", most=MOST_STRIKES)


def _length(name: str, length: timedelta) -> Filled:
    """A length in the largest unit that it is whole in, or in that of its field for nothing."""
    unit = next((unit for unit in ("days", "hours") if length and not length % UNITS[unit]), "")
    unit = unit or (LENGTHS[name] if not length else "minutes")
    return {name: str(length // UNITS[unit]), f"{name}_unit": unit}


def _in_hours(reminder: str) -> str:
    return f"{parse_duration(reminder) / UNITS['hours']:g}"


def _read_length(name: str, filled: Filled, faults: Faults) -> timedelta:
    unit = filled.get(f"{name}_unit", "")
    return _read_number(name, filled, faults) * UNITS.get(unit, UNITS[LENGTHS[name]])


def _read_number(name: str, filled: Filled, faults: Faults) -> int:
    text = filled.get(name, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        faults[name] = WHOLE
        return 0
    return int(text)


def _read_reminders(text: str, faults: Faults) -> Iterator[str]:
    """Hours before the deadline, between commas or blanks."""
    for word in text.replace(",", " ").replace(";", " ").split():
        if not (word.isascii() and word.isdigit() and len(word) <= 4):
            faults["reminders"] = say("Write whole hours before the deadline, such as “24, 6”.")
            return
        yield format_duration(int(word) * UNITS["hours"])
