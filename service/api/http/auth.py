"""Authentication: the bearer of a token."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, NoReturn, TypeVar

from flask import current_app, g, request
from flask_smorest import abort

from service.accounts import people
from service.api.http.reading import is_id
from service.container import Services
from service.store.event_store.streams import NoSuchGame
from service.store.people.tokens import Bearer

F = TypeVar("F", bound=Callable[..., Any])
SECURITY: Final[list[dict[str, list[str]]]] = [{"bearer": []}]
IDEMPOTENCY_KEY: Final = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
    "description": "the same key with the same request is done once, and answered alike",
}


def services() -> Services:
    """The service this application answers for."""
    return current_app.extensions["wardroom"]  # type: ignore[no-any-return]


def _unauthorized() -> NoReturn:
    message = "Send a valid token: Authorization: Bearer wr_… (POST /api/v1/tokens makes one)."
    abort(401, message=message, code="unauthorized", headers={"WWW-Authenticate": 'Bearer realm="wardroom"'})
    raise AssertionError("abort returned")


def bearer() -> Bearer | None:
    """Who shows a valid token with this request; looked up once. None for nobody."""
    if "bearer" not in g:
        g.bearer = _look_up(request.headers.get("Authorization", ""))
    found: Bearer | None = g.bearer
    return found


def _look_up(header: str) -> Bearer | None:
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not 0 < len(token) <= 200 or not token.isascii():
        return None
    with services().database.read() as connection:
        return people.who(connection, token.strip())


def signed_in(view: F) -> F:
    """Let in whoever bears a valid token, as `g.player`; 401 for all others."""

    @wraps(view)
    def guarded(*args: Any, **more: Any) -> Any:
        found = bearer()
        if found is None:
            _unauthorized()
        people.note_use(services().database, found)
        g.player, g.token_id = found.player, found.token
        if not is_id(more.get("game", "none")):
            raise NoSuchGame(more["game"])
        return view(*args, **more)

    guarded._apidoc = {**getattr(view, "_apidoc", {})}  # type: ignore[attr-defined]
    documented = {"security": SECURITY, "responses": {"401": "UNAUTHORIZED"}}
    keyed = {"parameters": [IDEMPOTENCY_KEY]} if getattr(view, "takes_key", False) else {}
    said = guarded._apidoc.get("manual_doc", {})  # type: ignore[attr-defined]
    guarded._apidoc["manual_doc"] = said | documented | keyed  # type: ignore[attr-defined]
    return guarded  # type: ignore[return-value]
