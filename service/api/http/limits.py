"""Limits on requests: per token, or per address where there is none (S-29).

A sliding window of two counters. In Redis one pipeline a request; in the embedded mode, and while Redis is away, in
this process's memory. (Flask-Limiter does the same in a third of a move's time.)
"""

import hashlib
import math
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

from flask import Flask, Response, request

from config.settings import Settings
from service.api.http.problems import problem
from service.kernel.log import log

WINDOW: Final = 60
"""Seconds."""
READ: Final = 1200
"""Requests of one caller in a window."""
SIGN_IN: Final = 20
"""Requests of one address in a window to the paths that mail codes or take them."""
ACCOUNT: Final = 20
"""Requests of one caller in a window that concern all that is kept about them."""
ACCOUNT_REQUESTS: Final = frozenset({("GET", "/api/v1/me/export"), ("DELETE", "/api/v1/me")})
SIGN_IN_PATHS: Final = frozenset({"/api/v1/players", "/api/v1/tokens"})
MOST_CALLERS: Final = 50_000


class Counter(Protocol):
    """Counts a caller's requests, this one too, over the last window."""

    def __call__(self, caller: str, now: float) -> float: ...


class MemoryCounter:
    """Counts in this process: caller -> (window, requests in it, requests in the one before)."""

    def __init__(self) -> None:
        self.seen: dict[str, tuple[int, int, int]] = {}

    def __call__(self, caller: str, now: float) -> float:
        """Requests over the last window."""
        window = int(now // WINDOW)
        kept, count, before = self.seen.get(caller, (window, 0, 0))
        if kept != window:
            count, before = 0, count if kept == window - 1 else 0
        if len(self.seen) > MOST_CALLERS:
            self.seen.clear()
        self.seen[caller] = (window, count + 1, before)
        return weighed(count + 1, before, now)


class RedisCounter:
    """Counts in Redis, for all processes; in memory while Redis does not answer."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.fallback = MemoryCounter()
        self.away_until = 0.0
        self._client: Any = None

    def __call__(self, caller: str, now: float) -> float:
        """Requests over the last window."""
        import redis

        if now < self.away_until:
            return self.fallback(caller, now)
        window = int(now // WINDOW)
        if self._client is None:
            self._client = redis.Redis.from_url(self.url, socket_timeout=0.5, socket_connect_timeout=0.5)
        key = f"wardroom:limit:{caller}:{window}"
        try:
            with self._client.pipeline(transaction=False) as pipe:
                pipe.incr(key).expire(key, 2 * WINDOW).get(f"wardroom:limit:{caller}:{window - 1}")
                count, _, before = pipe.execute()
        except redis.RedisError as error:
            log("wardroom.limits", "warning", "limits fall back to memory", error=type(error).__name__)
            self.away_until = now + 5
            return self.fallback(caller, now)
        return weighed(count, int(before or 0), now)


def weighed(count: int, before: int, now: float) -> float:
    """This window's requests, and of the one before the part that still lies within a window's length."""
    return count + before * (1 - now % WINDOW / WINDOW)


def limit_requests(app: Flask, settings: Settings) -> None:
    """Answer 429 to callers beyond their limit."""
    if settings.rate_limits:
        counter: Counter = MemoryCounter() if settings.embedded else RedisCounter(settings.redis_url)
        app.before_request(_limited(counter))


def _limited(counter: Counter) -> Callable[[], Response | None]:
    def check() -> Response | None:
        now = time.time()
        caller, most = _caller()
        if counter(caller, now) <= most:
            return None
        wait = str(math.ceil(WINDOW - now % WINDOW))
        detail = "Too many requests: wait as long as Retry-After says."
        return problem(429, "too-many-requests", detail, headers={"Retry-After": wait})

    return check


def _caller() -> tuple[str, int]:
    if request.path in SIGN_IN_PATHS:
        return f"sign-in:{request.remote_addr}", SIGN_IN
    token = request.headers.get("Authorization")
    if (request.method, request.path) in ACCOUNT_REQUESTS:
        return f"account:{hashlib.sha256((token or '').encode()).hexdigest()[:32]}:{request.remote_addr}", ACCOUNT
    return (hashlib.sha256(token.encode()).hexdigest()[:32] if token else f"address:{request.remote_addr}"), READ
