"""Events in stored form and back: typed facts on this side, canonical bytes and sealed leaves on that.

One `History` for each ruleset knows the stored name of every event, the table's and the game's.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal

import msgspec

from domain.engine.canonical import canonical
from domain.engine.game import NOBODY, Event, Seat
from domain.history.envelope import Leaf, event_hash
from domain.history.upcasts import newest, upcast, upcast_leaf
from domain.rulesets import ruleset
from domain.table.events import EVENTS
from domain.table.evolve import Rules
from domain.table.record import Fact


class UnknownSchema(Exception):
    """An event of a type or a schema that a later Wardroom writes. `reason` goes on after "event 17: "."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(f"Event {version} {reason.removeprefix('it ')}.")
        self.version = version
        self.reason = reason


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
    types: Mapping[str, type[Event]]
    decoders: Mapping[str, Callable[[bytes | str], Any]]
    """Stored bodies of the newest schema to envelopes, whose `data` is the event: the inside of `read` for whoever
    reads a whole stream. A name that nobody knows has one that says so."""
    schemas: Mapping[str, int]
    """The newest schema of every type: the one it is written in."""

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
                "schema": self.schemas[name],
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
        """The event of a stored body of this type, of whatever schema, without what is sealed.

        Raises UnknownSchema for what this Wardroom cannot read yet, msgspec.ValidationError for a body that is no
        such event.
        """
        try:
            event: Event = self.decoders[name](body).data
        except msgspec.ValidationError as error:
            event = self.read_older(name, body, error)
        return event

    def read_older(self, name: str, body: bytes | str, error: msgspec.ValidationError) -> Event:
        """The event of a body that its decoder refuses with this error, where that is of an earlier schema."""
        told, known = _header(body), self.schemas[name]
        if told.type != name or told.schema == known:
            raise error
        if told.schema > known:
            says = f"it is a {told.type} of schema {told.schema}, and this Wardroom reads up to {known}"
            raise UnknownSchema(told.version, f"{says}: install a newer one") from error
        try:
            return msgspec.convert(upcast(self.types[name], told.schema, told.data), self.types[name])
        except (KeyError, ValueError) as none:
            raise msgspec.ValidationError(str(none)) from error


def unseal(event: Event, data: Mapping[str, Any]) -> Event:
    """The event with what a leaf of its says, of whatever schema."""
    return msgspec.convert({**msgspec.to_builtins(event), **upcast_leaf(type(event), data)}, type(event))


def owners(event: Event) -> dict[Seat | str, list[str]]:
    """Who owns which sealed fields of an event, in the order of its leaves."""
    table: dict[Seat | str, list[str]] = {}
    for field, owner in type(event).SEALED.items():
        table.setdefault(NOBODY if owner == NOBODY else getattr(event, owner), []).append(field)
    return table


def _split(fact: Fact, salt: Callable[[], bytes]) -> tuple[dict[str, Any], list[Leaf]]:
    data: dict[str, Any] = msgspec.to_builtins(fact.event)
    if fact.due is not None:
        data["due"] = dict(fact.due)
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
    types |= {f"{kind}.{name}": event for name, event in rules.decider.events.items()}
    return History(
        rules,
        {event: name for name, event in types.items()},
        types,
        _Decoders({name: _decoder(name, event) for name, event in types.items()}),
        {name: newest(event) for name, event in types.items()},
    )


class _Decoders(dict[str, Callable[[bytes | str], Any]]):
    """Decoders by type; of a type that nobody knows, one that says so."""

    def __missing__(self, name: str) -> Callable[[bytes | str], Any]:
        return partial(_unknown, name)


def _unknown(name: str, body: bytes | str) -> Any:
    raise UnknownSchema(
        _header(body).version, f"it is a {name}, which this Wardroom does not know: install a newer one"
    )


def _decoder(name: str, event: type[Event]) -> Callable[[bytes | str], Any]:
    """One for each type: in the canonical order the type comes last, and a union would read every body twice."""
    fields = [("data", event), ("schema", Literal[newest(event)])]
    envelope = msgspec.defstruct(event.__name__ + "Envelope", fields, tag_field="type", tag=name, gc=False)
    return msgspec.json.Decoder(envelope).decode


class _Header(msgspec.Struct):
    """What tells how to read a body that is not of the newest schema."""

    version: int
    type: str
    schema: int
    data: dict[str, Any]


_header = msgspec.json.Decoder(_Header).decode
