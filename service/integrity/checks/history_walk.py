"""The whole history of a game, gone through once: what it makes of the table, and what was owed after each request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.engine.canonical import canonical
from domain.engine.game import NOBODY, Event, Seat
from domain.history.codec import History, history, owners, unseal
from domain.table import events as e
from domain.table.clock import ClockFold, Question
from domain.table.record import Fact
from domain.table.state import Table
from domain.table.undo import Past
from service.integrity.checks.findings import Place
from service.store.games.thoughts import Asked, asked_bots, think_on


@dataclass(frozen=True, slots=True)
class Thinking:
    """A bot that thinks about what it is asked, and the event at which it was asked."""

    asked: Asked
    since: int


@dataclass(slots=True)
class Walk:
    """A history, walked: its clock with the table and the events.

    `ends` are the last events of requests. `opened` is by leaf; it is None if the leaf is shut. `thinking` are the bots
    that think in the end.
    """

    kept: History
    clock: ClockFold
    ends: list[int] = field(default_factory=list)
    opened: dict[Place, int | None] = field(default_factory=dict)
    thinking: dict[Seat, Thinking] = field(default_factory=dict)

    @property
    def table(self) -> Table:
        """Return the table in the end."""
        return self.clock.table

    @property
    def events(self) -> list[Event]:
        """Return the events of the whole history."""
        return self.clock.events

    @property
    def last(self) -> dict[Seat, Question]:
        """Return the questions that are asked now, by seat."""
        return self.clock.asked

    @property
    def begun(self) -> dict[tuple[int, Seat], Question]:
        """Return every question that was ever asked, by event and seat."""
        asked = [*self.clock.over, *self.clock.asked.values()]
        return {(question.since, question.seat): question for question in asked}


def walk(entries: Sequence[Mapping[str, Any]], contents: Mapping[Place, Mapping[str, Any]]) -> Walk:
    """Go through a history whose chain and leaves hold.

    Raises what the rules raise for events that do not belong to them: BrokenHistory, UnknownSchema or anything else.
    """
    kept = history(entries[0]["data"]["ruleset"])
    done = Walk(kept, ClockFold(kept.rules))
    shut: dict[Seat, int] = {}
    stood: list[dict[Seat, int]] = [{}]
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
        done.clock.add(
            Past(version, entry["actor"], entry["cause"], event, at=entry["at"], due=entry["data"].get("due"))
        )
        if isinstance(event, e.Rewound):
            shut = dict(stood[event.to])
        stood.append(dict(shut))
        request.append(Fact(entry["actor"], event))
        if place + 1 == len(entries) or entries[place + 1]["cause"] != entry["cause"]:
            done.clock.end_request()
            done.ends.append(version)
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


def _find_thinking(done: Walk, request: Sequence[Fact], version: int) -> dict[Seat, Thinking]:
    """Return the bots that think after a request that ended with this event."""
    before, now = done.thinking, asked_bots(done.table, done.kept.rules)
    going_on = think_on({seat: thinking.asked for seat, thinking in before.items()}, now, request)
    return {seat: before[seat] if seat in going_on else Thinking(asked, version) for seat, asked in now.items()}
