"""Why a deadline is what it is: the story of one clock, step by step, as one reader reads it (DESIGN 7).

It is told from what was kept with the deadline, never worked out anew (T-44).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from domain.engine.sentences import Sentence, row, say
from service.clocks.hours import Pause, Why
from service.clocks.policy import Policy
from service.clocks.seat_clocks import hours_of, policy_seconds
from service.kernel.clock import SECOND
from service.languages.time_text import ReaderLocale, exact_words, hours_words
from service.store.clocks.decisions import Decision
from service.store.clocks.missed import Missed

FEW: Final = {"night": 2, "weekend": 3, "leave": 3}
"""So many stretches of one kind are told one by one; more are summed up."""
Change = Mapping[str, Any]
"""One thing that moved a deadline, as its row keeps it."""


class Step(NamedTuple):
    """One thing that made a deadline what it is: when, what kind of thing for programs, and in a sentence."""

    at: int
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Clock:
    """One clock to be explained: a decision that is owed, or a deadline that was missed, of somebody of this name."""

    row: Decision | Missed
    policy: Policy
    name: str
    locale: ReaderLocale
    kind: str  # the ruleset
    own: bool  # whether the reader is who owes it
    terms: Mapping[str, Any]  # the policy as the host wrote it
    now: int
    strikes: int = 0  # deadlines missed in a row before it
    until: int | None = None  # when a clock that stands runs on by itself

    @property
    def due(self) -> int | None:
        """When the answer is due; None while the clock stands."""
        return self.row.due_at

    @property
    def over(self) -> bool:
        """Whether it is one that passed."""
        return isinstance(self.row, Missed)

    @property
    def changes(self) -> list[dict[str, Any]]:
        """What has moved it, the oldest first."""
        return [json.loads(line) for line in self.row.changes.splitlines()]

    def span(self, charged: int) -> Sentence:
        """Time of the clock as its host measured it; where nights do not count, in hours of the clock, too."""
        if not self.policy.quiet_hours:
            return exact_words(charged // SECOND)
        days = exact_words(policy_seconds(charged, self.policy))
        return say("{time} ({hours} of the clock)", time=days, hours=hours_words(charged))


def steps(clock: Clock) -> list[Step]:
    """The steps from when the answer began to be owed to when it is due and what happens then."""
    began = clock.row.began_at
    asked = say("On {at} {name} was asked for an answer.", at=clock.locale.when(began), name=clock.name)
    told = [Step(began, "asked", asked), Step(began, "time", _allowance(clock))]
    between = sorted([*_stops(clock), *_changed(clock), *_bank(clock)], key=lambda step: step.at)
    return [*told, *between, *_end(clock)]


def stretches(clock: Clock) -> list[Pause]:
    """All that the clock stood for by its hours, in order, up to when the answer is due."""
    hours = hours_of(clock.row)
    return [pause for begins, ends in running(clock) for pause in hours.pauses(begins, ends)]


def running(clock: Clock) -> Iterator[tuple[int, int]]:
    """The stretches of time in which nobody had stopped the clock, up to when the answer is due."""
    turns = [change for change in clock.changes if change["what"] in ("paused", "resumed")]
    begins = None if turns and turns[0]["what"] == "resumed" else clock.row.began_at
    for turn in turns:
        if turn["what"] == "paused" and begins is not None:
            yield begins, turn["at"]
        begins = turn["at"] if turn["what"] == "resumed" else None
    if begins is not None and clock.due is not None:
        yield begins, clock.due


def _allowance(clock: Clock) -> Sentence:
    time, hours = clock.span(clock.policy.per_move), hours_of(clock.row)
    has = say("Each move has {time}.", time=time)
    if not clock.policy.quiet_hours:
        return has
    if not clock.own or hours.wakes is None:
        nights = say("Nights do not count: each day counts as fourteen hours.")
        return row([has, nights], " ")
    wakes = f"{hours.wakes // 60:02d}:{hours.wakes % 60:02d}"
    where = {"wakes": wakes, "zone": hours.zone}
    nights = say("Nights do not count: each day counts as fourteen hours, from {wakes} on in {zone}.", **where)
    return row([has, nights], " ")


def _stops(clock: Clock) -> Iterator[Step]:
    """Nights, weekends and leave on the way; many of one kind in one step.

    Told to who owes the answer alone: when they begin and end is where a player lives, and when they wake.
    """
    if not clock.own:
        return
    found = sorted(stretches(clock), key=lambda pause: (pause.why, pause.begins))
    for why, group in groupby(found, key=lambda pause: pause.why):
        pauses = list(group)
        if len(pauses) > FEW[why]:
            yield Step(pauses[0].begins, _CODES[why], _summed(clock.locale, why, pauses))
        else:
            yield from (Step(pause.begins, _CODES[why], _stopped(clock.locale, pause)) for pause in pauses)


_CODES: Final[Mapping[Why, str]] = {"night": "nights", "weekend": "weekend", "leave": "leave"}


def _stopped(locale: ReaderLocale, pause: Pause) -> Sentence:
    which = {"begins": locale.when(pause.begins), "ends": locale.when(pause.ends)}
    long = exact_words((pause.ends - pause.begins) // SECOND)
    match pause.why:
        case "night":
            return say("The night from {begins} to {ends} does not count: {long}.", **which, long=long)
        case "weekend":
            return say("The weekend from {begins} to {ends} does not count: {long}.", **which, long=long)
        case _:
            return say("The leave from {begins} to {ends} does not count: {long}.", **which, long=long)


def _summed(locale: ReaderLocale, why: Why, pauses: list[Pause]) -> Sentence:
    count, long = len(pauses), hours_words(sum(pause.ends - pause.begins for pause in pauses))
    which = {
        "count": count,
        "begins": locale.when(pauses[0].begins),
        "ends": locale.when(pauses[-1].ends),
        "long": long,
    }
    match why:
        case "night":
            return say("{count} nights between {begins} and {ends} do not count: {long} in all.", **which)
        case "weekend":
            return say("{count} weekends between {begins} and {ends} do not count: {long} in all.", **which)
        case _:
            return say("{count} stretches of leave between {begins} and {ends} do not count: {long} in all.", **which)


def _changed(clock: Clock) -> Iterator[Step]:
    """What has moved the deadline, each with before and after."""
    was: int | None = None
    for change in clock.changes:
        told = {"before": None, **change}
        if change["what"] == "paused":
            was = change.get("was")
        elif change["what"] == "resumed":
            told["before"] = was
        yield Step(change["at"], _CODE_OF.get(change["what"], change["what"]), _TOLD[change["what"]](clock, told))


_CODE_OF: Final = {"leave": "leave-announced"}


def _paused(clock: Clock, change: Change) -> Sentence:
    at, left = clock.locale.when(change["at"]), clock.span(change["left"])
    due = change.get("was")
    if due is not None and due <= change["at"] and change["left"]:
        return say(
            "The deadline of {due} passed without an answer, so on {at} the clock was stopped, to wait for {name}. "
            "When it runs on, {name} has {left} again.",
            due=clock.locale.when(due), at=at, name=clock.name, left=left,
        )  # fmt: skip
    if not clock.policy.bank:
        return say("On {at} the clock was stopped, with {left} left.", at=at, left=left)
    bank = clock.span(change["left_bank"])
    which = {"at": at, "left": left, "bank": bank}
    return say("On {at} the clock was stopped, with {left} of the move and {bank} of the bank left.", **which)


def _resumed(clock: Clock, change: Change) -> Sentence:
    at, due = clock.locale.when(change["at"]), clock.locale.when(change["due"])
    if change["before"] is None:
        return say("On {at} the clock ran again, and the answer was due by {due}.", at=at, due=due)
    return say(
        "On {at} the clock ran again, with what was left: before it was stopped the answer was due by "
        "{was}, from then on by {due}.",
        at=at, was=clock.locale.when(change["before"]), due=due,
    )  # fmt: skip


def _moved(clock: Clock, change: Change) -> Sentence:
    """From when to when a change moved the deadline."""
    if "due" not in change:
        return say("The deadline stayed where it was.")
    was, due = clock.locale.when(change["was"]), clock.locale.when(change["due"])
    return say("The deadline moved from {was} to {due}.", was=was, due=due)


def _extended(clock: Clock, change: Change) -> Sentence:
    at, more = clock.locale.when(change["at"]), exact_words(change["seconds"])
    if change.get("alone"):
        happened = say(
            "On {at} the operator of this service gave {name} {more} more.", at=at, name=clock.name, more=more
        )
    else:
        happened = say("On {at} everyone got {more} more.", at=at, more=more)
    return _then_moved(clock, happened, change)


def _credited(clock: Clock, change: Change) -> Sentence:
    which = {"since": clock.locale.when(change["since"]), "at": clock.locale.when(change["at"])}
    happened = say(
        "From {since} to {at} the service was down, or its clock was wrong: that time was given back.", **which
    )
    return _then_moved(clock, happened, change)


def _halted(clock: Clock, change: Change) -> Sentence:
    which = {"since": clock.locale.when(change["since"]), "at": clock.locale.when(change["at"])}
    happened = say(
        "From {since} to {at} this game was stopped, as its records did not verify: that time was given back.", **which
    )
    return _then_moved(clock, happened, change)


def _mended(clock: Clock, change: Change) -> Sentence:
    at = clock.locale.when(change["at"])
    return say(
        "On {at} the record of this clock was damaged and was made anew: {name} got the time of a move once more.",
        at=at, name=clock.name,
    )  # fmt: skip


def _leave(clock: Clock, change: Change) -> Sentence:
    at = clock.locale.when(change["at"])
    return _then_moved(clock, say("On {at} {name} had announced leave.", at=at, name=clock.name), change)


def _told_late(clock: Clock, change: Change) -> Sentence:
    happened = say(
        "The notice went out only when the deadline had passed, so on {at} {name} got the time of a move once more.",
        at=clock.locale.when(change["at"]), name=clock.name,
    )  # fmt: skip
    return _then_moved(clock, happened, change)


def _undelivered(clock: Clock, change: Change) -> Sentence:
    happened = say(
        "The notice could not be delivered, so on {at} {name} got the time of a move once more.",
        at=clock.locale.when(change["at"]), name=clock.name,
    )  # fmt: skip
    return _then_moved(clock, happened, change)


def _mending(clock: Clock, change: Change) -> Sentence:
    at, until = clock.locale.when(change["at"]), clock.locale.when(change["until"])
    if not clock.own:
        return say("On {at} the caretaker was told to wait until {until}.", at=at, until=until)
    return say(
        "A mail of {name} that was in time could not be used, so on {at} the caretaker was told to wait until {until}, "
        "for another one.",
        name=clock.name, at=at, until=until,
    )  # fmt: skip


def _taken_back(clock: Clock, change: Change) -> Sentence:
    if "left" in change:
        return say(
            "On {at} {name} undid what had been played while the clock was stopped: {left} are left, as if "
            "it had not been played.",
            at=clock.locale.when(change["at"]), name=clock.name, left=clock.span(change["left"] + change["left_bank"]),
        )  # fmt: skip
    return say(
        "On {at} {name} undid what had been played: the time for it runs on as if it had not been "
        "played, and the answer was due by {due}.",
        at=clock.locale.when(change["at"]), name=clock.name, due=clock.locale.when(change.get("due", clock.due or 0)),
    )  # fmt: skip


def _then_moved(clock: Clock, happened: Sentence, change: Change) -> Sentence:
    return row([happened, _moved(clock, change)], " ")


_TOLD: Final[Mapping[str, Callable[[Clock, Change], Sentence]]] = {
    "paused": _paused,
    "resumed": _resumed,
    "extended": _extended,
    "credited": _credited,
    "halted": _halted,
    "mended": _mended,
    "leave": _leave,
    "told-late": _told_late,
    "undelivered": _undelivered,
    "mending": _mending,
    "taken-back": _taken_back,
}


def _bank(clock: Clock) -> Iterator[Step]:
    """When the time of the move is used up and the bank begins to be."""
    begins = clock.row.bank_from
    if begins is None or clock.due is None:
        return
    left = hours_of(clock.row).charged(begins, clock.due)
    if not left:
        yield Step(begins, "bank", say("The bank is empty: it adds nothing to the time of the move."))
        return
    used = say("On {at} the time of the move is used up; from then on the bank is used.", at=clock.locale.when(begins))
    bank = clock.span(left)
    there = say("It holds {bank}.", bank=bank) if begins > clock.now else say("It held {bank} then.", bank=bank)
    yield Step(begins, "bank", row([used, there], " "))


def _end(clock: Clock) -> Iterator[Step]:
    """When the answer is due, and what happens then."""
    if clock.due is None:
        yield Step(clock.now, "stopped", _standing(clock))
        return
    due, acts, locale = clock.due, clock.row.acts_at or clock.due, clock.locale
    if clock.over:
        yield Step(due, "due", say("So the answer was due by {due}.", due=locale.when(due)))
    else:
        yield Step(due, "due", say("So the answer is due by {due}.", due=locale.when(due)))
    if acts > due:
        late = {"acts": locale.when(acts), "grace": exact_words((acts - due) // SECOND)}
        counts = say("One that comes in by {acts} still counts: {grace} for mail that is under way.", **late)
        yield Step(acts, "grace", counts)
    if not clock.over:
        yield Step(acts, "then", _then(clock))


def _then(clock: Clock) -> Sentence:
    """What happens where no answer comes."""
    number, most, name = clock.strikes + 1, clock.terms.get("strikes", 2), clock.name
    if number >= most:
        return say(
            "If none comes, the caretaker plays the smallest legal move for {name}, whose seat falls vacant: that "
            "would be deadline number {number} in a row.",
            name=name, number=number,
        )  # fmt: skip
    if clock.terms.get("on_timeout") == "pause":
        return say(
            "If none comes, the clock is stopped to wait for {name}: that would be deadline number {number} in a row; "
            "with number {most} the seat falls vacant.",
            name=name, number=number, most=most,
        )  # fmt: skip
    return say(
        "If none comes, the caretaker plays the smallest legal move for {name}: that would be deadline number {number} "
        "in a row; with number {most} the seat falls vacant.",
        name=name, number=number, most=most,
    )  # fmt: skip


def _standing(clock: Clock) -> Sentence:
    assert isinstance(clock.row, Decision), "a deadline that passed was one of a clock that ran"
    left, bank = clock.span(clock.row.left or 0), clock.span(clock.row.left_bank or 0)
    what = (
        say("The clock is stopped, with {left} of the move and {bank} of the bank left.", left=left, bank=bank)
        if clock.policy.bank
        else say("The clock is stopped, with {left} left.", left=left)
    )
    if clock.until is None:
        return row([what, say("Nothing is due before it runs on.")], " ")
    return row([what, say("It runs on at the latest on {until}.", until=clock.locale.when(clock.until))], " ")
