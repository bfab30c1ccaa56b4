"""Authentication: the bearer of a token."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, NoReturn, TypeVar

from flask import current_app, g, request
from flask_smorest import abort

from service.accounts import people
from service.api.http.reading import is_id
from service.container import Services
from service.store.streams import NoSuchGame

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


def signed_in(view: F) -> F:
    """Let in whoever bears a valid token, as `g.player`; 401 for all others."""

    @wraps(view)
    def guarded(*args: Any, **more: Any) -> Any:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        found = None
        if scheme.lower() == "bearer" and 0 < len(token) <= 200 and token.isascii():
            with services().database.read() as connection:
                found = people.who(connection, token.strip())
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
