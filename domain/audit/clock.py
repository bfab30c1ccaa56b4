"""The clock of a history, checked from its events alone: docs/audit/format.md, section 4, "The clock".

It needs no rules of a game, so that verifiers without them check the same.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, Final

from domain.history.envelope import is_time

Event = Mapping[str, Any]
Fault = tuple[int, str]
"""The number of an event, and what is wrong with it."""
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)
SECOND: Final = 1_000_000
DAY: Final = 86_400 * SECOND
NIGHTS: Final = DAY // 2
"""The most that nights shorten a deadline: what is used up in the evening is due then, not next morning."""
DURATION: Final = re.compile(
    r"P(?!$)(?:([0-9]{1,9})W)?(?:([0-9]{1,9})D)?"
    r"(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})S)?)?"
)
UNITS: Final = (604_800, 86_400, 3600, 60, 1)
DEFAULTS: Final[Mapping[str, Any]] = {
    "per_move": "P3D", "bank": "PT0S", "grace": "PT10M", "quiet_hours": False, "weekends": "count", "leave_days": 0,
}  # fmt: skip
MOVED: Final = "table.deadline-moved"
EXPIRED: Final = "table.turn-expired"
PAUSED: Final = "table.clock-paused"
RESUMED: Final = "table.clock-resumed"
EXTENDED: Final = "table.time-extended"
REWOUND: Final = "table.rewound"
CHANGES_SEATS: Final = frozenset({"table.seat-taken-over", "table.seat-taken-by-bot", "table.seat-vacated"})
ANSWERS: Final = CHANGES_SEATS | {EXPIRED, "table.caretaker-acted", "table.orders-followed"}
"""Events that answer for the seat they name."""
UNTOLD: Final = "No event tells a deadline: whether one passed too early cannot be told."
HELD: Final = "No turn expired before its deadline and grace, and no deadline was moved earlier."
PERSONAL: Final = "The nights, weekends and leave of a person are not in the record: deadlines are within their bounds."


@dataclass(slots=True)
class _Question:
    """The deadline of a question told last, None while the clock stands; the latest of all; whether none was told.

    `is_late`: the clock stood for the seat, which answered, and may have to go on with the same turn.
    """

    due: str | None = None
    latest: str = ""
    is_new: bool = True
    is_late: bool = False


@dataclass(slots=True)
class _Clock:
    """The clock of a table as the events before tell it: questions and seats that have answered, by decimals."""

    terms: Mapping[str, Any]
    seats: int = 0
    paused: bool = False
    asked: dict[str, _Question] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    banks: dict[str, int] = field(default_factory=dict)
    late: dict[str, _Question] = field(default_factory=dict)
    stood: dict[int, tuple[dict[str, _Question], set[str]]] = field(default_factory=dict)

    @property
    def is_plain(self) -> bool:
        """Return whether every hour counts alike for everybody."""
        terms = self.terms
        return [terms[name] for name in ("quiet_hours", "weekends", "leave_days")] == [False, "count", 0]

    def follow(self, request: Sequence[Event]) -> Iterator[Fault]:
        """Follow the events of one request, and yield what is wrong."""
        last, kinds = request[-1], {event["type"] for event in request}
        self.late = {}
        for event in request:
            yield from self._event(event, REWOUND in kinds)
            if "due" in event["data"] and event is not last:
                yield event["version"], "it has a “due”, and is not the last of its request"
        is_moved = last["actor"] == {"clock": True} and "due" in last["data"] and len(request) == 1
        if MOVED in kinds and not is_moved:
            yield last["version"], "a deadline moves in its request, and it is not the clock's alone with a “due”"
        if "due" in last["data"]:
            yield from ((last["version"], told) for told in self._dues(request, kinds))
        for seat in self.late.keys() - last["data"].get("due", {}).keys():
            self.asked[seat] = self.late[seat]
            self.answered.add(seat)
        self._keep(last["version"])

    def _event(self, event: Event, goes_back: bool) -> Iterator[Fault]:
        kind, data, version = event["type"], event["data"], event["version"]
        if kind == EXPIRED and (told := self._expiry(str(data["seat"]), event["at"])):
            yield version, told
        if kind == "table.game-started":
            self.seats = len(data["seats"])
        elif kind == "table.bank-changed":
            self.banks[str(data["seat"])] = data["left"]
        elif kind in (PAUSED, RESUMED):
            self.paused = kind == PAUSED
        elif kind == REWOUND:
            self.late = {seat: question for seat, question in self.asked.items() if question.is_late}
            asked, answered = self.stood[data["to"]]
            self.asked, self.answered = dict(asked), set(answered)
        elif kind in ANSWERS:
            self.answered.add(str(data["seat"]))
        elif not kind.startswith("table.") and not goes_back and "seat" in event["actor"]:
            self.answered.add(str(event["actor"]["seat"]))
        for question in self.asked.values() if self.paused else ():
            question.due = None
        self._keep(version)

    def _keep(self, version: int) -> None:
        self.stood[version] = dict(self.asked), set(self.answered)

    def _expiry(self, seat: str, at: str) -> str:
        """Return what is wrong with a turn that expired then."""
        question = self.asked.get(seat)
        if question is None or question.due is None:
            return f"the turn of seat {seat} expired, and no deadline of it ran"
        is_over = micros(at) >= micros(question.due) + length(self.terms["grace"])
        return "" if is_over else f"the turn of seat {seat} expired before its deadline and grace"

    def _dues(self, request: Sequence[Event], kinds: set[str]) -> Iterator[str]:
        """Follow the deadlines that a request tells, and yield what is wrong."""
        last = request[-1]
        given = last["data"]["due"]
        own = all(kind.startswith("table.") for kind in kinds) and not kinds & (CHANGES_SEATS | {REWOUND})
        if given == {}:
            yield "its “due” is empty"
        for seat, due in given.items():
            if seat not in map(str, range(self.seats)) or not (due is None or is_time(due)):
                yield "its “due” is of another form"
                continue
            question = self.asked.get(seat)
            if question is None or (seat in self.answered and not own):
                question = self.asked[seat] = _Question(is_late=RESUMED in kinds and seat in self.answered)
            if (due is None) is not self.paused:
                yield f"the deadline of seat {seat} is null while its clock runs, or a time while it stands"
            elif due is not None:
                yield from self._due(seat, question, due, request, kinds)
            self.answered.discard(seat)
            question.due, question.latest = due, max(question.latest, due or "")
            question.is_new &= due is None and REWOUND not in kinds

    def _due(
        self, seat: str, question: _Question, due: str, request: Sequence[Event], kinds: set[str]
    ) -> Iterator[str]:
        more = sum(
            event["data"]["seconds"]
            for event in request
            if event["type"] == EXTENDED and event["data"].get("seat") in (None, int(seat))
        )
        if due < question.latest:
            yield f"the deadline of seat {seat} is earlier than one told before"
        if question.is_new and REWOUND not in kinds:
            least, most = self._bounds(seat, question.is_late)
            if not least <= micros(due) - micros(request[-1]["at"]) <= most + more * SECOND:
                yield f"the deadline of seat {seat} is not the time of a move and its bank"
        elif kinds.isdisjoint({PAUSED, RESUMED, REWOUND, MOVED}) and EXTENDED in kinds and question.due is not None:
            moved = micros(due) - micros(question.due)
            if self.is_plain and moved != more * SECOND:
                yield f"the deadline of seat {seat} did not move by the time that was given"

    def _bounds(self, seat: str, is_late: bool) -> tuple[int, int]:
        """Return the least and the most microseconds from a question to its deadline."""
        terms = self.terms
        bank = self.banks[seat] * SECOND if seat in self.banks else length(terms["bank"])
        whole = length(terms["per_move"]) + bank
        least = whole - bank if is_late else whole
        if self.is_plain:
            return least, whole
        least -= min(least // 2, NIGHTS) if terms["quiet_hours"] else 0
        return least, 2 * (whole + (terms["leave_days"] + 7) * DAY)


def check_clock(entries: Sequence[Event]) -> Iterator[tuple[str, int | None, str]]:
    """Yield the lines of a report about the clock: verdict, event, sentence. Never raises for what is in a history."""
    if not any("due" in event["data"] for event in entries):
        yield "unchecked", None, UNTOLD
        return
    holds = True
    try:
        clock = _Clock({**DEFAULTS, **entries[0]["data"]["clock"]})
        for _, request in groupby(entries, lambda event: event["cause"]):
            for version, told in clock.follow(list(request)):
                holds = False
                yield "broken", version, f"{told}."
    except Exception as error:  # a forged history may hold anything
        yield "broken", None, f"It cannot be checked ({type(error).__name__})."
        return
    if holds:
        yield "verified", None, HELD
    if not clock.is_plain:
        yield "unchecked", None, PERSONAL


def micros(time: str) -> int:
    """Return a time as microseconds since 1970."""
    return (datetime.fromisoformat(time) - EPOCH) // MICROSECOND


def length(duration: str) -> int:
    """Return a duration in microseconds. Raises ValueError for what is not one."""
    match = DURATION.fullmatch(duration)
    if match is None:
        raise ValueError(f"{duration!r} is not a duration")
    return sum(int(number or 0) * unit for number, unit in zip(match.groups(), UNITS, strict=True)) * SECOND
