"""Legal actions: what the caller may do now, as a list or as questions one after the other."""

from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from domain.engine.game import Seat
from domain.table.evolve import blind
from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.preconditions import version_tag
from service.api.http.reading import Strict
from service.games import play
from service.games.choices import choices, documents, is_complete
from service.games.seat_names import shown_names
from service.languages import words
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.people.readers import language_of

bp = Resource("actions", description="Legal actions: what the caller may do now")


class ActionsQuery(Strict):
    """How they are listed."""

    as_ = fields.String(
        data_key="as",
        load_default="list",
        validate=validate.OneOf(["list", "choices"]),
        metadata={"description": "`list`: whole lines; `choices`: questions one after the other"},
    )


class ActionSchema(Schema):
    """A legal action."""

    text = fields.String(required=True)
    action = fields.Dict(required=True)


class ActionsSchema(Schema):
    """The caller's legal actions now."""

    version = fields.Integer(required=True)
    actions = fields.List(fields.Nested(ActionSchema), required=True)
    complete = fields.Boolean(required=True)


class OptionSchema(Schema):
    """One answer to a question."""

    value = fields.String(required=True, metadata={"description": "its words in the line", "example": "then 14"})
    label = fields.String(required=True, metadata={"description": "what it is called, in the reader's language"})
    target = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "the id of what it stands for in the picture", "example": "ward-14"},
    )
    line = fields.String(
        required=True, allow_none=True, metadata={"description": "the line up to here, where it is complete"}
    )
    next = fields.List(
        fields.Nested("QuestionSchema"),
        required=True,
        metadata={"description": "what may come next; empty where nothing can"},
    )


class AmountSchema(Schema):
    """Something asked for by number."""

    value = fields.String(required=True, metadata={"description": "the word before its number in the line"})
    label = fields.String(required=True)
    least = fields.Integer(required=True)
    most = fields.Integer(required=True)


class PieceSchema(Schema):
    """One of some things to be put in an order."""

    value = fields.String(required=True)
    label = fields.String(required=True)
    target = fields.String(required=True, allow_none=True)


class QuestionSchema(Schema):
    """One question, answered by one of some options, by amounts, or by an order."""

    field = fields.String(required=True, metadata={"description": "what is asked for", "example": "ward"})
    label = fields.String(required=True, metadata={"description": "the question, in the reader's language"})
    options = fields.List(
        fields.Nested(OptionSchema), metadata={"description": "the values up to one with a line, with blanks, are it"}
    )
    words = fields.String(
        metadata={"description": "of amounts and orders: the line so far; what is chosen comes after it"}
    )
    amounts = fields.List(
        fields.Nested(AmountSchema),
        metadata={"description": "each as its word and its number; clauses may follow in any order"},
    )
    nothing = fields.String(
        allow_none=True,
        metadata={"description": "the word for none of all amounts, those of 0 left out; null where 0 is written"},
    )
    order = fields.List(fields.Nested(PieceSchema), metadata={"description": "all their words, in the order wanted"})


class ChoicesSchema(Schema):
    """The caller's legal actions now as questions."""

    version = fields.Integer(required=True)
    choices = fields.List(
        fields.Nested(QuestionSchema),
        required=True,
        metadata={"description": "the first question; empty for nothing to do"},
    )
    complete = fields.Boolean(required=True)


@bp.route("/games/<string:game>/actions")
class Actions(MethodView):
    """Legal actions."""

    @signed_in
    @bp.arguments(ActionsQuery, location="query")
    @bp.response(200, {"oneOf": [ActionsSchema, ChoicesSchema]}, description="The list, or with as=choices the tree")
    @bp.problems(403, 404)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """What I may do now, in the notation and as JSON for `moves`; or, as choices, a tree of questions.

        In the tree every path of answers spells a line for `moves`, and every legal action has one. Amounts and orders
        are asked for within their bounds. Where two words have no order, either may come first.
        """
        with services().database.read() as connection:
            head, seat = play.look(services(), connection, game, g.player)
            if seat is None:
                raise play.NotSeated
            found = _choices(connection, head, seat) if query["as_"] == "choices" else _legal(head, seat)
        return answer({"version": head.version, **found}, headers=version_tag(head.version))


def _acts(head: Head, seat: Seat) -> bool:
    return head.table.status == "running" and not head.table.chairs[seat].automatic


def _legal(head: Head, seat: Seat) -> dict[str, Any]:
    from msgspec import to_builtins

    if not _acts(head, seat):
        return {"actions": [], "complete": True}
    rules = head.rules
    legal = rules.decider.legal_actions(blind(head.table, rules, seat).game, seat)
    actions = [{"text": rules.notation.write(action), "action": to_builtins(action)} for action in legal.actions]
    return {"actions": actions, "complete": legal.complete}


def _choices(connection: Connection, head: Head, seat: Seat) -> dict[str, Any]:
    if not _acts(head, seat):
        return {"choices": [], "complete": True}
    state = blind(head.table, head.rules, seat).game
    step = choices(head.rules, state, seat, shown_names(connection, head))
    speak = words(language_of(connection, g.player), head.rules.kind)
    return {"choices": documents(step, speak), "complete": is_complete(head.rules, state, seat)}
