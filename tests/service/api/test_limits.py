"""The counting of requests: in Redis for all processes, in memory beside it, and no caller forgotten (S-29)."""

import threading
from collections.abc import Iterator

import pytest

from service.api.http import limits
from service.api.http.counters import Limiter
from service.kernel.networks import network_of
from tests.servers import RedisServer
from tests.service.api.table import Answer, Api

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


# Who a request counts for


@pytest.fixture
def few(limited_api: Api, monkeypatch: pytest.MonkeyPatch) -> Api:
    """The API with three requests a minute for everybody."""
    monkeypatch.setattr(limits, "READ", 3)
    monkeypatch.setattr(limits, "ACCOUNT", 3)
    return limited_api


def bears(api: Api, token: str, path: str = "/me", method: str = "GET", address: str = "192.0.2.1") -> Answer:
    headers = {"Authorization": token}
    return api.send(method, path, headers=headers, environ_overrides={"REMOTE_ADDR": address})


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/me", "/rulesets", "/games", "/me/export", "/nothing", "//healthz", "//"])
@pytest.mark.parametrize("token", ["Bearer wr_bogus{}", "Bearer {}", "bogus {}", "{}", "Basic {}", "Bearer wr_é{}"])
def test_s29_made_up_tokens_count_for_the_network_they_come_from(few, path, token):
    statuses = [bears(few, token.format(number), path).status for number in range(4)]
    assert statuses[3] == 429
    assert 429 not in statuses[:3]
    assert bears(few, token.format("x"), path, address="192.0.2.2").status != 429, "another network has its own"


def test_s29_the_house_log_has_a_limit_of_its_own_for_the_network_whatever_token_is_shown(few, monkeypatch):
    monkeypatch.setattr(limits, "LOG", 2)
    header = {"Authorization": few.player("ann").headers["Authorization"]}

    def status(path: str, address: str = "192.0.2.1") -> int:
        there = {"REMOTE_ADDR": address}
        return few.app.test_client().get(path, headers=header, environ_overrides=there).status_code

    log = "/.well-known/wardroom-log"
    assert [status(log), status(f"{log}?from=1"), status(log)] == [200, 404, 429]
    assert [status(log, "192.0.2.2"), status("/.well-known/wardroom-keys")] == [200, 200]


def test_s29_a_valid_token_is_not_held_up_by_the_bogus_ones_of_its_network(few):
    ann = few.player("ann")
    for number in range(9):
        bears(few, f"Bearer wr_bogus{number}")
    token = ann.headers["Authorization"]
    assert [bears(few, token).status for _ in range(4)] == [200, 200, 200, 429]
    assert bears(few, token, address="192.0.2.9").status == 429, "a token counts wherever it comes from"


def test_s29_a_token_that_was_ended_counts_for_the_network(few):
    ann = few.player("ann")
    few.delete("/me/tokens", ann).ok(204)
    statuses = [bears(few, ann.headers["Authorization"]).status for _ in range(4)]
    assert statuses == [401, 401, 401, 429]


def test_s29_erasing_with_made_up_tokens_counts_for_the_network(few):
    statuses = [bears(few, f"Bearer wr_{number}", "/me", "DELETE").status for number in range(4)]
    assert statuses == [401, 401, 401, 429]


@pytest.mark.parametrize(
    "address, network",
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("unknown", "unknown"),
        ("", ""),
    ],
)
def test_s29_an_ipv6_network_is_one_caller(address, network):
    assert network_of(address) == network


def test_s29_requests_from_one_ipv6_network_count_together(few):
    statuses = [bears(few, "", address=f"2001:db8:1:2::{number}").status for number in range(4)]
    assert statuses == [401, 401, 401, 429]
    assert bears(few, "", address="2001:db8:1:3::1").status == 401
