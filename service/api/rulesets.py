"""What can be played, and how to say it."""

from functools import cache
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView
from marshmallow import fields

from domain.rulesets import RULESETS
from domain.table.evolve import Rules
from service.api.http.answers import answer
from service.api.http.blueprint import Resource
from service.api.http.keeping import same_for_all
from service.api.http.reading import Strict

bp = Resource("rulesets", description="The games there are: seats, options, actions, notation")


class RulesetSchema(Strict):
    """One ruleset in short."""

    slug = fields.String(required=True)
    title = fields.String(required=True)
    seats = fields.List(fields.Integer(), required=True, metadata={"description": "how many may play"})
    options = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        required=True,
        metadata={"description": "variants; the first value is the default"},
    )


class RulesetDetailSchema(RulesetSchema):
    """One ruleset, with the JSON Schema of every action and help on the notation."""

    actions = fields.Dict(required=True, metadata={"description": "JSON Schema of each action, by its type"})
    notation = fields.String(required=True)
    orders = fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "what can be ordered ahead: `schema`, `help` and `verbs`; null for nothing"},
    )
    printed = fields.Dict(required=True, metadata={"description": "what is printed on board and cards"})
    pawns = fields.List(fields.String(), required=True, metadata={"description": "by seat"})


class RulesetsSchema(Strict):
    """All rulesets."""

    items = fields.List(fields.Nested(RulesetSchema), required=True)
    next = fields.String(required=True, allow_none=True)


@bp.route("/rulesets")
class Rulesets(MethodView):
    """The games there are."""

    @bp.response(200, RulesetsSchema)
    @bp.conditional
    def get(self) -> Response:
        """The games that can be played here."""
        return same_for_all(answer({"items": [_short(rules) for rules in RULESETS.values()], "next": None}))


@bp.route("/rulesets/<string:slug>")
class Ruleset(MethodView):
    """One game."""

    @bp.response(200, RulesetDetailSchema)
    @bp.problems(404)
    @bp.conditional
    def get(self, slug: str) -> Response:
        """One game: seats, options, the schema of every action and of standing orders, help on its notation."""
        if slug not in RULESETS:
            bp.refuse(404, "no-such-ruleset", f"There is no such ruleset; there is {', '.join(RULESETS)}.")
        rules = RULESETS[slug]
        more = {
            "actions": action_schemas(slug),
            "notation": rules.notation.help,
            "orders": orders_schema(slug),
            "pawns": list(rules.notation.pawns),
            "printed": rules.presentation.printed,
        }
        return same_for_all(answer(_short(rules) | more))


def _short(rules: Rules) -> dict[str, Any]:
    options = {name: list(values) for name, values in rules.options.items()}
    return {"slug": rules.kind, "title": rules.presentation.title, "seats": list(rules.seats), "options": options}


@cache
def action_schemas(slug: str) -> dict[str, Any]:
    """The JSON Schema of each of a ruleset's actions, by its type."""
    types = RULESETS[slug].decider.actions
    _, components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    own = {kind.__name__ for kind in types}
    shared = {name: schema for name, schema in components.items() if name not in own}
    more = {"$defs": shared} if shared else {}
    return {str(kind.__struct_config__.tag): components[kind.__name__] | more for kind in types}


@cache
def orders_schema(slug: str) -> dict[str, Any] | None:
    """What can be ordered ahead in a game: the JSON Schema, how to write it, and how a line can begin."""
    ahead = RULESETS[slug].standing_orders
    if ahead is None:
        return None
    _, components = msgspec.json.schema_components([ahead.form], ref_template="#/$defs/{name}")
    own = components.pop(ahead.form.__name__)
    schema = own | ({"$defs": components} if components else {})
    return {"schema": schema, "help": str(ahead.help), "verbs": sorted(ahead.verbs)}
