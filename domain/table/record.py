"""A record in the making: facts, who made them true, and the table after each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from domain.engine.game import Event, Seat
from domain.table.evolve import Rules, apply, copy
from domain.table.state import Table

Actor = dict[str, Any]
CLOCK: Final[Actor] = {"clock": True}
OPERATOR: Final[Actor] = {"operator": True}
"""Who runs the service, which is no player; the host of a table is one."""


def seat_actor(seat: Seat) -> Actor:
    """The actor of what a seat does."""
    return {"seat": seat}


Due = Mapping[str, str | None]
"""Deadlines by seat, as a decimal: a time in RFC 3339 UTC with microseconds, or None while the clock stands."""


@dataclass(frozen=True, slots=True)
class Fact:
    """An event to be recorded, and who made it true.

    `text` is the action it records in the game's notation, "" for none. `due` are the deadlines that it carries.
    """

    actor: Actor
    event: Event
    text: str = ""
    due: Due | None = None


class Record:
    """Facts as they come about at one table. The table given is left as it was.

    `shut` are the leaves that an opening would open before any of these facts: the last of each seat, by version.
    """

    def __init__(self, table: Table, rules: Rules) -> None:
        self.rules = rules
        self.table = copy(table, rules)
        self.facts: list[Fact] = []
        self.shut = dict(table.unopened)

    def add(self, actor: Actor, *events: Event, text: str = "") -> None:
        """Add facts made true by `actor`; the first of them records the action `text`."""
        for event in events:
            apply(self.table, self.rules, event)
            self.facts.append(Fact(actor, event, text))
            text = ""

    def set_due(self, due: Due) -> None:
        """Let the last fact carry the deadlines that these facts set or move."""
        if due:
            self.facts[-1] = replace(self.facts[-1], due=due)

    def go_back(self, actor: Actor, event: Event, then: Table) -> None:
        """Add the fact that the game stands where it stood before; `then` is the table as it was there."""
        apply(self.table, self.rules, event, then)
        self.shut = dict(then.unopened)
        self.facts.append(Fact(actor, event))


Told = tuple[Actor, Event]
"""Who made an event true, and the event."""


def is_of_one(events: Sequence[Told], seat: Seat) -> bool:
    """Return whether only this seat acted in these events, and nothing was opened, drawn or done by a clock (Q-12)."""
    opened = any(event.OPENS for _, event in events)
    clock = any("clock" in actor for actor, _ in events)
    return acting(events) == {seat} and not opened and not clock and not is_drawn(events)


def acting(events: Iterable[Told]) -> set[Seat]:
    """Return the seats that acted in these events."""
    return {actor["seat"] for actor, _ in events if "seat" in actor}


def is_drawn(events: Iterable[Told]) -> bool:
    """Return whether chance had a part in these events."""
    return any("chance" in actor or "draw" in type(event).__struct_fields__ for actor, event in events)
