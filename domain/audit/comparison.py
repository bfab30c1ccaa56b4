"""A record that is already written: the facts that the rules make are compared with those of a history."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from domain.audit.differences import Departed, Difference, another, cited, is_draw, otherwise, uncalled
from domain.engine.game import Dice, Event
from domain.engine.refusals import OrderNotUnderstood
from domain.history.codec import History
from domain.table import events as e
from domain.table.evolve import Rules, apply, fold
from domain.table.record import Actor, Fact, Record
from domain.table.state import Table
from domain.table.undo import Past

UNKNOWN: Final = "00" * 32
"""Stands for a seed that is sealed: what is drawn with it is not looked at."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as it is known: who made it true, the request that did, the action it records in notation ("" for
    none), and whether a leaf of it is shut."""

    version: int
    actor: Actor
    cause: str
    event: Event
    text: str = ""
    shut: bool = False


class Cut(Exception):
    """The history ends in the midst of a request: that may be all right."""


class Unseen(Exception):
    """What was ordered is in a leaf that is shut."""


class Compared(Record):
    """`place` is the entry that is looked at next; `table` is what those before it make of the game."""

    def __init__(self, kept: History, entries: Sequence[Entry]) -> None:
        sealed = bool(entries) and entries[0].shut
        self.rules: Rules = (
            replace(kept.rules, decider=replace(kept.rules.decider, chance=self._recorded_draw))
            if sealed
            else kept.rules
        )
        self.table = Table()
        self.facts: list[Fact] = []
        self.shut = {}
        self.kept = kept
        self.entries = entries
        self.past: list[Past] = []
        self.place = 0

    # -- what is there

    def peek(self, ahead: int = 0) -> Entry | None:
        """The entry that comes next, or so many after it; None at the end."""
        place = self.place + ahead
        return self.entries[place] if place < len(self.entries) else None

    def take(self) -> None:
        """The next entry is as it should be, or has to be taken as it is. Raises whatever a fold raises."""
        entry = self.entries[self.place]
        apply(self.table, self.rules, entry.event, [past.event for past in self.past] if _goes_back(entry) else ())
        self._taken(entry)

    def _taken(self, entry: Entry) -> None:
        if self.table.seed is None:
            self.table.seed = UNKNOWN
        self.facts.append(Fact(entry.actor, entry.event))
        sealed = bool(entry.text or type(entry.event).SEALED)
        self.past.append(Past(entry.version, entry.actor, entry.cause, entry.event, sealed))
        self.place += 1

    def then(self, to: int) -> Table:
        """The table as it was after event `to`."""
        return fold(Table(), self.rules, [past.event for past in self.past[:to]])

    def in_the_dark(self) -> bool:
        """Whether the state lacks something that is sealed."""
        versions = [*self.table.unopened.values(), *(filed.version for filed in self.table.orders.values())]
        return any(self.entries[version - 1].shut for version in versions)

    # -- what the rules make

    def add(self, actor: Actor, *events: Event, text: str = "") -> None:
        """Compare facts with the entries that come next. Raises Departed for the first that is another, Cut."""
        for event in events:
            self._compare(actor, event, text)
            self.take()
            text = ""

    def go_back(self, actor: Actor, event: Event, then: Table) -> None:
        """The same of the fact that goes back to where the game stood before."""
        entry = self._compare(actor, event, "")
        apply(self.table, self.rules, entry.event, then)
        self._taken(entry)

    def _compare(self, actor: Actor, event: Event, text: str) -> Entry:
        entry = self.peek()
        if entry is None:
            raise Cut
        found = entry.event
        if entry.shut:
            event, found = (
                msgspec.structs.replace(side, **dict.fromkeys(type(side).SEALED)) for side in (event, found)
            )
        if type(found) is not type(event):
            made = another(entry.version, self.name(found), found, event, self.name(event))
            raise Departed(made)
        if found != event and msgspec.to_builtins(found) != msgspec.to_builtins(event):
            made = otherwise(entry.version, self.name(found), found, event)
            raise Departed(made, sure=type(event) in self.rules.decider.evolve and not is_draw(event))
        if entry.actor != actor:
            raise Departed(self._of(entry, "it is recorded as the act of somebody else"))
        if not entry.shut and text != entry.text and not self._same_order(text, entry.text):
            raise Departed(self._of(entry, "its text is another order than the one it follows from"))
        return entry

    def departed(self) -> Departed:
        """The next entry follows from nothing."""
        entry = self.entries[self.place]
        asked = sorted(self.rules.decider.awaiting(self.table.game)) if self.table.status == "running" else []
        seats = ", ".join(str(seat) for seat in asked if seat >= 0)
        waits = f"the game waits for seat {seats}" if seats else f"the table is {self.table.status}"
        return Departed(uncalled(entry.version, self.name(entry.event), entry.event, waits))

    def name(self, event: Event) -> str:
        """What a type of event is stored as."""
        return self.kept.names[type(event)]

    def names(self) -> Sequence[str]:
        """What the notation calls the seats in a history."""
        return self.rules.notation.pawns[: len(self.table.chairs)]

    def _of(self, entry: Entry, sentence: str) -> Difference:
        kind = type(entry.event)
        return Difference(entry.version, self.kept.names[kind], cited(kind), sentence, is_draw(entry.event))

    def _same_order(self, text: str, recorded: str) -> bool:
        """Whether two texts are one order: the notation may have become prettier since."""
        parse: Any = self.rules.notation.parse
        if isinstance(self.entries[self.place].event, e.OrdersFiled) and self.rules.standing_orders is not None:
            parse = self.rules.standing_orders.parse
        try:
            return bool(text and recorded) and parse(text, self.names()) == parse(recorded, self.names())
        except OrderNotUnderstood:
            return False

    def _recorded_draw(self, state: Any, dice: Dice) -> Any:
        """The action of chance with what was recorded as its result, while the seed is sealed."""
        action, entry = self.kept.rules.decider.chance(state, dice), self.peek()
        result = getattr(entry.event, "result", None) if entry is not None else None
        if isinstance(result, dict) and isinstance(action.result, dict):
            result = {key: result.get(key, 0) for key in (*action.result, *result)}
        return action if result is None else msgspec.structs.replace(action, result=result)


def _goes_back(entry: Entry) -> bool:
    return isinstance(entry.event, e.Rewound)
