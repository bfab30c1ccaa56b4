"""Limits on requests: per valid token, or per network where there is none (S-29).

A sliding window of two counters (`limits`). In Redis one script a request; in the embedded mode, and while Redis is
away, in this process's memory. (Flask-Limiter does the same in a third of a move's time.)
"""

import math
import time
from collections.abc import Callable
from typing import Final

from flask import Flask, Response, request
from limits import RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from config.settings import Settings
from service.api.http.auth import bearer
from service.api.http.callers import caller_network
from service.api.http.problems import problem
from service.kernel.log import log

READ: Final = 1200
"""Requests of one caller in a minute."""
SIGN_IN: Final = 20
"""Requests of one network in a minute to the paths that mail codes or take them."""
LOG: Final = 120
"""Requests of one network in a minute for the house log: its proofs are the dearest answer that a stranger gets."""
ACCOUNT: Final = 20
"""Requests of one caller in a minute that concern all that is kept about them."""
ACCOUNT_REQUESTS: Final = frozenset(
    {
        ("GET", "/api/v1/me/export"), ("DELETE", "/api/v1/me"),
        ("GET", "/me/data/export"), ("POST", "/me/data/erase"),
    }
)  # fmt: skip
API: Final = "/api/"
LOG_PATH: Final = "/.well-known/wardroom-log"
SIGN_IN_PATHS: Final = frozenset({"/api/v1/players", "/api/v1/tokens"})
SIGN_IN_PAGES: Final = "/sign-in"
"""Where the forms of the pages go that do the same; they count together."""
AWAY: Final = 5
"""Seconds before a Redis that did not answer is asked again."""


class Limiter:
    """Counts callers in Redis, for all processes, where there is a URL; in memory while Redis does not answer."""

    def __init__(self, redis_url: str | None) -> None:
        self.memory = SlidingWindowCounterRateLimiter(MemoryStorage())
        self.shared: SlidingWindowCounterRateLimiter | None = None
        if redis_url is not None:
            storage = RedisStorage(
                redis_url, None, "wardroom:limit", wrap_exceptions=True, socket_timeout=0.5, socket_connect_timeout=0.5
            )
            self.shared = SlidingWindowCounterRateLimiter(storage)
        self.away_until = 0.0

    def wait(self, caller: str, most: int) -> int | None:
        """Count a request of this caller; None where it is within its limit, else the seconds to wait."""
        now = time.monotonic()
        if self.shared is not None and now >= self.away_until:
            try:
                return _hit(self.shared, caller, most)
            except StorageError as error:
                reason = type(error.storage_error).__name__
                log("wardroom.limits", "warning", "limits fall back to memory", error=reason)
                self.away_until = now + AWAY
        return _hit(self.memory, caller, most)


def _hit(limiter: SlidingWindowCounterRateLimiter, caller: str, most: int) -> int | None:
    limit = RateLimitItemPerMinute(most)
    if limiter.hit(limit, caller):
        return None
    return max(1, math.ceil(limiter.get_window_stats(limit, caller).reset_time - time.time()))


def limit_requests(app: Flask, settings: Settings, session: Callable[[], str | None]) -> None:
    """Answer 429 to callers beyond their limit; `session` says in whose session a page is asked for."""
    if not settings.rate_limits:
        return
    limiter = Limiter(None if settings.embedded else settings.redis_url)

    @app.before_request
    def check() -> Response | None:
        wait = limiter.wait(*_caller(session))
        if wait is None:
            return None
        detail = "Too many requests: wait as long as Retry-After says."
        return problem(429, "too-many-requests", detail, headers={"Retry-After": f"{wait}"})


def _caller(session: Callable[[], str | None]) -> tuple[str, int]:
    """Who a request counts for, and how many they have: a token that is none counts for the network it came from."""
    network = f"address:{caller_network()}"
    if request.path in SIGN_IN_PATHS or (request.method == "POST" and request.path.startswith(SIGN_IN_PAGES)):
        return f"sign-in:{network}", SIGN_IN
    if request.path == LOG_PATH:
        return f"log:{network}", LOG
    token = _token() if request.path.startswith(API) else session()
    caller = network if token is None else f"token:{token}"
    method = "GET" if request.method == "HEAD" else request.method  # as much work, though less is sent
    if (method, request.path) in ACCOUNT_REQUESTS:
        return f"account:{caller}", ACCOUNT
    return caller, READ


def _token() -> str | None:
    shown = bearer()
    return None if shown is None else shown.token
