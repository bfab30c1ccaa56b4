"""Clocks that a host may have changed: turns that expire early, deadlines moved, left out or from another bank.

`words` are those of docs/audit/format.md that each breaks; `timed.py` says how the two games went.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from tests.audit.vectors.operations import (
    HISTORY,
    Change,
    Spoiling,
    Verdict,
    both,
    data,
    drops,
    ends_before,
    events_of,
    inserts,
    of,
    puts,
)

Clock = partial(Spoiling, stage=HISTORY, base="clock")
Hours = partial(Spoiling, stage=HISTORY, base="hours")
FORM: Final = "%Y-%m-%dT%H:%M:%S.%fZ"
CLOCK: Final = {"clock": True}
OPERATOR: Final = {"operator": True}
ASKED, LATE, MORE, OUTAGE, UNDONE, BACK, EXPIRED, PAUSE, STANDS, GOES_ON = 9, 16, 22, 23, 30, 37, 38, 46, 49, 52
"""Events of the first game: a question, one after a late answer, more time, an outage made good, a question that is
undone, the seat going back, its turn expiring, a pause, a question meanwhile, and the end of the pause."""


def due(number: int, **dues: Any) -> Change:
    """Tell other deadlines in an event, seats as `s0` and `s1`."""
    return puts(number - 1, "data", "due", **{seat.removeprefix("s"): due for seat, due in dues.items()})


def later(time: str, **span: float) -> str:
    """Return a time so much later."""
    return (datetime.strptime(time, FORM) + timedelta(**span)).strftime(FORM)  # noqa: DTZ007


def moved(number: int, seat: str, base: str = "clock", **span: float) -> Change:
    """Tell a deadline that is so much later than it was."""
    told = events_of(base)[number - 1]["data"]["due"][seat]
    return due(number, **{f"s{seat}": later(told, **span)})


def early(number: int, last: int, **span: float) -> Change:
    """Let a turn expire so much before; what is asked then is due so much before, too."""

    def change(events: Any) -> None:
        for event in events[number - 1 : last]:
            event["at"] = later(event["at"], **span)
        for seat, told in events[last - 1]["data"]["due"].items():
            events[last - 1]["data"]["due"][seat] = later(told, **span)

    return change


def undues(events: Any) -> None:
    """Leave out all deadlines."""
    for event in events:
        event["data"].pop("due", None)


def undue(seat: str) -> Change:
    """Leave out all deadlines of one seat."""

    def change(events: Any) -> None:
        for event in events:
            if seat in event["data"].get("due", {}):
                del event["data"]["due"][seat]
            if event["data"].get("due") == {}:
                del event["data"]["due"]

    return change


def undone_due() -> str:
    """Return the deadline of a question that was undone. It is earlier than the one that stands."""
    told: str = events_of("clock")[UNDONE - 1]["data"]["due"]["0"]
    return told


def expires_at(time: str) -> Change:
    """Let the turn expire at another time, and what is asked then be due two days later."""

    def change(events: Any) -> None:
        for event in events[EXPIRED - 1 : 43]:
            event["at"] = time
        events[42]["data"]["due"]["1"] = later(time, days=2)

    return change


def asks_again(kind: str, actor: Any, **said: Any) -> Change:
    """Tell seat 0 the deadline of a new question, earlier than that of the one it has been asked, beside an event."""
    fields = {"type": kind, "actor": actor, "data": said | {"due": {"0": "2031-03-07T21:00:00.000000Z"}}}
    return of(OUTAGE, **fields)


def before(number: int, kind: str, **said: Any) -> Change:
    """Insert an event of the clock before that of a number, in the same request."""
    event = {**events_of("clock")[number - 1], "type": kind, "actor": CLOCK, "data": said}
    return inserts(number - 1, event)


def goes_on(left: int, over: int) -> Change:
    """End the history otherwise: seat 0 is late, goes on with its turn, goes back, and its turn expires.

    It has `left` seconds when the clock goes on, and its turn expires `over` seconds after the deadline.
    """
    at: str = events_of("clock")[OUTAGE - 1]["at"]
    told = later(at, seconds=left)

    def change(events: Any) -> Any:
        made = [
            ("city-hall.money-laid", {"seat": 0}, "acts", at, {}),
            ("table.clock-resumed", CLOCK, "acts", at, {"reason": "acted", "due": {"0": told}}),
            ("table.rewound", {"seat": 0}, "back", at, {"to": MORE, "seat": 0, "reason": "slip", "agreed": []}),
            ("table.turn-expired", CLOCK, "late", later(told, seconds=over), {"seat": 0, "decision": "", "strikes": 1}),
        ]
        return events[:MORE] + [
            {**events[MORE], "version": version, "type": kind, "actor": actor, "cause": cause, "at": time, "data": said}
            for version, (kind, actor, cause, time, said) in enumerate(made, OUTAGE)
        ]

    return change


def spoilings() -> Iterator[Spoiling]:
    """Break each sentence of the page about the clock."""
    yield from form()
    yield from untold()
    yield from expiry()
    yield from questions()
    yield from late()
    yield from bounds()


def form() -> Iterator[Spoiling]:
    """Break the form of a due, and its place."""
    for told in (None, [], "2031-03-06T12:00:00.000000Z"):
        yield Clock("`due` is an object of times", change=data(ASKED, due=told), named="clock")
    yield Clock("It has a seat at least", change=data(ASKED, due={}), named="event 9:")
    for seat in ("2", "7", "01", "-1", "", "x"):
        words = "and only seats of the game"
        yield Clock(words, change=due(ASKED, **{f"s{seat}": "2031-03-06T12:00:00.000000Z"}), named="event 9:")
    for time in ("2031-03-06T12:00:00Z", "2031-02-29T12:00:00.000000Z", 7, ""):
        yield Clock("`due` is an object of times", change=due(ASKED, s1=time), named="event 9:")
    again = events_of("clock")[ASKED - 1]["data"]["due"]
    yield Clock("No other event of the request has a `due`", change=data(ASKED - 1, due=again), named="event 8:")
    beside = of(OUTAGE, cause=events_of("clock")[OUTAGE]["cause"])
    yield Clock("`table.deadline-moved` is alone in its request", change=beside, named="event 27:|event 23:")
    after = before(OUTAGE, "table.strikes-cleared", seat=0)
    yield Clock("`table.deadline-moved` is alone in its request", change=after, named="event 24:")
    yield Clock("its actor is the clock", change=of(OUTAGE, actor=OPERATOR), named="event 23:")
    yield Clock("and it has a `due`", change=drops(OUTAGE - 1, "data", "due"), named="event 23:")
    yield Clock(
        "A due told in between is null", change=due(STANDS, s0="2031-03-12T04:10:00.000000Z"), named="event 49:"
    )
    for number, seat in ((LATE, "1"), (MORE, "0"), (OUTAGE, "0"), (GOES_ON, "0")):
        yield Clock("any other is a time", change=due(number, **{f"s{seat}": None}), named=f"event {number}:")
    for name, wrong in (("per_move", "1D"), ("per_move", "P1.5D"), ("bank", "P"), ("grace", "PT"), ("grace", 600)):
        words = "are durations in whole weeks, days, hours, minutes and seconds"
        yield Clock(words, change=puts(0, "data", "clock", **{name: wrong}), named="clock")
    for name in events_of("clock")[0]["data"]["clock"]:
        found = {"per_move": Verdict.BROKEN, "bank": Verdict.BROKEN, "increment": Verdict.RULES}
        missing = drops(0, "data", "clock", name)
        verdict, named = (found[name], "event 9:|event 27:") if name in found else (Verdict.HOLDS, "")
        yield Clock("What is missing is `P3D`, `PT0S`", change=missing, named=named, verdict=verdict)


def untold() -> Iterator[Spoiling]:
    """Leave out the deadline of a question. Only the rules say that a seat was asked."""
    for number in (ASKED, 12, LATE, UNDONE, 43, STANDS):
        words = "that a seat which owes an answer was told a `due`"
        silent = drops(number - 1, "data", "due")
        yield Clock(words, change=silent, named=f"event {number}:", verdict=Verdict.RULES)
    words = "The last event of a request that sets or moves deadlines tells them"
    for number in (LATE, 43):  # the history ends before that event
        yield Clock(words, change=ends_before(number), verdict=Verdict.HOLDS)


def expiry() -> Iterator[Spoiling]:
    """Let turns expire that should not."""
    words = (
        "comes when a deadline of that seat runs, told by an earlier request, and not before it and `grace` are over"
    )
    yield Clock(words, change=early(EXPIRED, 43, seconds=-1), named="event 38:")
    yield Clock(words, change=early(EXPIRED, 43, microseconds=-1), named="event 38:")
    yield Clock(words, change=early(60, 65, seconds=-1), named="event 60:")
    yield Hours(words, change=early(23, 28, seconds=-1), named="event 23:")
    yield Clock(words, change=puts(0, "data", "clock", grace="PT11M"), named="event 38:")
    yield Clock(words, change=due(BACK, s0=None), named="event 38:")
    yield Clock(words, change=undue("0"), named="event 38:")
    stood = both(
        inserts(BACK, {**events_of("clock")[PAUSE - 1], "data": {"reason": "agreed", "seconds": 0}}, cause="pause"),
        inserts(BACK + 1, {**events_of("clock")[GOES_ON - 1], "data": {"reason": "over"}}, cause="resume"),
    )
    yield Clock("A pause ends the deadlines told before it", change=stood, named="event 40:")
    yield Clock("In a history without any `due` the clock is unchecked", change=undues, verdict=Verdict.HOLDS)


def questions() -> Iterator[Spoiling]:
    """Tell deadlines that are earlier than one before, for the same question or for another."""
    words = "No due is earlier than one told before for the same question"
    for number, told in ((MORE, 19), (OUTAGE, MORE)):
        earlier = due(number, s0=later(events_of("clock")[told - 1]["data"]["due"]["0"], microseconds=-1))
        yield Clock(words, change=earlier, named=f"event {number}:")
    yield Clock(
        "A null in between changes nothing", change=due(59, s1="2031-03-11T21:09:59.999999Z"), named="event 59:"
    )
    asked = asks_again("city-hall.money-laid", {"chance": 1})
    yield Clock("Any other due moves the present question", change=asked, named="event 23:")
    for actor in ({"seat": 0}, {"seat": 1}):
        verdict = Verdict.BROKEN if actor["seat"] else Verdict.RULES
        answers = asks_again("city-hall.money-laid", actor)
        yield Clock("*answers* by an event of the ruleset", change=answers, named="event 23:", verdict=verdict)
    for kind in ("orders-followed", "caretaker-acted", "seat-taken-over", "seat-taken-by-bot", "seat-vacated"):
        said = {"bot": {"strength": 1, "temper": "even"}} if kind.endswith("bot") else {}
        last = "table.strikes-cleared" if kind.startswith("seat") else "city-hall.money-laid"
        for seat, verdict in ((0, Verdict.RULES), (1, Verdict.BROKEN)):
            answers = both(asks_again(last, {"chance": 1}, seat=0), before(OUTAGE, f"table.{kind}", seat=seat, **said))
            words = "A due told for a seat that has answered since its last one begins a new *question*"
            yield Clock(words, change=answers, named="event 2[34]:", verdict=verdict)
    followed = before(OUTAGE, "table.orders-followed", seat=0, filed=1)
    answered = both(asks_again("table.strikes-cleared", CLOCK, seat=0), followed)
    yield Clock("So does, whoever has answered, a due told by a request", change=answered, named="event 24:")
    words = "what was told of questions asked since does not"
    yield Clock(words, change=due(BACK, s0=undone_due()), named="event 37:")
    ten_minutes_on = expires_at(later(undone_due(), minutes=10))
    yield Clock(words, change=both(due(BACK, s0=undone_due()), ten_minutes_on), named="event 37:")
    yield Clock(words, change=both(drops(BACK - 1, "data", "due"), ten_minutes_on), named="event 38:")
    words = "brings back the questions as they stood after event `to`, and who had answered"
    yield Clock(words, change=moved(BACK, "0", microseconds=-1), named="event 37:")
    yield Clock(words, change=data(BACK, to=40), named="clock")
    since = both(data(BACK, to=19), moved(BACK, "0", microseconds=-1))
    yield Clock("What was told of them since counts", change=since, named="event 37:")
    excepted = both(data(BACK, to=26), moved(BACK, "0", hours=-1))
    words = "A question told of in a request with `table.rewound` is excepted"
    yield Clock(words, change=excepted, named="event 3[67]:", verdict=Verdict.RULES)
    back = {"to": PAUSE, "seat": 1, "reason": "slip", "agreed": []}
    stands = both(of(STANDS - 1, type="table.rewound", data=back), moved(GOES_ON, "0", hours=-1))
    yield Clock(words, change=stands, named="event 4[789]:", verdict=Verdict.RULES)
    played = {**events_of("clock")[24], "actor": {"seat": 0}, "cause": events_of("clock")[BACK - 1]["cause"]}
    on = inserts(BACK, played, data={"due": {"0": undone_due()}})
    words = "In its request events of the ruleset are no answers"
    yield Clock(words, change=both(on, drops(BACK - 1, "data", "due")), named="event 38:")


def late() -> Iterator[Spoiling]:
    """Let a seat that was late go on with the same turn, which only the rules can tell from another."""
    day = 86_400
    for left, verdict in ((day, Verdict.RULES), (day + 68_400, Verdict.RULES), (day - 1, Verdict.BROKEN)):
        words = "Then its bank may be left out of the first time told"
        yield Clock(words, change=goes_on(left, 600), named="event 2[34]:", verdict=verdict)
    words = "and that question stays after a `table.rewound`"
    yield Clock(words, change=goes_on(day, 599), named="event 26:")


def bounds() -> Iterator[Spoiling]:
    """Tell deadlines that are not the time of a move, the bank and what was given."""
    words = "The first time told for a question is the event's `at`"
    for number, seat in ((ASKED, "1"), (12, "0"), (LATE, "1"), (19, "0"), (43, "1"), (GOES_ON, "0"), (65, "0")):
        for span in ({"microseconds": 1}, {"microseconds": -1}, {"days": 1}):
            change = moved(number, seat, **span)
            yield Clock(words, change=change, named=f"event {number}:")
    bank = {"type": "table.bank-changed", "actor": CLOCK, "data": {"seat": 0, "left": 68401}}
    more = both(of(18, **bank), moved(19, "0", seconds=1), moved(MORE, "0", seconds=1))
    yield Clock("which may be in the same request", change=more, named="event 18:", verdict=Verdict.RULES)
    more = both(of(21, type="table.time-extended", data={"seat": 0, "seconds": 3600}), moved(MORE, "0", seconds=3600))
    yield Clock("`table.time-extended` moves", change=more, named="event 21:", verdict=Verdict.RULES)
    excepted = both(of(21, type="table.clock-resumed", data={"reason": "agreed"}), moved(MORE, "0", hours=5))
    words = "A request that also pauses, resumes or goes back is excepted"
    yield Clock(words, change=excepted, named="event 21:", verdict=Verdict.RULES)
    early = {"type": "table.time-extended", "data": {"seat": 1, "seconds": 3600}}
    for hours, verdict in ((1, Verdict.RULES), (2, Verdict.BROKEN)):
        more = both(of(8, **early), moved(ASKED, "1", hours=hours))
        words = "If `table.time-extended` is in the request, it may be later by its `seconds`"
        yield Clock(words, change=more, named="event [89]:", verdict=verdict)
    yield Clock("`left` seconds of the last", change=data(LATE, left=68401), named="event 19:")
    yield Clock("else `bank`", change=puts(0, "data", "clock", bank="P1DT1S"), named="event 9:")
    yield Clock("begins a new *question*, and so does its first", change=moved(34, "0", hours=-40), named="event 34:")
    for span in ({"microseconds": 1}, {"microseconds": -1}, {"days": 7}):
        words = "`table.time-extended` moves the deadlines told with it by its `seconds`"
        yield Clock(words, change=moved(MORE, "0", **span), named="event 22:")
    yield Clock("those of that seat alone", change=data(MORE, seat=1), named="event 22:")
    for number, seat in ((ASKED, "1"), (16, "1"), (28, "1")):
        at = events_of("hours")[number - 1]["at"]
        least, most = later(at, days=3, hours=-12), later(at, days=2 * (3 + 5 + 7))
        too_early, too_late = later(least, seconds=-1), later(most, seconds=1)
        within = () if number == 16 else (least, most)  # the next event moves that one by a day
        for time, holds in ((too_early, False), (too_late, False), *((time, True) for time in within)):
            words = "It is at most twice the sum of" if time > least else "not earlier than above, less the half of"
            verdict = Verdict.HOLDS if holds else Verdict.BROKEN
            named = "" if holds else f"event {number}:"
            yield Hours(words, change=due(number, **{f"s{seat}": time}), named=named, verdict=verdict)
    yield Hours("How far more time moves a deadline", change=moved(19, "1", "hours", hours=9), verdict=Verdict.HOLDS)
    for name in ("quiet_hours", "leave_days", "weekends"):
        words = "With `quiet_hours`, `weekends` that are skipped or `leave_days`"
        value = {"quiet_hours": True, "leave_days": 1, "weekends": "skip"}[name]
        change = both(puts(0, "data", "clock", **{name: value}), moved(65, "0", days=1))
        yield Clock(words, change=change, verdict=Verdict.HOLDS)
