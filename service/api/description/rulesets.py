"""The schemas of rulesets: actions, positions, standing orders and games, from the types the rules are written in."""

from typing import Any

from domain.rulesets import RULESETS
from domain.table.evolve import Rules
from service.api.description.naming import Schema, components, pascal, ref, union


def ruleset_schemas(game: Schema) -> dict[str, Schema]:
    """The components of all rulesets, and `Game`, `MoveActions` and `AnyAction` over them.

    `game` is the schema of a position without knowledge of any ruleset.
    """
    found: dict[str, Schema] = {}
    for rules in RULESETS.values():
        found |= _of(rules, game)
    prefixes = sorted((pascal(kind) for kind in RULESETS), key=lambda prefix: -_required(found, prefix))
    found["Game"] = union([f"{prefix}Game" for prefix in prefixes], found, "ruleset", game.get("description", ""))
    found["AnyState"] = {
        "description": "The position of one of the games.",
        "anyOf": [ref(f"{pascal(kind)}State") for kind, rules in RULESETS.items() if rules.decider.document],
    }
    bids = [f"{prefix}{name}" for name in ("Bid", "Pass") for prefix in prefixes if f"{prefix}{name}" in found]
    bids.sort(key=lambda name: -len(found[name].get("required", ())))
    found["Bid"] = {"description": "A bid in the open round.", "anyOf": [ref(name) for name in bids]}
    found["AnyAction"] = {
        "description": "An action of one of the games.",
        "anyOf": [ref(f"{prefix}Action") for prefix in prefixes],
    }
    found["AnyOrders"] = {
        "description": "Standing orders of one of the games, in their JSON form.",
        "anyOf": [ref(f"{pascal(kind)}Orders") for kind, rules in RULESETS.items() if rules.standing_orders],
    }
    return found


def _of(rules: Rules, game: Schema) -> dict[str, Schema]:
    """The components of one ruleset."""
    prefix, decider = pascal(rules.kind), rules.decider
    found = components(decider.actions, prefix, {kind.__name__: f"{kind.__name__}Action" for kind in decider.actions})
    names = [f"{prefix}{kind.__name__}Action" for kind in decider.actions]
    found[f"{prefix}Action"] = union(names, found, "type", f"An action of {rules.presentation.title}.")
    if decider.document is not None:
        found |= components([decider.document], f"{prefix}State", {decider.document.__name__: ""})
    if rules.standing_orders is not None:
        form = rules.standing_orders.form
        found |= components([form], f"{prefix}Orders", {form.__name__: ""})
    found |= _bids(prefix, found)
    found[f"{prefix}Game"] = _game(rules, game)
    return found


def _required(found: dict[str, Schema], prefix: str) -> int:
    """How much a bid must say: the ruleset whose bid says most comes first, as generated clients try them in order."""
    return len(found.get(f"{prefix}BidAction", {}).get("required", ()))


def _bids(prefix: str, found: dict[str, Schema]) -> dict[str, Schema]:
    """The bodies of POST bids in a ruleset: its actions to bid and to pass, whose type may be left out."""
    bids: dict[str, Schema] = {}
    if (bid := found.get(f"{prefix}BidAction")) is not None:
        fields = {name: dict(field) for name, field in bid["properties"].items()}
        needed = [name for name, field in fields.items() if name != "type" and field.get("default", "") is not None]
        for name in needed:
            fields[name].pop("default", None)
        bids[f"{prefix}Bid"] = _body(bid.get("description", "A bid."), fields, needed)
    if f"{prefix}PassAction" in found:
        bids[f"{prefix}Pass"] = _body("No bid.", {"pass": {"type": "boolean", "enum": [True]}}, ["pass"])
    return bids


def _body(description: str, fields: Schema, required: list[str]) -> Schema:
    schema = {"description": description, "type": "object", "additionalProperties": False, "properties": fields}
    return schema | ({"required": required} if required else {})


def _game(rules: Rules, game: Schema) -> Schema:
    """The position of a game of this ruleset."""
    prefix = pascal(rules.kind)
    options: dict[str, Any] = {name: {"type": "string", "enum": list(values)} for name, values in rules.options.items()}
    state: Schema = {"description": "the ruleset's document; null before the game begins"}
    state |= (
        {"anyOf": [ref(f"{prefix}State"), {"type": "null"}]} if rules.decider.document else {"type": ["object", "null"]}
    )
    own = {
        "ruleset": {"type": "string", "enum": [rules.kind]},
        "options": {"type": "object", "properties": options},
        "state": state,
    }
    return {
        **game,
        "title": f"{prefix}Game",
        "description": f"A game of {rules.presentation.title} as the caller may see it.",
        "properties": game["properties"] | own,
    }
