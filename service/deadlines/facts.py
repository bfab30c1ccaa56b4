"""Explain one deadline by facts of the history, a sentence each, in the language of a reader.

Nights, weekends and leave are told to their player alone, of a deadline that still runs (DESIGN 7).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from domain.engine.game import Seat
from domain.engine.sentences import Sentence, row, say
from domain.table import events as e
from domain.table.clock import Question, Told
from service.clocks.hours import Pause, Why, scaled
from service.clocks.policy import Policy
from service.clocks.seat_clocks import hours_of, policy_seconds
from service.kernel.clock import SECOND, from_text
from service.languages.time_text import ReaderLocale, exact_words, hours_words
from service.store.clocks.decisions import Decision
from service.store.clocks.outages import Outage

FEW: Final = {"night": 2, "weekend": 3, "leave": 3}
"""So many stretches of one kind are told one by one; more are summed up."""


class Step(NamedTuple):
    """One fact about a deadline: its time, a code for programs, and a sentence."""

    at: int
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Clock:
    """One question to be explained. `row` is its decision while it is asked; `own` if the reader owes the answer."""

    question: Question
    row: Decision | None
    policy: Policy
    name: str
    locale: ReaderLocale
    own: bool
    terms: Mapping[str, Any]
    now: int
    outages: Mapping[int, Outage]
    strikes: int = 0
    until: int | None = None

    @property
    def due(self) -> int | None:
        """Return the deadline; None while the clock stands."""
        return None if self.question.due is None else from_text(self.question.due)

    @property
    def acts(self) -> int | None:
        """Return the time at which the caretaker acts; None while the clock stands.

        More grace after a mail that could not be used is told to its player alone.
        """
        if self.own and self.row is not None:
            return self.row.acts_at
        return None if self.due is None else self.due + self.policy.grace

    @property
    def tells_hours(self) -> bool:
        """Return whether times that tell the hours of a person may be told: by plain clocks, and to that person."""
        return self.own or self.policy.plain

    @property
    def bank(self) -> int:
        """Return the charged time that was in the bank when the question was asked."""
        left = self.question.bank
        return self.policy.bank if left is None else scaled(left * SECOND, self.policy.quiet_hours)

    def span(self, charged: int) -> Sentence:
        """Say a time as the host measured it; if nights do not count, in hours of the clock, too."""
        if not self.policy.quiet_hours:
            return exact_words(charged // SECOND)
        days = exact_words(policy_seconds(charged, self.policy))
        return say("{time} ({hours} of the clock)", time=days, hours=hours_words(charged))

    def when(self, at: str | int) -> str:
        """Say a time in the zone of the reader."""
        return self.locale.when(from_text(at) if isinstance(at, str) else at)


def steps(clock: Clock) -> list[Step]:
    """Return the facts from when the question was asked to when the answer is due and what happens then."""
    began = from_text(clock.question.began)
    asked = say("On {at} {name} was asked for an answer.", at=clock.when(began), name=clock.name)
    told = [Step(began, "asked", asked), Step(began, "time", _allowance(clock))]
    between = sorted([*_stops(clock), *_moves(clock), *_bank(clock)], key=lambda step: step.at)
    return [*told, *between, *_end(clock)]


def _allowance(clock: Clock) -> Sentence:
    has = say("Each move has {time}.", time=clock.span(clock.policy.per_move))
    if not clock.policy.quiet_hours:
        return has
    hours = None if clock.row is None else hours_of(clock.row)
    if not clock.own or hours is None or hours.wakes is None:
        return row([has, say("Nights do not count: each day counts as fourteen hours.")], " ")
    wakes = f"{hours.wakes // 60:02d}:{hours.wakes % 60:02d}"
    where = {"wakes": wakes, "zone": hours.zone}
    nights = say("Nights do not count: each day counts as fourteen hours, from {wakes} on in {zone}.", **where)
    return row([has, nights], " ")


# -- what moved it


def _moves(clock: Clock) -> Iterator[Step]:
    """Yield each move of the deadline, with before and after."""
    earlier = clock.question.earlier
    was: str | None = None
    chain = [*(earlier.told if earlier else ()), *clock.question.told]
    for told in chain:
        if told.by is not None:
            yield _move(clock, told, was)
        was = told.due or was


def _move(clock: Clock, told: Told, was: str | None) -> Step:
    at = from_text(told.at)
    match told.by:
        case e.ClockPaused(seat=late):
            return Step(at, "paused", _paused(clock, told, was if late == clock.question.seat else None))
        case e.ClockResumed():
            return Step(at, "resumed", _resumed(clock, told, was))
        case e.TimeExtended(seconds=seconds, seat=seat):
            return Step(at, "extended", _then_moved(clock, _extended(clock, told, seconds, seat), was, told.due))
        case e.Rewound():
            return Step(at, "taken-back", _taken_back(clock, told))
        case e.DeadlineMoved(why="service", outage=number):
            code = "halted" if number is None else "credited"
            return Step(at, code, _then_moved(clock, _service(clock, told, number), was, told.due))
    step = _player(clock, told)
    return step._replace(text=_then_moved(clock, step.text, was, told.due))


def _paused(clock: Clock, told: Told, missed: str | None) -> Sentence:
    at = clock.when(told.at)
    if missed is not None:
        return say(
            "The deadline of {due} passed without an answer, so on {at} the clock was stopped, to wait for {name}. "
            "When it runs on, {name} has {left} again.",
            due=clock.when(missed), at=at, name=clock.name, left=clock.span(clock.policy.per_move),
        )  # fmt: skip
    return say("On {at} the clock was stopped.", at=at)


def _resumed(clock: Clock, told: Told, was: str | None) -> Sentence:
    at, due = clock.when(told.at), clock.when(told.due or told.at)
    if was is None:
        return say("On {at} the clock ran again, and the answer was due by {due}.", at=at, due=due)
    return say(
        "On {at} the clock ran again, with what was left: before it was stopped the answer was due by "
        "{was}, from then on by {due}.",
        at=at, was=clock.when(was), due=due,
    )  # fmt: skip


def _extended(clock: Clock, told: Told, seconds: int, seat: Seat | None) -> Sentence:
    at, more = clock.when(told.at), exact_words(seconds)
    if seat is None:
        return say("On {at} everyone got {more} more.", at=at, more=more)
    return say("On {at} the operator of this service gave {name} {more} more.", at=at, name=clock.name, more=more)


def _service(clock: Clock, told: Told, number: int | None) -> Sentence:
    outage = clock.outages.get(number or 0)
    if outage is None:
        return say(
            "Up to {at} this game was stopped, as its records did not verify: that time was given back.",
            at=clock.when(told.at),
        )
    return say(
        "From {since} to {at} the service was down, or its clock was wrong: that time was given back.",
        since=clock.when(outage.began_at), at=clock.when(outage.ended_at),
    )  # fmt: skip


def _player(clock: Clock, told: Told) -> Step:
    """Why a deadline moved for its player's sake: told to that player alone, while the answer is owed."""
    which, reason = {"at": clock.when(told.at), "name": clock.name}, _reasons(clock).get(told.version, "moved")
    match reason:
        case "leave":
            happened = say("On {at} {name} had announced leave.", **which)
        case "told-late":
            happened = say(
                "The notice went out only when the deadline had passed, so on {at} {name} got the time of a move once "
                "more.",
                **which,
            )
        case "undelivered":
            happened = say(
                "The notice could not be delivered, so on {at} {name} got the time of a move once more.", **which
            )
        case _:
            happened = say("On {at} {name} got more time.", **which)
    return Step(from_text(told.at), "leave-announced" if reason == "leave" else reason, happened)


