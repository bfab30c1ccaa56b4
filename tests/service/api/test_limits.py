"""The counting of requests: in Redis for all processes, in memory beside it, and no caller forgotten (S-29)."""

import threading
from collections.abc import Iterator

import pytest

from service.api.http.limits import Limiter
from tests.servers import RedisServer

CALLERS = 60_000


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """A Redis that the test may stop."""
    with RedisServer() as server:
        yield server


def test_s29_who_stays_within_the_limit_is_let_in_and_the_next_waits_less_than_two_minutes():
    limiter = Limiter(None)
    assert [limiter.wait("ann", 3) for _ in range(3)] == [None] * 3
    assert 1 <= (limiter.wait("ann", 3) or 0) <= 61
    assert limiter.wait("bob", 3) is None, "each has a limit of its own"


def test_s29_threads_get_no_request_more_than_one_caller_may_have():
    limiter, let_in = Limiter(None), []
    start = threading.Barrier(8)

    def ask() -> None:
        start.wait()
        let_in.extend(limiter.wait("ann", 50) for _ in range(25))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert let_in.count(None) <= 50


@pytest.mark.slow
def test_s29_a_crowd_of_callers_does_not_make_one_of_them_forgotten():
    limiter = Limiter(None)
    assert limiter.wait("ann", 1) is None
    for number in range(CALLERS):
        limiter.memory.storage.incr(f"caller {number}", 60)  # type: ignore[attr-defined]
    assert limiter.wait("ann", 1) is not None


def test_s29_processes_count_together_in_redis(redis_url):
    first, second = Limiter(redis_url), Limiter(redis_url)
    assert [first.wait("cyd", 3), second.wait("cyd", 3), first.wait("cyd", 3)] == [None] * 3
    assert 1 <= (second.wait("cyd", 3) or 0) <= 61


def test_s29_without_redis_requests_are_served_and_counted_in_memory(own_redis):
    limiter = Limiter(own_redis.url)
    assert limiter.wait("ann", 2) is None
    own_redis.stop()
    assert [limiter.wait("ann", 2) for _ in range(2)] == [None] * 2
    assert limiter.wait("ann", 2) is not None
    assert limiter.away_until > 0
