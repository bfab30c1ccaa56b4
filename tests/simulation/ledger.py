"""The checker's own ledger of one game: from its events and from what the conductor did, what each deadline had to be.

It takes from the service the events alone, and what the domain folds of them; all times are reckoned here.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from config.durations import parse_duration
from domain.table import events as e
from domain.table.evolve import Rules, apply, copy
from domain.table.state import Table
from tests.simulation.reckoning import EPOCH, MINUTE, Always, Calendar
from tests.simulation.told import Leave
from tests.simulation.world import POLICIES, Person

SECOND: Final = 1_000_000
DAY: Final = 86_400 * SECOND
OUTAGE: Final = 600 * SECOND
LEAST: Final = 3600 * SECOND
SATURDAY: Final = 5
MARGIN: Final = 40 * DAY
"""How far beyond the simulation calendars reach."""


@dataclass(slots=True)
class Terms:
    """A policy, in microseconds; those that are charged scaled where there are quiet hours."""

    per_move: int
    bank: int
    increment: int
    grace: int
    quiet: bool
    weekends: bool
    leave_days: int
    rungs: list[int]


@dataclass(slots=True)
class Run:
    """One answer that is owed, and its clock: while it runs `left` is None, while it stands due and acts are."""

    seat: int
    since: int
    player: str
    began: int
    hours: Calendar | type[Always]
    away: tuple[date, ...]
    due: int | None = None
    bank_from: int = 0
    acts: int = 0
    left: tuple[int, int] | None = None
    dues: list[int] = field(default_factory=list)
    expiries: list[tuple[int, int, int]] = field(default_factory=list)  # at, when it might at the earliest, version
    ended: int | None = None  # the version it was over with
    ended_at: int | None = None
    how: str = "open"
    moved: int = 0  # how often something moved its deadline
    loose: bool = False  # its deadline is known only to be no earlier than `due`
    last_due: int = 0
    last_acts: int = 0


@dataclass(slots=True)
class Commit:
    """What one request made true: its events, and the table after them."""

    first: int
    last: int
    at: int
    events: Sequence[Any]
    table: Table
    asked: dict[int, str]


def micros(text: str) -> int:
    """A duration of a policy."""
    return parse_duration(text) // timedelta(microseconds=1)


@lru_cache(32)
def terms_of(policy: str) -> Terms:
    """A policy of the world, with the defaults of DESIGN 7."""
    clock = POLICIES[policy][1]
    quiet = bool(clock.get("quiet_hours"))

    def charged(name: str) -> int:
        span = micros(clock.get(name, "PT0S"))
        return -(-span * 14 // 24) if quiet else span

    return Terms(
        charged("per_move"), charged("bank"), charged("increment"), micros(clock["grace"]), quiet,
        clock.get("weekends") == "skip", clock.get("leave_days", 0),
        sorted((micros(one) for one in clock["reminders"]), reverse=True),
    )  # fmt: skip


def commits(rules: Rules, events: Sequence[Any], told: Sequence[tuple[str, int]]) -> Iterator[Commit]:
    """The requests of a game, one after the other; `told` are cause and time of each event."""
    table, first = Table(), 0
    for number, event in enumerate(events):
        apply(table, rules, event, events[:number])
        if number + 1 < len(events) and told[number + 1][0] == told[first][0]:
            continue
        asked = {}
        if table.status == "running":
            decision = rules.decider.decision(table.game)
            asked = dict.fromkeys(rules.decider.awaiting(table.game), decision)
        yield Commit(first + 1, number + 1, told[number][1], events[first : number + 1], copy(table, rules), asked)
        first = number + 1


class Book:
    """The clocks of one game, commit by commit."""

    def __init__(
        self, policy: str, span: tuple[int, int], leaves: Sequence[Leave], outages: Sequence[tuple[int, int]]
    ) -> None:
        self.terms = terms_of(policy)
        self.span = (span[0] - 2 * DAY, span[1] + MARGIN)
        self.leaves, self.outages = leaves, outages
        self.runs: list[Run] = []
        self.open: dict[int, Run] = {}
        self.banks: dict[int, int] = {}
        self.wrong: list[tuple[str, str]] = []
        self.opened = 0
        self.banks_after: list[tuple[int, dict[int, int]]] = []

    # -- what happens

    def follow(self, commit: Commit, asked_before: dict[int, str]) -> None:
        """One request: what was expired, who answered, who is asked, and what it did to the clocks."""
        back = next((one for one in commit.events if isinstance(one, e.Rewound)), None)
        self._expire(commit)
        ended = [seat for seat, what in asked_before.items() if commit.asked.get(seat) != what]
        begun = [seat for seat, what in commit.asked.items() if asked_before.get(seat) != what]
        self.opened = self.opened or commit.at
        if back:
            self._give_back(commit, back)
        else:
            self._charge(commit, ended)
        for seat in ended:
            self._end(commit, seat)
        for seat in begun:
            self._begin(commit, seat)
        for one in commit.events:
            self._move(one, commit)
        if back and not back.agreed and back.seat in begun:
            self._rebegin(self.open[back.seat], commit.at)
        self.banks_after.append((commit.last, dict(self.banks)))

    def credit(self, began: int, ended: int) -> None:
        """The service was away: what was charged meanwhile is given back, and of the grace what was left (Q-9).

        A clock that began in its last ten minutes and is not over has seen no outage: it stays as it is.
        """
        for run in self.open.values():
            if run.due is None:
                continue
            since = max(began, run.began)
            if ended - since <= OUTAGE and run.due > ended:
                continue
            away = run.hours.charged(since, ended)
            due = run.hours.until(run.due, away) if away else run.due
            grace = ended + run.acts - max(since, run.due) if since < run.acts else 0
            acts = max(run.acts + due - run.due, grace if due < ended else 0)
            if away:
                run.bank_from = run.hours.until(run.bank_from, away)
            if (due, acts) != (run.due, run.acts):
                self._show(run, run.bank_from, due, acts)

    def announce(self, at: int, player: str) -> None:
        """Leave was announced: what is left of the player's time passes over it."""
        for run in self.open.values():
            if run.player != player or not self.terms.leave_days:
                continue
            away = self._away(player, at, run.away)
            if away == run.away:
                continue
            left = self._left(run, at)
            run.away, run.hours = away, self._calendar(player, away)
            if run.due is not None:
                bank_from = run.hours.until(at, left[0])
                due = run.hours.until(bank_from, left[1]) if left[1] else bank_from
                self._show(run, max(bank_from, run.bank_from), max(due, run.due), run.acts)

    # -- steps

    def _expire(self, commit: Commit) -> None:
        for number, one in enumerate(commit.events):
            if not isinstance(one, e.TurnExpired):
                continue
            run = self.open.get(one.seat)
            if run is None or run.due is None:
                self.wrong.append(
                    ("early", f"seat {one.seat} expired with {commit.first + number} and owed nothing then")
                )
            else:
                run.expiries.append((commit.at, run.acts, commit.first + number))
                run.how = "expired"

    def _charge(self, commit: Commit, ended: Iterable[int]) -> None:
        """Banks: what an answer used up, and the increment; the log must say the same."""
        told = {one.seat: one.left for one in commit.events if isinstance(one, e.BankChanged)}
        if not self.terms.bank:
            if told:
                self.wrong.append(("bank", f"there is none, and {commit.last} changes one"))
            return
        expired = {one.seat for one in commit.events if isinstance(one, e.TurnExpired)}
        for seat in ended:
            run = self.open[seat]
            rest = self._left(run, max(self._charged_until(commit.at), run.began))[1]
            left = 0 if seat in expired else min(self.terms.bank, rest + self.terms.increment)
            changed = left != self._bank(seat)
            expected = (left * 24 // 14 if self.terms.quiet else left) // SECOND if changed else None
            if told.pop(seat, None) != expected:
                self.wrong.append(("bank", f"of seat {seat} at {commit.last} is not {expected}"))
            if expected is not None:
                self.banks[seat] = expected
        if told:
            self.wrong.append(("bank", f"of {sorted(told)} changed at {commit.last} without an answer"))

    def _give_back(self, commit: Commit, back: e.Rewound) -> None:
        """Banks are what they were where the game goes back to."""
        then = max((one for one in self.banks_after if one[0] <= back.to), default=(0, {}), key=lambda one: one[0])[1]
        for one in commit.events:
            if isinstance(one, e.BankChanged):
                full = self.terms.bank * 24 // 14 if self.terms.quiet else self.terms.bank
                if one.left != then.get(one.seat, full // SECOND):
                    self.wrong.append(("bank", f"of seat {one.seat} at {commit.last} is not what it was at {back.to}"))
                self.banks[one.seat] = one.left

    def _end(self, commit: Commit, seat: int) -> None:
        run = self.open.pop(seat)
        run.ended, run.ended_at = commit.last, commit.at
        run.last_due, run.last_acts = run.due or 0, run.acts
        if run.how == "open" or (run.expiries and run.expiries[-1][2] < commit.first):
            run.how = "answered" if commit.table.status == "running" or run.due else "over"

    def _begin(self, commit: Commit, seat: int) -> None:
        player = commit.table.chairs[seat].player or ""
        away = self._away(player, commit.at, ()) if self.terms.leave_days else ()
        run = Run(seat, commit.last, player, commit.at, self._calendar(player, away), away)
        move, bank = self.terms.per_move, self._bank(seat)
        if commit.table.paused:
            run.left = (move, bank)
        else:
            self._start(run, commit.at, move, bank)
        self.open[seat] = run
        self.runs.append(run)

    def _move(self, one: Any, commit: Commit) -> None:
        match one:
            case e.ClockPaused(seat=late):
                for run in self.open.values():
                    move, bank = self._left(run, max(self._charged_until(commit.at), run.began))
                    run.left = (self.terms.per_move if run.seat == late else move, bank)
                    run.due, run.acts = None, 0
                    run.moved += 1
            case e.ClockResumed():
                for run in self.open.values():
                    if run.left is not None:
                        self._start(run, commit.at, *run.left)
            case e.TimeExtended(seconds=seconds):
                more = seconds * SECOND
                more = -(-more * 14 // 24) if self.terms.quiet else more
                for run in self.open.values():
                    if run.due is not None:
                        bank_from, due = run.hours.until(run.bank_from, more), run.hours.until(run.due, more)
                        self._show(run, bank_from, due, run.acts)

    def _rebegin(self, run: Run, now: int) -> None:
        """What was taken back freely is owed since it was asked at first: how long that is left is not reckoned again
        here, only that it is an hour at the least."""
        if run.due is not None:
            run.loose = True
            due = run.hours.until(now, min(LEAST, self.terms.per_move))
            run.acts = 0
            run.dues.clear()
            self._show(run, due, due, 0)

    # -- clocks

    def _start(self, run: Run, at: int, move: int, bank: int) -> None:
        bank_from = run.hours.until(at, move)
        run.left = None
        self._show(run, bank_from, run.hours.until(bank_from, bank) if bank else bank_from, 0)

    def _show(self, run: Run, bank_from: int, due: int, acts: int) -> None:
        if run.hours is not Always:
            due = -(-due // (60 * MINUTE)) * 60 * MINUTE  # the hours of a person end at a full hour
        run.bank_from, run.due = bank_from, due
        run.acts = max(acts, due + self.terms.grace)
        run.dues.append(due)
        run.moved += 1

    def _left(self, run: Run, at: int) -> tuple[int, int]:
        if run.due is None:
            return run.left or (0, 0)
        return run.hours.charged(at, run.bank_from), run.hours.charged(max(at, run.bank_from), run.due)

    def _charged_until(self, at: int) -> int:
        """What passes in an outage costs nothing, and after ten minutes it is known for one."""
        away = next((last for last, back in self.outages if last + OUTAGE < at < back), None)
        return at if away is None else away

    def _bank(self, seat: int) -> int:
        if seat not in self.banks:
            return self.terms.bank
        left = self.banks[seat] * SECOND
        return -(-left * 14 // 24) if self.terms.quiet else left

    def _calendar(self, player: str, away: tuple[date, ...]) -> Calendar | type[Always]:
        if not (self.terms.quiet or self.terms.weekends or away):
            return Always
        person = Person(int(player.removeprefix("p_")))
        wakes = person.wakes_at if self.terms.quiet else None
        return calendar(*self.span, person.zone, wakes, self.terms.weekends, away)

    def _away(self, player: str, at: int, passed: tuple[date, ...]) -> tuple[date, ...]:
        """The days of leave that count: those passed over, then the earliest announced by now since it was opened."""
        person = Person(int(player.removeprefix("p_")))
        days = {
            date.fromisoformat(one.first) + timedelta(days=n)
            for one in self.leaves
            if one.who == person.number and one.at <= at
            for n in range((date.fromisoformat(one.last) - date.fromisoformat(one.first)).days + 1)
        }
        today = (EPOCH + timedelta(microseconds=self.opened)).astimezone(ZoneInfo(person.zone)).date()
        days = {day for day in days if day >= today}
        if self.terms.weekends:  # they do not count anyhow
            days = {day for day in days if day.weekday() < SATURDAY}
        fresh = sorted(days - set(passed))[: max(0, self.terms.leave_days - len(passed))]
        return tuple(sorted({*passed, *fresh}))


@lru_cache(64)
def calendar(first: int, last: int, zone: str, wakes: int | None, weekends: bool, away: tuple[date, ...]) -> Calendar:
    """A calendar that may be of use again."""
    return Calendar(first // MINUTE * MINUTE, last, zone, wakes, weekends=weekends, away=away)
