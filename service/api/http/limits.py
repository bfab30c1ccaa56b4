"""Limits on requests: per valid token, or per network where there is none (S-29).

A sliding window of two counters (`limits`). In Redis one script a request; in the embedded mode, and while Redis is
away, in this process's memory. (Flask-Limiter does the same in a third of a move's time.)
"""

from collections.abc import Callable
from typing import Final

from flask import Flask, Response, g, request

from config.settings import Settings
from service.api.http.auth import bearer
from service.api.http.callers import caller_network
from service.api.http.problems import problem

READ: Final = 1200
"""Requests of one caller in a minute."""
SIGN_IN: Final = 20
"""Requests of one network in a minute to the paths that mail codes or take them."""
DEVICES: Final = 20
"""Requests of one network in a minute for a code that lets a program in, or with one: none is guessed (RFC 8628)."""
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
ACCOUNT: Final = 20
"""Requests of one caller in a minute that concern all that is kept about them."""
ACCOUNT_REQUESTS: Final = frozenset(
    {
        ("GET", "/api/v1/me/export"), ("DELETE", "/api/v1/me"),
        ("GET", "/me/data/export"), ("POST", "/me/data/erase"),
    }
)  # fmt: skip
WATCHED: Final = ("/g/", "/p/", "/api/v1/players/", "/games", "/oembed", "/api/v1/games")
DEARLY: Final = (".png", "/bundle", "/audit")
LEARNED: Final = "/learn/"
API: Final = "/api/"
LOG_PATH: Final = "/.well-known/wardroom-log"
FEEDS_PATH: Final = "/feeds/"
GAME_FEED: Final = "/feed.atom"
SIGN_IN_PATHS: Final = frozenset({"/api/v1/players", "/api/v1/tokens"})
DEVICE: Final = "/device"
DEVICE_BEGINS: Final = "/api/v1/oauth/device"
SIGN_IN_PAGES: Final = "/sign-in"
"""Where the forms of the pages go that do the same; they count together."""


def limit_requests(app: Flask, settings: Settings, session: Callable[[], str | None]) -> None:
    """Answer 429 to callers beyond their limit; `session` says in whose session a page is asked for."""
    if not settings.rate_limits:
        return
    from service.api.http.counters import Limiter

    limiter = Limiter(None if settings.embedded else settings.redis_url)

    @app.before_request
    def check() -> Response | None:
        g.counted = counted = _caller(session)
        wait = limiter.wait(*counted)
        if wait is None:
            return None
        detail = "Too many requests: wait as long as Retry-After says."
        return problem(429, "too-many-requests", detail, headers={"Retry-After": f"{wait}"})

    @app.after_request
    def tell(response: Response) -> Response:
        """How much is left to programs: draft-ietf-httpapi-ratelimit-headers-10."""
        if "counted" in g and request.path.startswith(API):
            (caller, most), policy = g.counted, g.counted[0].partition(":")[0]
            left, seconds = limiter.left(caller, most)
            response.headers["RateLimit-Policy"] = f'"{policy}";q={most};w=60'
            response.headers["RateLimit"] = f'"{policy}";r={left};t={seconds}'
        return response


def _caller(session: Callable[[], str | None]) -> tuple[str, int]:
    """Who a request counts for, and how many they have: a token that is none counts for the network it came from."""
    path, method = request.path, request.method
    if path in SIGN_IN_PATHS or (method == "POST" and path.startswith(SIGN_IN_PAGES)):
        return f"sign-in:{_network()}", SIGN_IN
    if path in (DEVICE, DEVICE_BEGINS):
        return f"device:{_network()}", DEVICES
    if path.startswith(LEARNED):
        return f"learn:{_network()}", LEARN
    if path == LOG_PATH:
        return f"log:{_network()}", LOG
    if path.startswith(FEEDS_PATH) or path.endswith(GAME_FEED):
        return f"feeds:{_network()}", FEEDS
    token = _token() if path.startswith(API) else session()
    if token is None and path.startswith(WATCHED) and not _shows_token():
        return (f"dear:{_network()}", DEAR) if path.endswith(DEARLY) else (f"watch:{_network()}", WATCH)
    caller = _network() if token is None else f"token:{token}"
    method = "GET" if method == "HEAD" else method  # as much work, though less is sent
    if (method, path) in ACCOUNT_REQUESTS:
        return f"account:{caller}", ACCOUNT
    return caller, READ


def _network() -> str:
    return f"address:{caller_network()}"


def _shows_token() -> bool:
    """Whether the request has a token of whatever kind, where one counts: pages know none."""
    return request.path.startswith(API) and "Authorization" in request.headers


def _token() -> str | None:
    shown = bearer()
    return None if shown is None else shown.token
