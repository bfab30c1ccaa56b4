"""What marshmallow's schemas leave open: moments, hashes, words of a fixed list, and the documents of rulesets."""

from typing import Any, Final, get_args, get_type_hints

from domain.rulesets import RULESETS
from domain.table.evolve import Rules
from domain.table.state import Status
from service.api.description.naming import Schema, ref
from service.api.description.problem_codes import CODES

MOMENTS: Final = frozenset(
    "at due due_with_leave failing_since now old_secret_until old_until paused_until time until was".split()
)
"""Properties that hold a moment, besides all that end with `_at`."""


def _phases(rules: Rules) -> list[str]:
    """The words of a ruleset for what it can ask, as its positions have them under `phase`."""
    phases = get_args(get_type_hints(rules.decider.document)["phase"]) if rules.decider.document else ()
    return [phase for phase in phases if phase != "over"]


PHASES: Final = {kind: _phases(rules) for kind, rules in RULESETS.items()}
DECISION: Final[Schema] = {
    "type": "string",
    "pattern": f"^({'|'.join(sorted({phase for phases in PHASES.values() for phase in phases}))})-[0-9a-z-]+$",
    "description": "what is asked, a word of the game ("
    + "; ".join(f"{kind}: {', '.join(phases)}" for kind, phases in PHASES.items())
    + "), and what tells it from others of its kind: the same text is the same decision",
}
DEADLINE: Final[Schema] = {
    "title": "OwedAnswer",
    "description": "when the answer of a seat is due, and since which event it is owed",
    "type": "object",
    "required": ["seat", "decision", "since", "due"],
    "properties": {
        "seat": {"type": "integer"},
        "decision": DECISION,
        "since": {"type": "integer"},
        "due": {"type": ["string", "null"], "format": "date-time"},
    },
}
PATCH: Final[Schema] = {
    "title": "PatchOperation",
    "description": "one operation of a JSON Patch (RFC 6902)",
    "type": "object",
    "required": ["op", "path"],
    "properties": {
        "op": {"type": "string", "enum": ["add", "remove", "replace", "move", "copy", "test"]},
        "path": {"type": "string"},
        "from": {"type": "string"},
        "value": {},
    },
}
BY_TEXT: Final[Schema] = {
    "title": "MoveByText",
    "description": "Orders in the game's notation, one a line.",
    "type": "object",
    "required": ["text"],
    "additionalProperties": False,
}
ANY_EVENT: Final[Schema] = {"anyOf": [ref("Event"), ref("ForeseenEvent")]}
OPEN: Final[Schema] = {"anyOf": [ref("AnyState"), {"type": "null"}]}
REFINED: Final[dict[tuple[str, str], Schema]] = {
    ("Problem", "code"): {"type": "string", "enum": list(CODES)},
    ("Problem", "events"): {"type": "array", "items": ref("Event")},
    ("GameSummary", "status"): {"type": "string", "enum": list(get_args(Status))},
    ("Game", "status"): {"type": "string", "enum": list(get_args(Status))},
    ("Game", "clock"): ref("GameClock"),
    ("Rewound", "status"): {"type": "string", "enum": list(get_args(Status))},
    ("Rewound", "clock"): ref("GameClock"),
    ("Rewound", "state"): OPEN,
    ("Action", "action"): ref("AnyAction"),
    ("Moved", "events"): {"type": "array", "items": ref("Event")},
    ("Draft", "events"): {"type": "array", "items": ref("ForeseenEvent")},
    ("Filed", "events"): {"type": "array", "items": ANY_EVENT},
    ("Events", "events"): {"type": "array", "items": ref("Event")},
    ("Stands", "orders"): {"anyOf": [ref("AnyOrders"), {"type": "null"}]},
    ("Standing", "orders"): {"anyOf": [ref("AnyOrders"), {"type": "null"}]},
    ("ClockPage", "policy"): ref("Clock"),
    ("Diff", "patch"): {"type": "array", "items": ref("PatchOperation")},
}
"""The schema of a property in place of the one it has."""


NO_NUL = r"^[^\u0000]*$"


