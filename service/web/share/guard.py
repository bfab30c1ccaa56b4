"""Answers about public games that are the same for anybody: no cookie is read, and other sites may show them."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

from flask import Response, abort, g, make_response, request

from service.api.http.reading import is_id
from service.languages.catalogues import ENGLISH, LANGUAGES
from service.web.http.session import services
from service.web.share.preview import Preview, public_preview

F = TypeVar("F", bound=Callable[..., Any])
ELSEWHERE: Final = {"Cross-Origin-Resource-Policy": "cross-origin", "Vary": "Accept-Encoding"}
"""Headers of what other sites show: it depends on its address alone."""
LONGEST: Final = 9
"""Digits of a version."""


def _without_cookies() -> str:
    """Forget who asks, for all that this answer is made of. The language that the address names, else English."""
    g.viewer, g.session, g.session_secret, g.is_nobodys = None, None, "", True
    named = request.args.get("language", ENGLISH)
    g.language = named if named in LANGUAGES else ENGLISH
    return str(g.language)


def of_a_public_game(view: Callable[[Preview], Any]) -> Callable[[str], Response]:
    """Answer about a public game at the version `v` of the address; 404 for one that is private, or not there, and for
    an event there is not: to its own players, too."""

    @wraps(view)
    def guarded(game: str) -> Response:
        language, version = _without_cookies(), request.args.get("v", "")
        if not is_id(game) or (version and not (version.isascii() and version.isdigit() and len(version) <= LONGEST)):
            abort(404)
        with services().database.read() as connection:
            preview = public_preview(services(), connection, game, language, int(version) if version else None)
        if preview is None:
            abort(404)
        response = make_response(view(preview))  # pictures wait for their turn: no connection waits with them
        response.headers.extend(ELSEWHERE)
        response.add_etag(weak=True)
        response.make_conditional(request)
        return response

    return guarded
