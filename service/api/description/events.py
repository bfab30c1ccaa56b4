"""The schemas of recorded events: an envelope (DESIGN 3) for each type, with the data of its own."""

from typing import Any, Final

from domain.engine.game import Event
from domain.history.upcasts import newest
from domain.rulesets import RULESETS
from domain.table.events import EVENTS
from service.api.description.naming import Schema, components, pascal, ref, union

HASH: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "SHA-256, hex"}
TEXT: Final[Schema] = {"type": "string", "description": "the action it records, in the game's notation"}
DUE: Final[Schema] = {
    "type": "object",
    "additionalProperties": {"type": ["string", "null"], "format": "date-time"},
    "description": "by seat, the deadlines that the request of this event set or moved; null while the clock stands",
}
ACTOR: Final[Schema] = {
    "title": "Actor",
    "description": "who made it true, in one property: a seat, the host, chance, the clock or the operator",
    "type": "object",
    "minProperties": 1,
    "maxProperties": 1,
    "properties": {
        "seat": {"type": "integer"},
        "chance": {"type": "integer", "description": "the number of the draw"},
        "clock": {"type": "boolean"},
        "host": {"type": "string", "description": "the id of the player"},
        "operator": {"type": "boolean"},
    },
}
LEAF: Final[Schema] = {
    "title": "SealedLeaf",
    "description": "a part that only its owner may read until it is opened: then with `data` and `salt`",
    "type": "object",
    "required": ["for", "commitment"],
    "properties": {
        "for": {"anyOf": [{"type": "integer"}, {"type": "string", "enum": ["nobody"]}], "description": "the owner"},
        "commitment": HASH,
        "data": {"type": "object", "additionalProperties": True, "description": "the sealed fields of the event"},
        "salt": HASH | {"description": "32 bytes, hex"},
    },
}


def event_schemas() -> dict[str, Schema]:
    """The components of all events: `Event` over them, and the `ForeseenEvent` of a dry run."""
    found: dict[str, Schema] = {"Actor": ACTOR, "SealedLeaf": LEAF}
    names = _add(found, "table", EVENTS)
    for kind, rules in RULESETS.items():
        names += _add(found, kind, rules.decider.events)
    found["Event"] = union(names, found, "type", "A recorded event; told apart by `type`.")
    kinds = sorted(found["Event"]["discriminator"]["mapping"])
    found["ForeseenEvent"] = {
        "title": "ForeseenEvent",
        "description": "An event that a dry run foresees: not recorded, so without an envelope.",
        "type": "object",
        "required": ["type", "actor", "data"],
        "properties": {
            "type": {"type": "string", "enum": kinds},
            "actor": ref("Actor"),
            "data": {"type": "object", "additionalProperties": True},
        },
    }
    return found


def _add(found: dict[str, Schema], kind: str, events: Any) -> list[str]:
    """Add the events of the table or of a ruleset; the names of their envelopes."""
    prefix = pascal(kind)
    types: list[type[Event]] = list(events.values())
    found |= components(types, prefix, {event.__name__: f"{event.__name__}Data" for event in types})
    for name, event in events.items():
        data = found[f"{prefix}{event.__name__}Data"]
        found[f"{prefix}{event.__name__}Data"] = _public(event, data)
        found[f"{prefix}{event.__name__}Event"] = _envelope(f"{kind}.{name}", f"{prefix}{event.__name__}", event)
    return [f"{prefix}{event.__name__}Event" for event in types]


def _public(event: type[Event], data: Schema) -> Schema:
    """The data that everybody sees: all fields but the sealed ones, which stand in a leaf."""
    fields = {name: field for name, field in data.get("properties", {}).items() if name not in event.SEALED}
    return {
        "title": data["title"],
        "description": data.get("description", ""),
        "type": "object",
        "required": sorted(fields),
        "properties": fields | {"text": TEXT, "due": DUE},
    }


def _envelope(kind: str, name: str, event: type[Event]) -> Schema:
    """Return the envelope of a type. An event of an older schema is shown as it was written."""
    older: Schema = {"type": "object", "additionalProperties": True, "description": "of an older schema"}
    data = ref(f"{name}Data")
    properties = {
        "game": {"type": "string"},
        "version": {"type": "integer", "description": "its number in the game, from 1"},
        "type": {"type": "string", "enum": [kind]},
        "schema": {"type": "integer", "description": f"the schema of `data`; now {newest(event)}"},
        "actor": ref("Actor"),
        "cause": {"type": "string", "description": "an opaque id of the request that caused it"},
        "at": {"type": "string", "format": "date-time"},
        "data": {"anyOf": [data, older]} if event.UPCASTS else data,
        "sealed": {"type": "array", "items": ref("SealedLeaf")},
        "previous": HASH | {"description": "the hash of the event before it; 64 zeros for the first"},
        "hash": HASH,
    }
    undone = {"type": "integer", "description": "the event with which the game went back to before this one"}
    return {
        "title": f"{name}Event",
        "description": (event.__doc__ or "").split("\n\n")[0],
        "type": "object",
        "required": sorted(properties),
        "properties": properties | {"undone_by": undone},
    }
