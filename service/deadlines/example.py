"""A clock reckoned out before anybody is asked: until when one would have, and what would come on the way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from config.durations import parse_duration
from domain.engine.sentences import Sentence, row, say
from service.clocks.hours import Hours
from service.clocks.policy import DEFAULTS, Policy, policy
from service.clocks.seat_clocks import shown_for
from service.kernel.clock import moment
from service.kernel.zones import first_shown, zone
from service.languages.time_text import ReaderLocale, exact_words
from service.notify.quiet_hours import reminder_at, waking

EVENING: Final = 18 * 60
MONDAY, FRIDAY = 0, 4


@dataclass(frozen=True, slots=True)
class Home:
    """The zone somebody lives in, and when they wake: minutes after midnight."""

    zone: str
    wakes: int


def example(clock: Mapping[str, Any], home: Home, locale: ReaderLocale, now: int) -> list[Sentence]:
    """Say what a checked clock would mean for somebody who is asked on a Monday evening.

    If weekends do not count, it is the evening before a weekend.
    """
    kept = policy(clock)
    hours = Hours(home.zone, home.wakes if kept.quiet_hours else None, kept.skips_weekends)
    asked = _evening(home.zone, FRIDAY if kept.skips_weekends else MONDAY, now)
    return list(_sentences({**DEFAULTS, **clock}, kept, (hours, waking(home.zone, home.wakes)), asked, locale))


def _sentences(
    clock: Mapping[str, Any], kept: Policy, charged_and_awake: tuple[Hours, Hours], asked: int, locale: ReaderLocale
) -> Iterator[Sentence]:
    hours, awake = charged_and_awake
    shown = shown_for(hours, asked, kept.per_move, kept.bank)
    which = {"asked": locale.brief(asked), "due": locale.brief(shown.bank_from)}
    yield say("Asked on {asked}, you would have until {due}.", **which)
    if kept.bank:
        yield say("With all of your bank you would have until {due}.", due=locale.brief(shown.due))
    rungs = kept.rungs(shown.due, shown.bank_from if kept.bank else None)
    ahead = sorted({reminder_at(awake, asked, shown.due, at, asked) for at in rungs.values() if at > asked})
    reminders = [locale.brief(at) for at in ahead]
    if reminders:
        yield say("If you had not answered by then, we would remind you: {times}.", times=row(reminders, "; "))
    if clock["on_timeout"] == "pause":
        yield say("If you let that pass, the game would wait for you.")
        return
    late = exact_words(parse_duration(clock["grace"]) // timedelta(seconds=1))
    yield say(
        "If you let that pass, the caretaker would play for you {late} later; missing {most} in a row, you would lose "
        "your seat to whoever takes it over.",
        late=late, most=clock["strikes"],
    )  # fmt: skip


def _evening(home: str, weekday: int, now: int) -> int:
    """Return six in the evening of the next day of this weekday."""
    today = moment(now).astimezone(zone(home)).date()
    ahead = (weekday - today.weekday() - 1) % 7 + 1
    return first_shown(home, today.toordinal() + ahead, EVENING)
