"""Legal actions: what the caller may do now."""

from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields

from domain.table.evolve import blind
from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.preconditions import version_tag
from service.games import play
from service.store.streams import Head

bp = Resource("actions", description="Legal actions: what the caller may do now")


class ActionSchema(Schema):
    """A legal action."""

    text = fields.String(required=True)
    action = fields.Dict(required=True)


class ActionsSchema(Schema):
    """The caller's legal actions now."""

    version = fields.Integer(required=True)
    actions = fields.List(fields.Nested(ActionSchema), required=True)
    complete = fields.Boolean(required=True)


@bp.route("/games/<string:game>/actions")
class Actions(MethodView):
    """Legal actions."""

    @signed_in
    @bp.response(200, ActionsSchema)
    @bp.problems(403, 404)
    @bp.conditional
    def get(self, game: str) -> Response:
        """What I may do now, in the notation and as JSON for `moves`."""
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
        if seat is None:
            raise play.NotSeated
        found, complete = _legal(head, seat)
        return answer(
            {"version": head.version, "actions": found, "complete": complete}, headers=version_tag(head.version)
        )


def _legal(head: Head, seat: int) -> tuple[list[dict[str, Any]], bool]:
    from msgspec import to_builtins

    table, rules = head.table, head.rules
    if table.status != "running" or table.chairs[seat].automatic:
        return [], True
    legal = rules.decider.legal_actions(blind(table, rules, seat).game, seat)
    actions = [{"text": rules.notation.write(action), "action": to_builtins(action)} for action in legal.actions]
    return actions, legal.complete
