"""Events in stored form and back: typed facts on this side, canonical bytes and sealed leaves on that.

One `History` for each ruleset knows the stored name of every event, the table's and the game's.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

import msgspec

from domain.canonical import canonical
from domain.decider import NOBODY, Event, Seat
from domain.envelope import Leaf, event_hash
from domain.rulesets import ruleset
from domain.table.events import EVENTS
from domain.table.evolve import Rules
from domain.table.record import Fact

SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Stored:
    """One event as it is kept: the canonical bytes that are hashed, their hash, and the leaves beside them."""

    version: int
    type: str
    body: bytes
    hash: str
    leaves: list[Leaf]


@dataclass(frozen=True, slots=True)
class History:
    """The stored form of one ruleset's games."""

    rules: Rules
    names: Mapping[type[Event], str]
    decoders: Mapping[str, Callable[[bytes | str], Any]]

    def store(
        self,
        game: str,
        version: int,
        fact: Fact,
        *,
        cause: str,
        at: str,
        previous: str,
        salt: Callable[[], bytes],
    ) -> Stored:
        """A fact in its envelope; `at` is RFC 3339 UTC with microseconds, `salt` makes 32 fresh random bytes."""
        name = self.names[type(fact.event)]
        data, leaves = _split(fact, salt)
        sealed = [{"for": leaf.owner, "commitment": leaf.commitment} for leaf in leaves]
        body = canonical(
            {
                "game": game,
                "version": version,
                "type": name,
                "schema": SCHEMA,
                "actor": fact.actor,
                "cause": cause,
                "at": at,
                "data": data,
                "sealed": sealed,
                "previous": previous,
            }
        )
        return Stored(version, name, body, event_hash(body), leaves)

    def read(self, name: str, body: bytes | str) -> Event:
        """The event of a stored body of this type, without what is sealed.

        Raises KeyError for a type this ruleset does not have, msgspec.ValidationError for a body that is none of it.
        """
        event: Event = self.decoders[name](body).data
        return event


def unseal(event: Event, data: Mapping[str, Any]) -> Event:
    """The event with what a leaf of its says."""
    return msgspec.convert({**msgspec.to_builtins(event), **data}, type(event))


def owners(event: Event) -> dict[Seat | str, list[str]]:
    """Who owns which sealed fields of an event, in the order of its leaves."""
    table: dict[Seat | str, list[str]] = {}
    for field, owner in type(event).SEALED.items():
        table.setdefault(NOBODY if owner == NOBODY else getattr(event, owner), []).append(field)
    return table


def _split(fact: Fact, salt: Callable[[], bytes]) -> tuple[dict[str, Any], list[Leaf]]:
    data: dict[str, Any] = msgspec.to_builtins(fact.event)
    text = {"text": fact.text} if fact.text else {}
    if not type(fact.event).SEALED:
        return data | text, []
    leaves = [
        Leaf(owner, {field: data.pop(field) for field in fields} | (text if owner != NOBODY else {}), salt())
        for owner, fields in owners(fact.event).items()
    ]
    return data, leaves


@cache
def history(kind: str) -> History:
    """The history of the ruleset called `kind`. Raises KeyError where there is no such ruleset."""
    rules = ruleset(kind)
    types: dict[str, type[Event]] = {f"table.{name}": event for name, event in EVENTS.items()}
    types |= {f"{kind}.{name}": event for name, event in rules.events.items()}
    return History(rules, {event: name for name, event in types.items()}, {n: _decoder(n, e) for n, e in types.items()})


def _decoder(name: str, event: type[Event]) -> Callable[[bytes | str], Any]:
    """One for each type: in the canonical order the type comes last, and a union would read every body twice."""
    fields = [("data", event), ("schema", Literal[1])]
    envelope = msgspec.defstruct(event.__name__ + "Envelope", fields, tag_field="type", tag=name)
    return msgspec.json.Decoder(envelope).decode
