"""Leave: days that a player announces ahead, and that do not count in games that allow it."""

from datetime import date

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields

from service.api.http.answers import answer
from service.api.http.auth import IDEMPOTENCY_KEY, services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.reading import Day, Strict
from service.api.http.writing import writes
from service.clocks import leave
from service.deadlines import after_leave
from service.deadlines.explain import reader_locale
from service.store.database import Connection

bp = Resource("leave", description="Leave: days ahead that do not count, in games that allow it")


class LeaveDaysSchema(Strict):
    """One leave, in days of my own zone."""

    from_ = Day(
        data_key="from", required=True, metadata={"description": "the first day away; tomorrow at the earliest"}
    )
    to = Day(required=True, metadata={"description": "the last one", "example": "2027-01-02"})


class LeaveSchema(Schema):
    """One leave that is not over."""

    from_ = fields.String(data_key="from", required=True)
    to = fields.String(required=True)
    days = fields.Integer(required=True)
    announced_at = fields.String(required=True)


class MovedDeadlineSchema(Schema):
    """A deadline that a leave moved."""

    decision = fields.String(required=True)
    was = fields.String(required=True)
    due = fields.String(required=True)


class LeaveInGameSchema(Schema):
    """What it is in one running game."""

    game = fields.String(required=True)
    ruleset = fields.String(required=True)
    seat = fields.Integer(required=True)
    leave_days = fields.Integer(required=True, metadata={"description": "how many days each player may be away"})
    counting = fields.Integer(required=True, metadata={"description": "days of the leave to come that do not count"})
    days_left = fields.Integer(required=True)
    moved = fields.List(fields.Nested(MovedDeadlineSchema), required=True, metadata={"description": "by this request"})
    text = fields.String(required=True)


class MyLeaveSchema(Schema):
    """My leave, and what it is in each running game of mine."""

    leave = fields.List(fields.Nested(LeaveSchema), required=True)
    games = fields.List(fields.Nested(LeaveInGameSchema), required=True)


@bp.route("/me/leave")
class MyLeave(MethodView):
    """My leave."""

    @signed_in
    @bp.response(200, MyLeaveSchema)
    def get(self) -> Response:
        """My leave that is not over, and what it is in each running game of mine."""
        with services().database.read() as connection:
            return _answer(connection)

    @signed_in
    @bp.arguments(LeaveDaysSchema)
    @bp.doc(parameters=[IDEMPOTENCY_KEY])
    @bp.response(201, MyLeaveSchema)
    @bp.alt_response(200, schema=MyLeaveSchema, description="It had been announced already")
    @bp.problems(422)
    def put(self, days: dict[str, date]) -> Response:
        """Announce one more leave. Deadlines that run pass it over at once; none moves earlier."""
        response = _announce(days)
        after_leave.follow_all(services(), g.player)
        return response

    @signed_in
    @bp.doc(parameters=[IDEMPOTENCY_KEY])
    @bp.response(200, MyLeaveSchema)
    def delete(self) -> Response:
        """Take back all leave that is to come; one that has begun ends today. Deadlines stay where they are."""
        response = _take_back()
        after_leave.follow_all(services(), g.player)
        return response


@writes
def _announce(days: dict[str, date], tx: Connection) -> Response:
    new = leave.announce(services(), tx, g.player, days["from_"], days["to"])
    return _answer(tx, 201 if new else 200)


@writes
def _take_back(tx: Connection) -> Response:
    leave.take_back(services(), tx, g.player)
    return _answer(tx)


def _answer(connection: Connection, status: int = 200) -> Response:
    return answer(leave.document(services(), connection, g.player, reader_locale(connection, g.player, "")), status)
