"""Limits on requests: per valid token, or per network where there is none (S-29).

A sliding window of two counters (`limits`). In Redis one script a request; in the embedded mode, and while Redis is
away, in this process's memory. (Flask-Limiter does the same in a third of a move's time.)
"""

from collections.abc import Callable
from typing import Final

from flask import Request, Response, g

from config.settings import Settings
from service.api.http.application import Application, add_headers
from service.api.http.auth import bearer
from service.api.http.callers import caller_network
from service.api.http.problems import problem
from service.api.http.streaming import asked_by_news
from service.news.holding import LOOK

READ: Final = 1200
"""Requests of one caller in a minute."""
SIGN_IN: Final = 20
"""Requests of one network in a minute to the paths that mail codes or take them."""
WATCH: Final = 600
"""Requests of one network in a minute that read games without a token or a session."""
DEAR: Final = 60
"""Such of them as cost a tenth of a second and more: pictures of pixels, bundles, audits."""
LEARN: Final = 300
"""Requests of one network in a minute for lessons and examples, which play some moves each."""
LOG: Final = 120
"""Requests of one network in a minute for the house log: its proofs are the dearest answer that a stranger gets."""
FEEDS: Final = 120
"""Requests of one network in a minute for feeds: readers of many people may come from one server."""
GUESTS: Final = 30
"""Guests that come from one network in a day."""
PLAY_NOW: Final = "/play"
ACCOUNT: Final = 20
"""Requests of one caller in a minute that concern all that is kept about them."""
ACCOUNT_REQUESTS: Final = frozenset(
    {
        ("GET", "/api/v1/me/export"), ("DELETE", "/api/v1/me"),
        ("GET", "/me/data/export"), ("POST", "/me/data/erase"),
    }
)  # fmt: skip
WATCHED: Final = ("/g/", "/p/", "/api/v1/players/", "/games", "/api/v1/games")
DEARLY: Final = (".png", "/bundle", "/audit")
LEARNED: Final = "/learn/"
API: Final = "/api/"
LOG_PATH: Final = "/.well-known/wardroom-log"
FEEDS_PATH: Final = "/feeds/"
GAME_FEED: Final = "/feed.atom"
SIGN_IN_PATHS: Final = frozenset({"/api/v1/players", "/api/v1/tokens"})
SIGN_IN_PAGES: Final = "/sign-in"
"""Where the forms of the pages go that do the same; they count together."""


def limit_requests(app: Application, settings: Settings, session: Callable[[Request], str | None]) -> None:
    """Add hooks that answer 429 to callers beyond their limit; `session` says in whose session a page is asked for."""
    if not settings.rate_limits:
        return
    from service.api.http.counters import Limiter

    limiter = app.extensions["wardroom-limits"] = Limiter(None if settings.embedded else settings.redis_url)

    def check(asked: Request) -> Response | None:
        if asked_by_news() == LOOK:
            return None  # it was counted when the stream began
        g.counted = counted = _caller(asked, session)
        wait = limiter.wait(*counted)
        if wait is None and _makes_guest(asked, session):
            wait = limiter.wait(f"guests:{_network()}", GUESTS, daily=True)
        if wait is None:
            return None
        detail = "Too many requests: wait as long as Retry-After says."
        return problem(429, "too-many-requests", detail, headers={"Retry-After": f"{wait}"})

    def tell(asked: Request, response: Response) -> Response:
        """How much is left to programs: draft-ietf-httpapi-ratelimit-headers-10."""
        counted = g.get("counted")
        if counted is not None and asked.path.startswith(API):
            caller, most = counted
            policy = caller.partition(":")[0]
            left, seconds = limiter.left(caller, most)
            told = {"RateLimit-Policy": f'"{policy}";q={most};w=60', "RateLimit": f'"{policy}";r={left};t={seconds}'}
            add_headers(asked, told)
        return response

    app.before.append(check)
    app.after.append(tell)


def _caller(asked: Request, session: Callable[[Request], str | None]) -> tuple[str, int]:
    """Who a request counts for, and how many they have: a token that is none counts for the network it came from."""
    path, method = asked.path, asked.method
    if path in SIGN_IN_PATHS or (method == "POST" and path.startswith(SIGN_IN_PAGES)):
        return f"sign-in:{_network()}", SIGN_IN
    if path.startswith(LEARNED):
        return f"learn:{_network()}", LEARN
    if path == LOG_PATH:
        return f"log:{_network()}", LOG
    if path.startswith(FEEDS_PATH) or path.endswith(GAME_FEED):
        return f"feeds:{_network()}", FEEDS
    token = _token() if path.startswith(API) else session(asked)
    if token is None and path.startswith(WATCHED) and not _shows_token(asked):
        return (f"dear:{_network()}", DEAR) if path.endswith(DEARLY) else (f"watch:{_network()}", WATCH)
    caller = _network() if token is None else f"token:{token}"
    method = "GET" if method == "HEAD" else method  # as much work, though less is sent
    if (method, path) in ACCOUNT_REQUESTS:
        return f"account:{caller}", ACCOUNT
    return caller, READ


def _makes_guest(asked: Request, session: Callable[[Request], str | None]) -> bool:
    """Return whether a request asks for a new guest."""
    return (asked.method, asked.path) == ("POST", PLAY_NOW) and session(asked) is None


def _network() -> str:
    return f"address:{caller_network()}"


def _shows_token(asked: Request) -> bool:
    """Whether the request has a token of whatever kind, where one counts: pages know none."""
    return asked.path.startswith(API) and "Authorization" in asked.headers


def _token() -> str | None:
    shown = bearer()
    return None if shown is None else shown.token
