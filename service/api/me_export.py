"""Everything kept about me."""

from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields

from service.api.http.auth import services, signed_in
from service.api.http.blueprint import Resource
from service.privacy import export
from service.privacy.data_map import SECTIONS, Section
from service.store.across import personal_data

bp = Resource("export", description="Everything that is kept about a person")
IN_MEMORY: Final = 1_000_000
"""Bytes of a document that is kept in no file."""
PIECE: Final = 65_536
KINDS: Final[dict[str, type[fields.Field[Any]]]] = {"boolean": fields.Boolean, "integer": fields.Integer}


class HistorySchema(Schema):
    """Where the history of a game is."""

    game = fields.String(required=True)
    events = fields.String(required=True)
    bundle = fields.String(required=True)


def _field(section: Section, key: str) -> fields.Field[Any]:
    column = personal_data.columns(section.theirs.table).get(key)
    if key == "outcome":
        return fields.Dict(required=True, allow_none=True)
    kind = fields.String if column is None or export.is_time(key) else KINDS.get(column.kind, fields.String)
    made: fields.Field[Any] = kind(required=True, allow_none=column is None or column.nullable or export.is_time(key))
    return made


def _section(section: Section) -> fields.Field[Any]:
    name = "Export" + section.name.title().replace("_", "")
    row = Schema.from_dict({key: _field(section, key) for key in export.keys_of(section)}, name=name)
    return fields.List(fields.Nested(row), required=True, metadata={"description": section.what})


EXPORT: Final = Schema.from_dict(
    {
        "format": fields.String(required=True, metadata={"enum": [export.FORMAT]}),
        "made_at": fields.String(required=True),
        "notes": fields.List(fields.String(), required=True),
        "history": fields.List(fields.Nested(HistorySchema), required=True),
        **{section.name: _section(section) for section in SECTIONS},
    },
    name="Export",
)


@bp.route("/me/export")
class MyExport(MethodView):
    """All of it."""

    @signed_in
    @bp.response(200, EXPORT)
    def get(self) -> Response:
        """Everything that is kept about me, as one document."""
        return export_response(g.player)


def export_response(player: str) -> Response:
    """Everything that is kept about a player, as a file to be saved."""
    with services().database.read() as connection:
        kept = _spool(export.export(services(), connection, player))
    headers = {"Content-Disposition": 'attachment; filename="wardroom-me.json"'}
    response = Response(_pieces(kept), content_type="application/json", headers=headers)
    response.call_on_close(kept.close)
    return response


def _spool(pieces: Iterable[bytes]) -> IO[bytes]:
    """The document as a file without a name, so that no reader, however slow, holds a connection to the database."""
    kept = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the response closes it
    kept.writelines(pieces)
    kept.seek(0)
    return kept


def _pieces(kept: IO[bytes]) -> Iterator[bytes]:
    with kept:
        while piece := kept.read(PIECE):
            yield piece
