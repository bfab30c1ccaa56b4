"""The whole history of a game, gone through once: what it makes of the table, and what was owed after each request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.engine.canonical import canonical
from domain.engine.game import NOBODY, Event, Seat
from domain.history.codec import History, history, owners, unseal
from domain.table import events as e
from domain.table.evolve import apply
from domain.table.record import Fact
from domain.table.state import Table
from service.integrity.checks.findings import Place
from service.store.clocks.decisions import owed_decisions
from service.store.games.thoughts import Asked, asked_bots, think_on


@dataclass(frozen=True, slots=True)
class Owed:
    """An answer that is owed: what it is about, since which event, what was in the bank then in seconds (None: all of
    it), whether the clock stood, and who owes it."""

    decision: str
    since: int
    bank: int | None
    paused: bool
    player: str | None


@dataclass(frozen=True, slots=True)
class Thinking:
    """A bot that thinks about what it is asked, and the event at which it was asked."""

    asked: Asked
    since: int


@dataclass(slots=True)
class Walk:
    """A history, walked. `owed` is by the last event of each request; `opened` by leaf, None for one that is shut;
    `thinking` is as it is in the end."""

    kept: History
    table: Table = field(default_factory=Table)
    events: list[Event] = field(default_factory=list)
    owed: dict[int, dict[Seat, Owed]] = field(default_factory=dict)
    opened: dict[Place, int | None] = field(default_factory=dict)
    thinking: dict[Seat, Thinking] = field(default_factory=dict)

    @property
    def last(self) -> dict[Seat, Owed]:
        """The answers that are owed now, by seat."""
        return self.owed[len(self.events)]

    @property
    def begun(self) -> dict[tuple[int, Seat], Owed]:
        """Every answer that ever began to be owed, by event and seat."""
        return {(answer.since, seat): answer for owed in self.owed.values() for seat, answer in owed.items()}


def walk(entries: Sequence[Mapping[str, Any]], contents: Mapping[Place, Mapping[str, Any]]) -> Walk:
    """Go through a history whose chain and leaves hold.

    Raises what the rules raise over events that are none of theirs: BrokenHistory, UnknownSchema or anything else.
    """
    done = Walk(history(entries[0]["data"]["ruleset"]))
    shut: dict[Seat, int] = {}
    stood: list[dict[Seat, int]] = [{}]
    owed: dict[Seat, Owed] = {}
    request: list[Fact] = []
    for place, entry in enumerate(entries):
        version = entry["version"]
        event = _read_event(done.kept, entry, contents)
        for number, leaf in enumerate(entry["sealed"]):
            done.opened[version, number] = None
            if leaf["for"] != NOBODY and not event.LASTS:
                shut[leaf["for"]] = version
        if isinstance(event, e.SeedRevealed):
            _open(done, version, set(range(1, version + 1)))
        elif event.OPENS:
            _open(done, version, set(shut.values()))
            shut = {}
        apply(done.table, done.kept.rules, event, done.events)
        done.events.append(event)
        if isinstance(event, e.Rewound):
            shut = dict(stood[event.to])
        stood.append(dict(shut))
        request.append(Fact(entry["actor"], event))
        if place + 1 == len(entries) or entries[place + 1]["cause"] != entry["cause"]:
            owed = _find_owed(done, owed, version)
            done.owed[version] = owed
            done.thinking = _find_thinking(done, request, version)
            request = []
    return done


def _read_event(kept: History, entry: Mapping[str, Any], contents: Mapping[Place, Mapping[str, Any]]) -> Event:
    event = kept.read(entry["type"], canonical(entry))
    for number, _ in enumerate(owners(event)):
        event = unseal(event, contents[entry["version"], number]["data"])
    return event


def _open(done: Walk, version: int, versions: set[int]) -> None:
    """Leaves of these events that are shut are opened by this one."""
    for place, opened in done.opened.items():
        if opened is None and place[0] in versions:
            done.opened[place] = version


def _find_owed(done: Walk, before: Mapping[Seat, Owed], version: int) -> dict[Seat, Owed]:
    """The answers that are owed after a request that ended with this event."""
    now = owed_decisions(done.table, done.kept.rules)
    kept = {seat: answer for seat, answer in before.items() if now.get(seat) == answer.decision}
    chairs, paused = done.table.chairs, done.table.paused
    begun = {
        seat: Owed(decision, version, chairs[seat].bank, paused, chairs[seat].player)
        for seat, decision in now.items()
        if seat not in kept
    }
    return begun | kept


def _find_thinking(done: Walk, request: Sequence[Fact], version: int) -> dict[Seat, Thinking]:
    """The bots that think after a request that ended with this event."""
    before, now = done.thinking, asked_bots(done.table, done.kept.rules)
    going_on = think_on({seat: thinking.asked for seat, thinking in before.items()}, now, request)
    return {seat: before[seat] if seat in going_on else Thinking(asked, version) for seat, asked in now.items()}
