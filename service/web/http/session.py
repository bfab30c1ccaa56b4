"""Who looks at a page: the session that the browser's cookie names (S-21).

The cookie opens pages and nothing else: the API asks for a token in a header, which no other site can send.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

from flask import (
    Response,
    after_this_request,
    current_app,
    g,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from service.accounts import people
from service.accounts.suspension import require_admitted
from service.container import Services
from service.kernel.clock import SECOND
from service.store.database import Connection
from service.store.people import players
from service.store.people.players import Player
from service.store.people.tokens import SESSION, Bearer
from service.web.http.browsers import browser_name
from service.web.http.unsent_forms import ask_to_sign_in

F = TypeVar("F", bound=Callable[..., Any])
PLAIN: Final = "wardroom"
SECURE: Final = "__Host-wardroom"
"""A cookie that browsers keep for this host alone, and send over https alone."""
LIFE: Final = people.SESSION_LIFE // SECOND
"""Seconds that a browser keeps the cookie after its last use."""

GUEST_VIEWS: Final = frozenset(
    {
        "home.page", "play_now.begin", "turns.page", "shell.asked",
        "sign_in.page", "sign_in.ask", "sign_in.code_page", "sign_in.confirm", "sign_in.take_link",
        "sign_in.link_page", "sign_in.follow_link", "sign_in.sign_out",
        "game.page", "game.text", "game.story", "game.news", "game_moves.rehearse", "game_moves.play_draft",
        "game_table.go_back", "game_table.note", "game_table.resign", "ordering.page", "ordering.write",
        "game_replay.step", "game_statistics.page", "game_statistics.picture", "game_statistics.svg",
    }
)  # fmt: skip
"""The endpoints on which a guest is somebody: to play, keep or leave the one game (decision 0123).

Everywhere else a guest is a stranger, so a new page is closed to guests.
"""


def services() -> Services:
    """The service this application answers for."""
    return current_app.extensions["wardroom"]  # type: ignore[no-any-return]


def cookie_name(purpose: str = "") -> str:
    """What a cookie of ours is called: by its secure name wherever the service is reached by https."""
    name = SECURE if services().settings.base_url.startswith("https:") else PLAIN
    return f"{name}-{purpose}" if purpose else name


def set_cookie(response: Response, value: str, *, purpose: str = "", life: int | None = None) -> None:
    """Have the browser keep a cookie: for so many seconds, or until it is closed. No script sees it."""
    secure = cookie_name().startswith("__Host-")
    response.set_cookie(
        cookie_name(purpose), value, max_age=life, path="/", secure=secure, httponly=True, samesite="Lax"
    )


def drop_cookie(response: Response, purpose: str = "") -> None:
    """Have the browser forget a cookie."""
    secure = cookie_name().startswith("__Host-")
    response.delete_cookie(cookie_name(purpose), path="/", secure=secure, httponly=True, samesite="Lax")


def session_secret() -> str:
    """What the browser's cookie holds, or will hold with this answer; "" without one."""
    begun: str = g.get("session_secret", "")
    return begun or request.cookies.get(cookie_name(), "")[:200]


def viewer() -> Player | None:
    """Who looks at this page, looked up once; None for a stranger."""
    if "viewer" not in g:
        g.viewer = g.session = None  # whoever is kept out is shown that page as a stranger
        g.viewer, g.session = _look_up(session_secret())
    found: Player | None = g.viewer
    return found


def reader() -> str:
    """A name for whoever looks, under which their browser keeps what is theirs; "" for a stranger."""
    who = viewer()
    return "" if who is None else people.reader_name(services(), who.id)


def session_id() -> str | None:
    """The id of the session this request is made in; None for a stranger."""
    viewer()
    session: Bearer | None = g.session
    return None if session is None else session.token


def member() -> Player:
    """Who looks at a page that is shown to members only."""
    found = viewer()
    assert found is not None, "members_only has let them in"
    return found


def viewer_id() -> str | None:
    """The id of whoever looks; None for a stranger."""
    found = viewer()
    return None if found is None else found.id


def ask_for_sign_in() -> Response:
    """Lead a stranger to the sign-in, and back from there to this address."""
    return redirect(url_for("sign_in.page", next=request.full_path.rstrip("?")), 303)  # type: ignore[return-value]


def refuse_guest() -> Response:
    """Answer a guest who asks for what takes an account, and say how to get one."""
    return make_response(render_template("guests/members.html"), 403)


def members_only(view: F) -> F:
    """Show a page to members only; a stranger is led to the sign-in, and back, with the form they sent if any."""

    @wraps(view)
    def guarded(*args: Any, **more: Any) -> Any:
        found = viewer()
        if found is None and request.method == "POST":
            return refuse_guest() if g.get("is_guest") else ask_to_sign_in()
        if found is None:
            return ask_for_sign_in()
        g.player = found.id
        return view(*args, **more)

    return guarded  # type: ignore[return-value]


def begin_session(response: Response, tx: Connection, player: str) -> Response:
    """Sign a browser in as this player, with the answer that it is given.

    Its secret is always a new one, and the session it was in before has ended (session fixation). Whoever looks must
    be known by then: to find out may write.
    """
    require_admitted(services(), tx, player)
    before = session_id()
    if before is not None:
        people.end_tokens(tx, g.viewer.id, before)
    now, browser = services().database.clock.now(tx), browser_name(request.user_agent.string)
    secret = people.make_token(services(), tx, player, browser, now, kind=SESSION)
    set_cookie(response, secret, life=LIFE)
    g.session_secret, g.viewer = secret, players.by_id(tx, player)
    g.session = None
    g.pop("language", None)
    return response


def end_session(response: Response, tx: Connection) -> Response:
    """Sign this browser out, with the answer that it is given."""
    who = viewer()
    if who is not None:
        people.end_tokens(tx, who.id, g.session.token)
    return forget_browser(response)


def forget_browser(response: Response) -> Response:
    """Have a browser forget its session, and all it keeps of us, with the answer that it is given."""
    drop_cookie(response)
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    return response


def _look_up(secret: str) -> tuple[Player | None, Bearer | None]:
    if not secret or not secret.isascii():
        return None, None
    with services().database.read() as connection:
        session = people.whose_session(services().database, connection, secret)
        if session is not None and session.suspended:
            after_this_request(_sign_out)
            require_admitted(services(), connection, session.player)
        player = None if session is None else players.by_id(connection, session.player)
    if player is not None and player.is_guest and request.endpoint not in GUEST_VIEWS:
        g.is_guest = True
        return None, None
    if session is not None and people.note_use(services().database, session):
        after_this_request(_renew)
    return player, session


def _sign_out(response: Response) -> Response:
    """Have the browser forget the session of a player who is kept out, with the answer that says so."""
    return forget_browser(response) if response.status_code == 403 else response


def _renew(response: Response) -> Response:
    """Let the browser keep the cookie for as long again, unless the answer says something else of it."""
    if not any(cookie.startswith(f"{cookie_name()}=") for cookie in response.headers.getlist("Set-Cookie")):
        set_cookie(response, request.cookies.get(cookie_name(), ""), life=LIFE)
    return response
