"""My feeds: what waits for me and when it is due, for programs that fetch from an address."""

from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields

from service.accounts import feeds
from service.api.http.answers import answer
from service.api.http.auth import IDEMPOTENCY_KEY, services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.writing import writes
from service.kernel.clock import text
from service.store.database import Connection
from service.store.people.tokens import Token

bp = Resource("feeds", description="Feeds: a secret address that feed readers and calendars fetch from")


class FeedsSchema(Schema):
    """Whether I have feeds, since when, and when they were used."""

    created_at = fields.String(required=True, allow_none=True, metadata={"description": "null while there are none"})
    last_used_at = fields.String(
        required=True, allow_none=True, metadata={"description": "to the hour; null before they are first fetched"}
    )


class NewFeedsSchema(FeedsSchema):
    """The addresses, which are told this once."""

    atom = fields.String(required=True, metadata={"description": "what waits for me and what happened (RFC 4287)"})
    ics = fields.String(required=True, metadata={"description": "when my answers are due (RFC 5545)"})


@bp.route("/me/feeds")
class MyFeeds(MethodView):
    """The player's feeds."""

    @signed_in
    @bp.response(200, FeedsSchema)
    def get(self) -> Response:
        """Whether I have feeds, and whether they are fetched; never their address."""
        with services().database.read() as connection:
            return answer(_document(feeds.of_player(connection, g.player)))

    @signed_in
    @bp.doc(parameters=[IDEMPOTENCY_KEY])
    @bp.response(201, NewFeedsSchema)
    @writes
    def post(self, tx: Connection) -> Response:
        """Make the addresses of my feeds, or others in their place: the old ones are dead at once."""
        secret = feeds.renew(services(), tx, g.player)
        return answer(_document(feeds.of_player(tx, g.player)) | feeds.addresses(services(), secret), 201)

    @signed_in
    @bp.response(204)
    @writes
    def delete(self, tx: Connection) -> Response:
        """End my feeds, and forget what they told; also where there are none."""
        feeds.end(tx, g.player)
        return Response(status=204)


def _document(mine: Token | None) -> dict[str, Any]:
    return {
        "created_at": None if mine is None else text(mine.created_at),
        "last_used_at": None if mine is None or mine.last_used_at is None else text(mine.last_used_at),
    }
