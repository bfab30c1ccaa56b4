"""The clock policy of a game in sentences (DESIGN 7)."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from config.durations import parse_duration
from domain.engine.sentences import Sentence, say
from service.clocks.policy import DEFAULTS, policy
from service.languages.time_text import days_words, exact_words


def terms(clock: Mapping[str, Any]) -> list[Sentence]:
    """Say the terms that the host of a game chose."""
    chosen, kept = {**DEFAULTS, **clock}, policy(clock)
    time = {name: _spelt(chosen[name]) for name in ("per_move", "bank", "increment")}
    lines = [say("Each move has {time}.", time=time["per_move"])]
    if kept.bank:
        lines.append(
            say("When that is used up, you can draw on a bank of {bank} for the whole game.", bank=time["bank"])
        )
    if kept.increment:
        lines.append(say("Each answer adds {more} to the bank, until it is full again.", more=time["increment"]))
    if kept.quiet_hours:
        lines.append(say("Nights do not count: each day counts as fourteen hours, from when each player wakes."))
    if kept.skips_weekends:
        lines.append(say("Saturdays and Sundays do not count, as each player's own calendar has them."))
    if kept.leave_days:
        days = days_words(kept.leave_days)
        lines.append(say("Leave that is announced ahead does not count, up to {days} for each player.", days=days))
    return lines


def _spelt(duration: str) -> Sentence:
    return exact_words(parse_duration(duration) // timedelta(seconds=1))