def refine(schemas: dict[str, Schema]) -> None:
    """Sharpen the components in place."""
    for name, schema in schemas.items():
        for key, value in schema.get("properties", {}).items():
            schema["properties"][key] = _refined(name, key, value)
    clock = schemas["Clock"]
    deadlines = {"type": "array", "items": ref("OwedAnswer")}
    schemas["OwedAnswer"], schemas["PatchOperation"] = DEADLINE, PATCH
    schemas["GameClock"] = {
        "title": "GameClock",
        "description": "The clock policy of a game (durations in ISO 8601), and what is due.",
        "type": "object",
        "required": ["deadlines"],
        "properties": clock["properties"] | {"deadlines": deadlines},
    }
    moved = schemas["Moved"]
    foreseen = {"events": {"type": "array", "items": ref("ForeseenEvent")}}
    schemas["Rehearsed"] = moved | {
        "description": "What would come of it: nothing was recorded.",
        "properties": moved["properties"] | foreseen,
    }


def _refined(schema: str, key: str, value: Schema) -> Schema:
    """A property with what is known of it."""
    if (schema, key) in REFINED:
        kept = {name: value[name] for name in ("description",) if name in value}
        return {**REFINED[schema, key], **kept}
    if value.get("type") not in ("string", ["string", "null"]) or {"format", "pattern", "enum"} & value.keys():
        return value
    if key.endswith("_at") or key in MOMENTS:
        return {**value, "format": "date-time"}
    if key == "decision" and not schema.startswith("Export"):  # an export has other marks there, and none
        return {**DECISION, **value, "pattern": DECISION["pattern"]}
    if key == "ruleset":
        return {**value, "enum": list(RULESETS) + ([None] if "null" in value["type"] else [])}
    return {**value, "pattern": "^[0-9a-f]{64}$"} if key == "hash" else value


def refine_bodies(paths: dict[str, Any], schemas: dict[str, Schema]) -> None:
    """Name the bodies of moves and orders, and type what they hold."""
    base = "/api/v1/games/{game}/"
    text, actions = (_body(paths[f"{base}moves"]["post"])["oneOf"][number]["properties"] for number in (0, 1))
    schemas["MoveByText"] = {**BY_TEXT, "properties": text}
    typed = {"actions": {**actions["actions"], "items": ref("AnyAction")}}
    schemas["MoveByActions"] = {
        **BY_TEXT, "title": "MoveByActions", "description": "Orders as JSON.", "required": ["actions"],
        "properties": typed,
    }  # fmt: skip
    orders = _body(paths[f"{base}orders"]["put"])["oneOf"][0]["properties"]
    schemas["OrdersByText"] = {**BY_TEXT, "title": "OrdersByText", "properties": orders}
    schemas["OrdersByForm"] = {
        **BY_TEXT, "title": "OrdersByForm", "description": "Standing orders as JSON.", "required": ["orders"],
        "properties": {"orders": ref("AnyOrders")},
    }  # fmt: skip
    moves = {"anyOf": [ref("MoveByActions"), ref("MoveByText")]}
    _set_body(paths[f"{base}moves"]["post"], moves)
    _set_body(paths[f"{base}drafts"]["post"], moves)
    _set_body(paths[f"{base}bids"]["post"], ref("Bid"))
    _set_body(paths[f"{base}orders"]["put"], {"anyOf": [ref("OrdersByForm"), ref("OrdersByText")]})
    for path in ("moves", "bids"):
        paths[base + path]["post"]["responses"]["200"]["content"]["application/json"]["schema"] = ref("Rehearsed")


def refine_texts(document: dict[str, Any]) -> None:
    """Say of every text in the body of a request that it has no U+0000, which no text of ours may have (T-60)."""
    schemas = document["components"]["schemas"]
    waiting = [
        content["schema"]
        for methods in document["paths"].values()
        for operation in methods.values()
        if isinstance(operation, dict) and "requestBody" in operation
        for content in operation["requestBody"]["content"].values()
    ]
    known: set[str] = set()
    while waiting:
        part = waiting.pop()
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name and name not in known:
            known.add(name)
            waiting.append(schemas[name])
        waiting += part.get("properties", {}).values()
        waiting += [each for word in ("anyOf", "oneOf", "allOf") for each in part.get(word, [])]
        waiting += [part[word] for word in ("items", "additionalProperties") if isinstance(part.get(word), dict)]
        if "string" in part.get("type", ()) and not {"format", "pattern", "enum", "const"} & part.keys():
            part["pattern"] = NO_NUL


def _body(operation: Any) -> Any:
    return operation["requestBody"]["content"]["application/json"]["schema"]


def _set_body(operation: Any, schema: Schema) -> None:
    operation["requestBody"]["content"]["application/json"]["schema"] = schema
    operation["requestBody"]["required"] = True
