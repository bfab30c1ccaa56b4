"""Notes to oneself on games: read, call, answer."""

from typing import Any

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields

from service.api.http.answers import answer
from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.api.http.reading import Strict
from service.api.http.writing import writes
from service.games import notes
from service.games.notes import LONGEST, Note
from service.kernel.clock import text
from service.store.database import Connection

bp = Resource("notes", description="Notes to oneself on games, which nobody else reads")


class NoteTextSchema(Strict):
    """A note to be kept."""

    text = fields.String(
        required=True,
        metadata={"maxLength": LONGEST, "description": "an empty one is none", "example": "Bob bids high in zone 3."},
    )


class NoteSchema(Schema):
    """My note on a game."""

    text = fields.String(required=True, metadata={"description": "“” where there is none"})
    written_at = fields.String(required=True, allow_none=True)


@bp.route("/games/<string:game>/note")
class MyNote(MethodView):
    """My own note on a game I may see."""

    @signed_in
    @bp.response(200, NoteSchema)
    @bp.problems(404)
    def get(self, game: str) -> Response:
        """What I have written to myself about this game."""
        with services().database.read() as connection:
            return answer(_document(notes.read(services(), connection, game, g.player)))

    @signed_in
    @bp.arguments(NoteTextSchema)
    @bp.response(200, NoteSchema)
    @bp.problems(404, 422)
    @writes
    def put(self, wanted: dict[str, Any], game: str, tx: Connection) -> Response:
        """Write a note in the place of the one before."""
        return answer(_document(notes.write(services(), tx, game, g.player, wanted["text"])))

    @signed_in
    @bp.response(204)
    @bp.problems(404)
    @writes
    def delete(self, game: str, tx: Connection) -> Response:
        """Throw my note away."""
        notes.write(services(), tx, game, g.player, "")
        return Response(status=204)


def _document(note: Note) -> dict[str, Any]:
    return {"text": note.text, "written_at": None if note.written_at is None else text(note.written_at)}
