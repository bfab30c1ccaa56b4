"""Who looks at a page: the session that the browser's cookie names (S-21).

The cookie opens pages and nothing else: the API asks for a token in a header, which no other site can send.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

from flask import Response, current_app, g, redirect, request, url_for

from service.accounts import people
from service.container import Services
from service.store import players
from service.store.database import Connection
from service.store.players import Player
from service.store.tokens import Bearer

F = TypeVar("F", bound=Callable[..., Any])
PLAIN: Final = "wardroom"
SECURE: Final = "__Host-wardroom"
"""A cookie that browsers keep for this host alone, and send over https alone."""
LABEL: Final = "browser"
LIFE: Final = 400 * 86400
"""Seconds: as long as browsers keep any cookie (RFC 6265bis)."""


def services() -> Services:
    """The service this application answers for."""
    return current_app.extensions["wardroom"]  # type: ignore[no-any-return]


def cookie_name() -> str:
    """What the cookie is called: by its secure name wherever the service is reached by https."""
    return SECURE if services().settings.base_url.startswith("https:") else PLAIN


def session_secret() -> str:
    """What the browser's cookie holds; "" without one."""
    return request.cookies.get(cookie_name(), "")[:200]


def viewer() -> Player | None:
    """Who looks at this page, looked up once; None for a stranger."""
    if "viewer" not in g:
        g.viewer, g.session = _look_up(session_secret())
    found: Player | None = g.viewer
    return found


def member() -> Player:
    """Who looks at a page that is shown to members only."""
    found = viewer()
    assert found is not None, "members_only has let them in"
    return found


def members_only(view: F) -> F:
    """Show a page to members only; a stranger is led to the sign-in, and back."""

    @wraps(view)
    def guarded(*args: Any, **more: Any) -> Any:
        found = viewer()
        if found is None:
            return redirect(url_for("sign_in.page", next=_address()), 303)
        g.player = found.id
        return view(*args, **more)

    return guarded  # type: ignore[return-value]


def begin_session(response: Response, tx: Connection, player: str) -> Response:
    """Sign a browser in as this player, with the answer that it is given."""
    secret = people.make_token(tx, player, LABEL, services().database.clock.now(tx))
    secure = cookie_name() == SECURE
    response.set_cookie(cookie_name(), secret, max_age=LIFE, path="/", secure=secure, httponly=True, samesite="Lax")
    return response


def end_session(response: Response, tx: Connection) -> Response:
    """Sign this browser out, with the answer that it is given."""
    who = viewer()
    if who is not None:
        people.end_tokens(tx, who.id, g.session.token)
    response.delete_cookie(cookie_name(), path="/", secure=cookie_name() == SECURE, httponly=True, samesite="Lax")
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    return response


def _look_up(secret: str) -> tuple[Player | None, Bearer | None]:
    if not secret or not secret.isascii():
        return None, None
    with services().database.read() as connection:
        bearer = people.who(connection, secret)
        player = None if bearer is None else players.by_id(connection, bearer.player)
    if bearer is not None:
        people.note_use(services().database, bearer)
    return player, bearer


def _address() -> str:
    """The address of this page, to come back to: that of a form's own page where a form was sent."""
    return request.full_path.rstrip("?") if request.method in ("GET", "HEAD") else request.path