def _reasons(clock: Clock) -> dict[int, str]:
    kept = clock.row.reasons.split() if clock.own and clock.row is not None else []
    return {int(version): reason for version, reason in zip(kept[::2], kept[1::2], strict=True)}


def _taken_back(clock: Clock, told: Told) -> Sentence:
    which = {"at": clock.when(told.at), "name": clock.name}
    if told.due is None:
        return say("On {at} {name} undid what had been played while the clock was stopped.", **which)
    return say(
        "On {at} {name} undid what had been played: the time for it runs on as if it had not been "
        "played, and the answer was due by {due}.",
        **which, due=clock.when(told.due),
    )  # fmt: skip


def _then_moved(clock: Clock, happened: str, was: str | None, due: str | None) -> str:
    if was is None or due is None:
        return happened
    moved = say("The deadline moved from {was} to {due}.", was=clock.when(was), due=clock.when(due))
    return row([happened, moved], " ")


# -- the hours of a person, told to that person alone


def _stops(clock: Clock) -> Iterator[Step]:
    """Nights, weekends and leave on the way of a deadline that still runs; many of one kind in one step."""
    if not clock.own or clock.row is None:
        return
    found = sorted(_stretches(clock, clock.row), key=lambda pause: (pause.why, pause.begins))
    for why, group in groupby(found, key=lambda pause: pause.why):
        pauses = list(group)
        if len(pauses) > FEW[why]:
            yield Step(pauses[0].begins, _CODES[why], _summed(clock.locale, why, pauses))
        else:
            yield from (Step(pause.begins, _CODES[why], _stopped(clock.locale, pause)) for pause in pauses)


