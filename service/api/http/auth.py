"""Authentication: the bearer of a token."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, NoReturn, TypeVar

from flask import current_app, g, make_response, request
from flask_smorest import abort

from service.accounts import people
from service.accounts.suspension import require_admitted
from service.api.http.application import asked_now
from service.api.http.callers import caller_network
from service.api.http.keeping import kept_by_anybody
from service.api.http.reading import is_id
from service.api.http.scopes import require_scope
from service.container import Services
from service.games.long_poll import STRANGER
from service.store.event_store.streams import NoSuchGame
from service.store.games.seats import may_know
from service.store.people.tokens import Bearer

F = TypeVar("F", bound=Callable[..., Any])
SECURITY: Final[list[dict[str, list[str]]]] = [{"bearer": []}]
OPEN_TO_ALL: Final = frozenset({("DELETE", "/api/v1/me"), ("GET", "/api/v1/me/export")})
"""What players may ask for whom the operator keeps out, too: all that is kept about them, and that it be erased."""
NOBODY_YET: Final[Any] = object()
"""Where nobody has looked yet whose token it is."""
IDEMPOTENCY_KEY: Final = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "pattern": "^[!-~]{1,128}$"},
    "description": "the same key with the same request is done once, and answered alike",
}


def services() -> Services:
    """The service this application answers for."""
    return current_app.extensions["wardroom"]  # type: ignore[no-any-return]


def refuse_strangers() -> NoReturn:
    """Answer 401: what was asked for is told to whoever bears a token."""
    message = "Send a valid token: Authorization: Bearer wr_… (POST /api/v1/tokens makes one)."
    shown = 'Bearer realm="wardroom"' + (', error="invalid_token"' if "Authorization" in request.headers else "")
    abort(401, message=message, code="unauthorized", headers={"WWW-Authenticate": shown})
    raise AssertionError("abort returned")


def bearer() -> Bearer | None:
    """Who shows a valid token with this request; looked up once. None for nobody.

    The connection is kept for what the view reads or writes first; when the request ends it is let go.
    """
    found: Bearer | None = g.get("bearer", NOBODY_YET)
    if found is NOBODY_YET:
        g.bearer = found = _look_up(services(), asked_now().environ.get("HTTP_AUTHORIZATION", ""), keep=True)
    return found


def asker() -> Callable[[], bool]:
    """Whether the token of this request is still good, to be asked as long as its answer lasts; true without one."""
    header, service = request.headers.get("Authorization", ""), services()

    def is_good() -> bool:
        found = _look_up(service, header)
        return not header or (found is not None and not found.suspended)

    return is_good


def _look_up(service: Services, header: str, *, keep: bool = False) -> Bearer | None:
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not 0 < len(token) <= 200 or not token.isascii():
        return None
    with service.database.read(keep=keep) as connection:
        return people.who(connection, token.strip(), service.database.clock.now())


def signed_in(view: F) -> F:
    """Let in whoever bears a valid token, as `g.player`; 401 for all others."""

    @wraps(view)
    def guarded(*args: Any, **more: Any) -> Any:
        found = bearer()
        if found is None:
            refuse_strangers()
        service, asked = services(), asked_now()
        if found.suspended and (asked.method, asked.path) not in OPEN_TO_ALL:
            with service.database.read() as connection:
                require_admitted(service, connection, found.player)
        require_scope(asked, found.scopes)
        people.note_use(service.database, found)
        g.player = found.player
        if not is_id(more.get("game", "none")):
            raise NoSuchGame(more["game"])
        return view(*args, **more)

    return _documented(guarded, view, SECURITY)


def watched(view: F) -> F:
    """Let in whoever bears a valid token, as `g.player`, and with None whoever bears none: a public game is for anybody
    to read, as its spectators see it. 401 for all others, whether the game is private or not there."""
    to_members = signed_in(view)

    @wraps(view)
    def guarded(*args: Any, **more: Any) -> Any:
        if "Authorization" in request.headers:
            return to_members(*args, **more)
        g.player = None
        if "game" in more and not _is_public(more["game"]):
            refuse_strangers()
        return kept_by_anybody(make_response(view(*args, **more)))

    return _documented(guarded, view, [*SECURITY, {}])


def waiter() -> str:
    """Whom a wait or a turn counts for: the player, or the network of somebody who bears no token."""
    return g.player or f"{STRANGER}{caller_network()}"


def _is_public(game: str) -> bool:
    """Whether a game is there for anybody; asked before its query is read, so that no error tells of another game."""
    if not is_id(game):
        return False
    with services().database.read() as connection:
        return may_know(connection, game, None)


def _documented(guarded: Callable[..., Any], view: F, security: list[dict[str, list[str]]]) -> F:
    """A guarded view that describes itself as the view it guards, and whom it lets in."""
    guarded._apidoc = {**getattr(view, "_apidoc", {})}  # type: ignore[attr-defined]
    documented = {"security": security, "responses": {"401": "UNAUTHORIZED"}}
    keyed = {"parameters": [IDEMPOTENCY_KEY]} if getattr(view, "takes_key", False) else {}
    said = guarded._apidoc.get("manual_doc", {})  # type: ignore[attr-defined]
    guarded._apidoc["manual_doc"] = said | documented | keyed  # type: ignore[attr-defined]
    return guarded  # type: ignore[return-value]
