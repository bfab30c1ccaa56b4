"""Who holds the lock of a game hands its head on: one lock and one decoding of the state in whatever moves it."""

from collections import Counter
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from service.accounts import people
from service.store import stream_rows, streams
from tests.apps import app_of
from tests.workers.post import Post, post
from workers.sweep import sweep_deadlines

__all__ = ["post"]
ONCE = {"lock": 1, "decode": 1}


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often a game was locked, and how often a state was decoded."""
    counted: Counter[str] = Counter()

    def counting(name: str, module: ModuleType, place: str) -> None:
        original = getattr(module, place)

        def call(*given: Any, **named: Any) -> Any:
            counted[name] += 1
            return original(*given, **named)

        monkeypatch.setattr(module, place, call)

    counting("lock", stream_rows, "lock_sqlite")
    counting("lock", stream_rows, "lock_postgres")
    counting("decode", streams, "decode_state")
    return counted


def begin(post: Post, *names: str, **terms: Any) -> str:
    game = post.begins(*(names or ("ann", "bob", "cyd")), **terms)
    post.round()
    return game


def first_order(post: Post, game: str) -> tuple[str, str]:
    """Who is asked first, and a legal order of theirs."""
    seat = post.awaited(game)[0]
    return ("ann", "bob", "cyd")[seat], post.legal(game, seat)[0]


def request(post: Post, name: str, path: str, body: dict[str, Any]) -> Any:
    with post.services.database.write() as tx:
        token = people.token_for(post.services, tx, f"{name}@people.example", name)
    client = app_of(post.services).test_client()
    return lambda: client.post("/api/v1" + path, headers={"Authorization": f"Bearer {token}"}, json=body)


def test_a_move_by_mail(post, count):
    game = begin(post, kind="tammany-hall", options={})
    name, order = first_order(post, game)
    post.answers(name, order)
    count.clear()
    post.works()
    assert (post.mails()[-1]["state"], count) == ("applied", ONCE)


def test_a_sealed_bid_by_mail(post, count):
    game = begin(post, options={"rounds": "3"})
    version = post.version(game)
    post.answers("ann", "hide 1")
    count.clear()
    post.works()
    assert (post.mails()[-1]["state"], count) == ("applied", ONCE)
    assert post.version(game) > version


def test_talk_and_a_move_by_mail(post, count):
    begin(post, options={"rounds": "3"})
    post.answers("ann", "say good morning\nhide 1\nstatus")
    count.clear()
    post.works()
    assert (post.mails()[-1]["state"], count) == ("applied", ONCE)


def test_going_back_by_mail(post, count):
    begin(post, options={"rounds": "3"})
    post.answers("ann", "hide 1")
    post.round()
    post.answers("ann", "undo")
    count.clear()
    post.works()
    assert (post.mails()[-1]["state"], count) == ("applied", ONCE)


def test_a_refused_move_by_mail(post, count):
    begin(post, options={"rounds": "3"})
    post.answers("ann", "hide 77")
    count.clear()
    post.works()
    assert (post.mails()[-1]["state"], count) == ("rejected", ONCE)


def test_a_move_by_rest(post, count):
    game = begin(post, kind="tammany-hall", options={})
    name, order = first_order(post, game)
    move = request(post, name, f"/games/{game}/moves", {"text": order})
    count.clear()
    assert (move().status_code, count) == (201, ONCE)


def test_a_bid_by_rest(post, count):
    game = begin(post, options={"rounds": "3"})
    bid = request(post, "ann", f"/games/{game}/bids", {"pennies": 1})
    count.clear()
    assert (bid().status_code, count) == (201, ONCE)


def test_a_deadline(post, count):
    game = begin(post, kind="tammany-hall", options={})
    version = post.version(game)
    post.hands.advance(days=8)
    count.clear()
    sweep_deadlines(post.services)
    assert count == ONCE
    assert post.version(game) > version
