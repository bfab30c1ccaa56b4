"""Pictures of public games: for previews of links, `/g/ID/preview.png`, 1200 by 630; the map alone, `/g/ID/map.svg`."""

import threading
from typing import Final

from flask import Blueprint, Response, abort, request

from service import pictures
from service.api.games import PICTURE
from service.api.http.keeping import kept_picture
from service.api.http.problems import problem
from service.games.shared_pictures import shared_png
from service.pictures.page import page_document, page_people
from service.web.http.session import services
from service.web.share.guard import of_a_public_game
from service.web.share.preview import Preview

bp = Blueprint("preview", __name__)  # no page of a session: it binds nobody and knows nobody
AT_ONCE: Final = threading.BoundedSemaphore(2)
"""So many are drawn at a time in a process, a seventh of a second each; who asks again for one of the last finds it."""
PATIENCE: Final = 5
"""Seconds to wait for a turn."""


@bp.get("/g/<string:game>/preview.png")
@of_a_public_game
def picture(preview: Preview) -> Response:
    """Show the game as it stands, or at the version `v`."""
    if not AT_ONCE.acquire(timeout=PATIENCE):
        return problem(503, "too-busy", "Too many pictures are asked for: try again.", headers={"Retry-After": "10"})
    try:
        drawn = shared_png(services(), preview.head.game, None, preview.svg, preview.width)
    finally:
        AT_ONCE.release()
    return Response(drawn, content_type="image/png", headers=_kept(preview))


@bp.get("/g/<string:game>/map.svg")
@of_a_public_game
def map_alone(preview: Preview) -> Response:
    """The map, in the colours of whoever looks; 404 for a game that is not drawn, or has no position."""
    position, kind = preview.position, preview.kind
    if position is None or not pictures.has_drawing(kind):
        abort(404)
    drawn = page_document(kind, position, page_people(kind, position), preview.words)
    return Response(drawn, content_type="image/svg+xml; charset=utf-8", headers=PICTURE | _kept(preview))


def _kept(preview: Preview) -> dict[str, str]:
    return kept_picture(preview.head, preview.head.version if "v" in request.args else None)
