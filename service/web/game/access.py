"""Who may see the page of a game: anybody that of a public one; of others those they are for, who sign in first."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import Response, make_response, request

from service.api.http.keeping import VARY, kept_by_anybody
from service.api.http.reading import is_id
from service.store.event_store.streams import NoSuchGame
from service.web.http.session import ask_for_sign_in, members_only, viewer

F = TypeVar("F", bound=Callable[..., Any])


def of_a_game(view: F) -> F:
    """Show a page of a game to members only; what could be no game is never looked up."""

    @wraps(view)
    def guarded(game: str, **parts: str) -> Any:
        if not is_id(game):
            raise NoSuchGame(game)
        return view(game, **parts)

    return members_only(guarded)  # type: ignore[return-value]


def watched(view: F) -> F:
    """Show a page of a public game to anybody, signed in or not; of any other game as `of_a_game` does.

    Whoever is not signed in gets one answer for a game that is private and for one that is not there.
    """
    to_members = of_a_game(view)

    @wraps(view)
    def guarded(game: str, **parts: str) -> Any:
        if viewer() is not None:
            return to_members(game=game, **parts)
        try:
            return kept_for_strangers(make_response(view(game, **parts))) if is_id(game) else ask_for_sign_in()
        except NoSuchGame:
            return ask_for_sign_in()

    return guarded  # type: ignore[return-value]


def kept_for_strangers(response: Response) -> Response:
    """An answer that is the same for all strangers who read one language; others' are their own."""
    if viewer() is None and response.status_code in (200, 304) and "Cache-Control" not in response.headers:
        response.headers["Vary"] = f"{VARY}, Accept-Language"
        kept_by_anybody(response)
        if response.status_code == 200:
            response.add_etag(weak=True)
            response.make_conditional(request)
    return response
