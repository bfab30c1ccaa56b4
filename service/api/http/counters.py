"""Counters of requests: a sliding window of two counters (`limits`), in Redis or in the memory of this process."""

import math
import time
from contextlib import suppress
from functools import cache
from typing import Final

from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from service.kernel.log import log

AWAY: Final = 5
"""Seconds before a Redis that did not answer is asked again."""
SWEEP: Final = 60
"""Seconds after which counters of this process that are over are looked for again."""
_per_minute: Final = cache(RateLimitItemPerMinute)
_per_day: Final = cache(RateLimitItemPerDay)


class Memory(MemoryStorage):
    """Counters in the memory of this process, those that are over dropped once a minute: the library starts a thread
    for that with almost every request, which costs a tenth of a move."""

    sweep_at = 0.0

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add to a counter, as the library does."""
        now = time.monotonic()
        if now >= self.sweep_at:
            self.sweep_at = now + SWEEP
            return super().incr(key, expiry, amount)
        self.get(key)  # drops it where it is over
        with self.locks[key]:
            self.storage[key] += amount
            if self.storage[key] == amount:
                self.expirations[key] = time.time() + expiry
            return self.storage[key]


class Limiter:
    """Counts callers in Redis, for all processes, where there is a URL; in memory while Redis does not answer."""

    def __init__(self, redis_url: str | None) -> None:
        self.memory = SlidingWindowCounterRateLimiter(Memory())
        self.shared: SlidingWindowCounterRateLimiter | None = None
        if redis_url is not None:
            storage = RedisStorage(
                redis_url, None, "wardroom:limit", wrap_exceptions=True, socket_timeout=0.5, socket_connect_timeout=0.5
            )
            self.shared = SlidingWindowCounterRateLimiter(storage)
        self.away_until = 0.0

    def wait(self, caller: str, most: int, *, daily: bool = False) -> int | None:
        """Count a request of this caller in a minute, or a day; None if it is within its limit, else the seconds to
        wait."""
        now, limit = time.monotonic(), (_per_day if daily else _per_minute)(most)
        if self.shared is not None and now >= self.away_until:
            try:
                return _hit(self.shared, caller, limit)
            except StorageError as error:
                reason = type(error.storage_error).__name__
                log("wardroom.limits", "warning", "limits fall back to memory", error=reason)
                self.away_until = now + AWAY
        return _hit(self.memory, caller, limit)

    def left(self, caller: str, most: int) -> tuple[int, int]:
        """How many requests this caller has left, and in how many seconds more of them."""
        if self.shared is not None and time.monotonic() >= self.away_until:
            with suppress(StorageError):
                return _left(self.shared, caller, most)
        return _left(self.memory, caller, most)


def _left(limiter: SlidingWindowCounterRateLimiter, caller: str, most: int) -> tuple[int, int]:
    stats = limiter.get_window_stats(_per_minute(most), caller)
    return max(0, stats.remaining), max(0, math.ceil(stats.reset_time - time.time()))


def _hit(limiter: SlidingWindowCounterRateLimiter, caller: str, limit: RateLimitItem) -> int | None:
    if limiter.hit(limit, caller):
        return None
    return max(1, math.ceil(limiter.get_window_stats(limit, caller).reset_time - time.time()))