_CODES: Final[Mapping[Why, str]] = {"night": "nights", "weekend": "weekend", "leave": "leave"}


def _stretches(clock: Clock, kept: Decision) -> list[Pause]:
    """Return the nights, weekends and leave up to the deadline, in order."""
    hours = hours_of(kept)
    return [pause for begins, ends in running(clock) for pause in hours.pauses(begins, ends)]


def running(clock: Clock) -> Iterator[tuple[int, int]]:
    """Yield the times in which the clock ran, up to the deadline."""
    begins: int | None = from_text(clock.question.began)
    for told in [*(clock.question.earlier.told if clock.question.earlier else ()), *clock.question.told]:
        if told.due is None and begins is not None and from_text(told.at) > begins:
            yield begins, from_text(told.at)
        begins = None if told.due is None else from_text(told.at) if begins is None else begins
    if begins is not None and clock.due is not None:
        yield begins, clock.due


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
    which = {
        "count": len(pauses), "begins": locale.when(pauses[0].begins), "ends": locale.when(pauses[-1].ends),
        "long": hours_words(sum(pause.ends - pause.begins for pause in pauses)),
    }  # fmt: skip
    match why:
        case "night":
            return say("{count} nights between {begins} and {ends} do not count: {long} in all.", **which)
        case "weekend":
            return say("{count} weekends between {begins} and {ends} do not count: {long} in all.", **which)
        case _:
            return say("{count} stretches of leave between {begins} and {ends} do not count: {long} in all.", **which)


# -- the end of it


def _bank(clock: Clock) -> Iterator[Step]:
    """Yield the moment at which a running clock begins to use its bank."""
    if clock.row is None or clock.row.bank_from is None or clock.due is None or not clock.tells_hours:
        return
    begins = clock.row.bank_from
    left = min(clock.bank, hours_of(clock.row).charged(begins, clock.due))
    if not left:
        yield Step(begins, "bank", say("The bank is empty: it adds nothing to the time of the move."))
        return
    used = say("On {at} the time of the move is used up; from then on the bank is used.", at=clock.when(begins))
    bank = clock.span(left)
    there = say("It holds {bank}.", bank=bank) if begins > clock.now else say("It held {bank} then.", bank=bank)
    yield Step(begins, "bank", row([used, there], " "))


def _end(clock: Clock) -> Iterator[Step]:
    """Yield the deadline, and what happens then."""
    if clock.due is None:
        yield Step(clock.now, "stopped", _standing(clock))
        return
    due, acts = clock.due, clock.acts or clock.due
    over = clock.row is None
    is_due = say("So the answer was due by {due}.", due=clock.when(due)) if over else None
    yield Step(due, "due", is_due or say("So the answer is due by {due}.", due=clock.when(due)))
    if clock.row is not None and clock.row.graced and clock.own:
        mended = say(
            "A mail of {name} that was in time could not be used, so the caretaker waits until {until}, for another "
            "one.",
            name=clock.name, until=clock.when(acts),
        )  # fmt: skip
        yield Step(acts, "mending", mended)
    if acts > due:
        late = {"acts": clock.when(acts), "grace": exact_words((acts - due) // SECOND)}
        yield Step(
            acts, "grace", say("One that comes in by {acts} still counts: {grace} for mail that is under way.", **late)
        )
    if not over:
        yield Step(acts, "then", _then(clock))


def _then(clock: Clock) -> Sentence:
    """Say what happens if no answer comes."""
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
    if clock.row is None:
        return say("The clock is stopped.")
    left, bank = clock.span(clock.row.left or 0), clock.span(clock.row.left_bank or 0)
    what = (
        say("The clock is stopped, with {left} of the move and {bank} of the bank left.", left=left, bank=bank)
        if clock.policy.bank
        else say("The clock is stopped, with {left} left.", left=left)
    )
    if clock.until is None:
        return row([what, say("Nothing is due before it runs on.")], " ")
    return row([what, say("It runs on at the latest on {until}.", until=clock.when(clock.until))], " ")
