"""The board of a public game for the frames of other pages: `/g/ID/embed`. It reads no cookie and changes nothing."""

from typing import Final

from flask import Blueprint, Response, render_template, request
from markupsafe import Markup

from service import pictures
from service.api.http.keeping import kept_picture
from service.pictures.page import page_board, page_people
from service.web.share.guard import of_a_public_game
from service.web.share.preview import Preview

bp = Blueprint("embed", __name__)  # no page of a session: it binds nobody and knows nobody
FRAMED: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors *; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "Referrer-Policy": "no-referrer",
}
"""Any site may frame it: there is nothing in it to press but the link to the game."""


@bp.get("/g/<string:game>/embed")
@of_a_public_game
def page(preview: Preview) -> Response:
    """The map, how it stands, who has what; as it stands now it looks every half minute whether that has changed."""
    position, kind = preview.position, preview.kind
    board = ""
    if position is not None and pictures.has_drawing(kind):
        board = Markup(page_board(kind, position, page_people(kind, position), preview.words))  # noqa: S704 - our own
    shown = render_template("share/embed.html", preview=preview, board=board)
    version = preview.head.version if "v" in request.args else None
    kept = kept_picture(preview.head, version)
    return Response(shown, content_type="text/html; charset=utf-8", headers=FRAMED | kept)
