"""What programs ask about a pasted link to a game: `/oembed` (oembed.com 1.0), which offers the board in a frame."""

import re
from html import escape
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from flask import Blueprint, Response, jsonify, render_template, request

from service.api.http.keeping import NOW
from service.api.http.problems import problem
from service.api.http.reading import is_id
from service.web.http.session import services
from service.web.share.guard import ELSEWHERE, without_cookies
from service.web.share.preview import Preview, public_preview

bp = Blueprint("oembed", __name__)
WIDTH: Final = 640
HEIGHT: Final = 600
THUMBNAILS: Final = ((1200, 630), (600, 315))
LONGEST: Final = 500
LONGEST_NUMBER: Final = 6
VERSION: Final = re.compile(r"[0-9]{0,9}")
NOT_PUBLIC: Final = "This game is for its players alone, or not there: nothing of it is shown elsewhere."
GAME: Final = re.compile(r"/g/([^/]+)(?:/embed)?/?")
FORMATS: Final = ("json", "xml")
AGE: Final = 300
"""Seconds that a consumer may keep the answer; the board in the frame looks for itself."""


@bp.get("/oembed")
def about() -> Response:
    """The frame for the address of a game; 404 for any other, 401 for what is not public, 501 for other formats."""
    language, wanted = without_cookies(), request.args.get("format", FORMATS[0])
    if wanted not in FORMATS:
        return problem(501, "no-such-format", "The formats are json and xml.")
    width, height = (_bound(request.args.get(name, "")) for name in ("maxwidth", "maxheight"))
    if not width or not height:
        return problem(400, "bad-size", "maxwidth and maxheight are numbers of pixels, from 1 on.")
    named = _game_in(request.args.get("url", ""))
    if named is None:
        return problem(404, "not-ours", "“url” is no address of a game here: send one as its page has it.")
    with services().database.read() as connection:
        preview = public_preview(services(), connection, named[0], language, named[1])
        if preview is None:
            return problem(401, "not-public", NOT_PUBLIC, headers={"WWW-Authenticate": 'Bearer realm="wardroom"'})
        return _answer(_document(preview, width, height), wanted)


def _bound(text: str) -> int:
    """A bound in pixels; 0 for what is none, much for one that is not given."""
    if not text:
        return 10**LONGEST_NUMBER
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else 0


def _game_in(url: str) -> tuple[str, int | None] | None:
    """The game, and perhaps the version, that an address of ours shows; None for any other address."""
    if len(url) > LONGEST or not url.isprintable():
        return None
    try:
        given, ours = urlsplit(url), urlsplit(services().settings.base_url)
        version = parse_qs(given.query, max_num_fields=20).get("v", [""])[0]
    except ValueError:
        return None
    named = GAME.fullmatch(given.path.removeprefix(ours.path.rstrip("/")))
    if (given.scheme, given.netloc.lower()) != (ours.scheme, ours.netloc.lower()) or named is None:
        return None
    if not is_id(named[1]) or not VERSION.fullmatch(version):
        return None
    return named[1], int(version) if version else None


def _document(preview: Preview, most_width: int, most_height: int) -> dict[str, Any]:
    """The answer of type rich; a thumbnail only where one is as small as was asked for."""
    width, height = min(WIDTH, most_width), min(HEIGHT, most_height)
    frame = (
        f'<iframe src="{escape(preview.embedded)}" width="{width}" height="{height}" title="{escape(preview.title)}" '
        'loading="lazy" sandbox="allow-scripts allow-same-origin allow-popups" style="border:0;max-width:100%">'
        "</iframe>"
    )
    fitting = [(w, h) for w, h in THUMBNAILS if w <= most_width and h <= most_height]
    small = {
        "thumbnail_url": f"{preview.picture}&w={fitting[0][0]}",
        "thumbnail_width": fitting[0][0],
        "thumbnail_height": fitting[0][1],
    } if fitting else {}  # fmt: skip
    return {
        "version": "1.0", "type": "rich", "title": preview.title, "provider_name": "Wardroom",
        "provider_url": preview.base, "cache_age": AGE, **small, "html": frame, "width": width, "height": height,
    }  # fmt: skip


def _answer(found: dict[str, Any], wanted: str) -> Response:
    response = jsonify(found)
    if wanted == "xml":
        response = Response(render_template("share/oembed.xml", found=found), content_type="text/xml; charset=utf-8")
    response.headers.extend({**ELSEWHERE, "Cache-Control": NOW})
    return response
