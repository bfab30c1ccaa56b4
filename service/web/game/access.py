"""Who may see the page of a game: members, those it is for; a stranger signs in first."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from service.api.http.reading import is_id
from service.store.event_store.streams import NoSuchGame
from service.web.http.session import members_only

F = TypeVar("F", bound=Callable[..., Any])


def of_a_game(view: F) -> F:
    """Show a page of a game to members only; what could be no game is never looked up."""

    @wraps(view)
    def guarded(game: str, **parts: str) -> Any:
        if not is_id(game):
            raise NoSuchGame(game)
        return view(game, **parts)

    return members_only(guarded)  # type: ignore[return-value]
