"""Who holds the lock of a game hands its head on: one lock and one decoding of the state in whatever moves it."""

from collections import Counter
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from service.accounts import people
from service.store.event_store import streams
from tests.apps import app_of
from tests.tables import Tables
from tests.workers.mail_tables import mail_tables
from workers.sweep import sweep_deadlines

__all__ = ["mail_tables"]
ONCE = {"lock": 1, "decode": 1}


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often a game was locked, and how often a state was decoded."""
    counted: Counter[str] = Counter()

    def counting(name: str, owner: ModuleType | type, place: str) -> None:
        original = getattr(owner, place)

        def call(*given: Any, **named: Any) -> Any:
            counted[name] += 1
            return original(*given, **named)

        monkeypatch.setattr(owner, place, call)

    counting("lock", streams.Streams, "_locked")
    counting("decode", streams, "decode_state")
    return counted


def begin(mail_tables: Tables, *names: str, **terms: Any) -> str:
    game = mail_tables.begin(*(names or ("ann", "bob", "cyd")), **terms)
    mail_tables.exchange()
    return game


def first_order(mail_tables: Tables, game: str) -> tuple[str, str]:
    """Who is asked first, and a legal order of theirs."""
    seat = mail_tables.awaited(game)[0]
    return ("ann", "bob", "cyd")[seat], mail_tables.legal(game, seat)[0]


def request(mail_tables: Tables, name: str, path: str, body: dict[str, Any]) -> Any:
    with mail_tables.services.database.write() as tx:
        token = people.token_for(mail_tables.services, tx, f"{name}@people.example", name)
    client = app_of(mail_tables.services).test_client()
    return lambda: client.post("/api/v1" + path, headers={"Authorization": f"Bearer {token}"}, json=body)


def test_a_move_by_mail(mail_tables, count):
    game = begin(mail_tables, kind="tammany-hall", options={})
    name, order = first_order(mail_tables, game)
    mail_tables.reply(name, order)
    count.clear()
    mail_tables.read_inbox()
    assert (mail_tables.mails()[-1]["state"], count) == ("applied", ONCE)


def test_a_sealed_bid_by_mail(mail_tables, count):
    game = begin(mail_tables, options={"rounds": "3"})
    version = mail_tables.version(game)
    mail_tables.reply("ann", "hide 1")
    count.clear()
    mail_tables.read_inbox()
    assert (mail_tables.mails()[-1]["state"], count) == ("applied", ONCE)
    assert mail_tables.version(game) > version


def test_talk_and_a_move_by_mail(mail_tables, count):
    begin(mail_tables, options={"rounds": "3"})
    mail_tables.reply("ann", "say good morning\nhide 1\nstatus")
    count.clear()
    mail_tables.read_inbox()
    assert (mail_tables.mails()[-1]["state"], count) == ("applied", ONCE)


def test_going_back_by_mail(mail_tables, count):
    begin(mail_tables, options={"rounds": "3"})
    mail_tables.reply("ann", "hide 1")
    mail_tables.exchange()
    mail_tables.reply("ann", "undo")
    count.clear()
    mail_tables.read_inbox()
    assert (mail_tables.mails()[-1]["state"], count) == ("applied", ONCE)


def test_a_refused_move_by_mail(mail_tables, count):
    begin(mail_tables, options={"rounds": "3"})
    mail_tables.reply("ann", "hide 77")
    count.clear()
    mail_tables.read_inbox()
    assert (mail_tables.mails()[-1]["state"], count) == ("rejected", ONCE)


def test_a_move_by_rest(mail_tables, count):
    game = begin(mail_tables, kind="tammany-hall", options={})
    name, order = first_order(mail_tables, game)
    move = request(mail_tables, name, f"/games/{game}/moves", {"text": order})
    count.clear()
    assert (move().status_code, count) == (201, ONCE)


def test_a_bid_by_rest(mail_tables, count):
    game = begin(mail_tables, options={"rounds": "3"})
    bid = request(mail_tables, "ann", f"/games/{game}/bids", {"pennies": 1})
    count.clear()
    assert (bid().status_code, count) == (201, ONCE)


def test_a_deadline(mail_tables, count):
    game = begin(mail_tables, kind="tammany-hall", options={})
    version = mail_tables.version(game)
    mail_tables.advance(days=8)
    count.clear()
    sweep_deadlines(mail_tables.services)
    assert count == ONCE
    assert mail_tables.version(game) > version
