"""Webhooks: what mails tell is told to programs, signed, at least once, and never when it is not true any more."""

import base64
import hashlib
import hmac
import itertools
import json
import random
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from service.container import Services
from service.kernel.clock import SECOND, Clock
from service.kernel.fault_points import faults
from service.kernel.wakeup import Wakeup
from service.mail import unsubscribes
from service.notify import subscriptions
from service.notify.kind import KINDS
from service.notify.webhook_targets import Endpoint
from service.store import checkpoints, decisions, outbox, webhooks
from service.store.deliveries import deliveries
from service.store.routes import TOLD_TO_WEBHOOKS
from service.store.webhooks import messages
from tests.databases import BOTH
from tests.witnesses import renamed
from tests.workers.letters.test_claims import with_claim
from tests.workers.office import Carrier, Died, Hands, Office, dying
from tests.workers.webhooks.receiver import headers_of, receiver
from workers.channels import retries
from workers.kinds import registry
from workers.loop import Loop
from workers.processes.embedded import Scheduler
from workers.processes.ticker import Ticker
from workers.sweep import housekeep
from workers.webhooks import channel
from workers.webhooks.channel import LEASE, LONGEST_WAIT, LOST_KEY, deliver
from workers.webhooks.failures import LONGEST_HOLD, hold
from workers.webhooks.http_client import Answer, NotAnswered

URL = "https://bot.example/turns?key=c4nary"
GONE = 410
PAUSES, pause = retries.WEBHOOK.pauses, retries.WEBHOOK.pause


class Bot:
    """A receiver that keeps what it is sent, and answers as told."""

    def __init__(self, *answers: int | Answer | Exception, otherwise: int = 204) -> None:
        self.answers = list(answers)
        self.otherwise = otherwise
        self.heard: list[tuple[Endpoint, dict[str, str], bytes]] = []

    def __call__(self, endpoint: Endpoint, headers: Mapping[str, str], body: bytes) -> Answer:
        self.heard.append((endpoint, dict(headers), body))
        answer = self.answers.pop(0) if self.answers else self.otherwise
        if isinstance(answer, Exception):
            raise answer
        return Answer(answer, None) if isinstance(answer, int) else answer

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, _, body in self.heard]

    def types(self) -> list[str]:
        return [one["type"] for one in self.told()]

    def ids(self) -> list[str]:
        return [headers["webhook-id"] for _, headers, _ in self.heard]


def verified(headers: Mapping[str, str], body: bytes, secret: str) -> list[bool]:
    """Which signatures are good, worked out from the text of Standard Webhooks 1.0.0 alone."""
    assert secret.startswith("whsec_")
    key = base64.b64decode(secret[len("whsec_") :], validate=True)
    assert 24 <= len(key) <= 64
    content = headers["webhook-id"].encode() + b"." + headers["webhook-timestamp"].encode() + b"." + body
    expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return [one == f"v1,{expected}" for one in headers["webhook-signature"].split(" ")]


def message_id(row: Mapping[str, Any]) -> str:
    return subscriptions.message_id(row["hook_id"], row["game_id"], row["kind"], row["decision"], row["created_at"])


class Told(Office):
    """An office, and people with webhooks."""

    secrets: dict[str, str]

    def hooks(self, name: str, url: str = URL) -> str:
        """Somebody's new webhook; its secret is kept for the test."""
        player = self.person(name)
        with self.services.database.write() as tx:
            hook, secret = subscriptions.register(self.services, tx, player, url)
        self.secrets = {**getattr(self, "secrets", {}), hook.id: secret}
        return hook.id

    def tells(self, bot: Any, fault: Callable[[str], None] = lambda _: None, **more: Any) -> int:
        with faults(fault):
            return deliver(self.services, bot, **{"lanes": 1, **more})

    def messages(self, **where: Any) -> list[dict[str, Any]]:
        found = sa.select(messages).where(*(messages.c[name] == value for name, value in where.items()))
        with self.services.database.read() as connection:
            return [dict(row) for row in connection.execute(found.order_by(messages.c.id)).mappings()]

    def came_of(self) -> Counter[str]:
        return Counter(row["state"] for row in self.messages())

    def hook(self, name: str = "ann") -> subscriptions.Subscription:
        with self.services.database.read() as connection:
            return subscriptions.list_subscriptions(self.services, connection, self.ids[name])[0]

    def pings(self, name: str, hook: str) -> str:
        with self.services.database.write() as tx:
            found = subscriptions.send_ping(self.services, tx, self.ids[name], hook)
        assert found is not None
        return found

    def log(self, number: int = 0) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.messages()[number]["log"])
        return found


@pytest.fixture(params=BOTH)
def told(request: pytest.FixtureRequest, open_services: Callable[..., Services], hands: Hands) -> Told:
    return Told(open_services(request.getfixturevalue(f"migrated_{request.param}"), clock=hands), hands)


@pytest.fixture
def small(migrated_sqlite: str, open_services: Callable[..., Services], hands: Hands) -> Told:
    """On SQLite, for what does not depend on the database."""
    return Told(open_services(migrated_sqlite, clock=hands), hands)


# What is told


def signed_head(told: Told, game: str) -> dict[str, Any]:
    """The checkpoint of where a game stands, as it was kept."""
    with told.services.database.read() as connection:
        kept = checkpoints.kept(connection, game, told.head(game).version)
    assert kept is not None
    return kept.document()


def test_s35_a_turn_is_told_with_ids_and_nothing_else(told):
    told.person("ann")
    hook = told.hooks("ann")
    game = told.begins()
    bot = Bot()
    assert told.tells(bot) == 1
    ((endpoint, headers, body),) = bot.heard
    head = told.head(game)
    assert endpoint == Endpoint(True, "bot.example", 443, "/turns?key=c4nary", trusted=False)
    assert json.loads(body) == {
        "type": "turn",
        "timestamp": "2031-03-04T12:00:00.000000Z",
        "data": {
            "game": game,
            "ruleset": "pennies",
            "seat": 0,
            "version": head.version,
            "hash": head.hash,
            "checkpoint": signed_head(told, game),
            "decision": head.rules.decider.decision(head.table.game),
            "due": "2031-03-07T12:00:00.000000Z",
            "url": f"http://127.0.0.1:8000/api/v1/games/{game}",
        },
    }
    assert headers["Content-Type"] == "application/json"
    assert headers["User-Agent"] == "Wardroom"
    assert headers["webhook-id"].startswith("msg_")
    assert "." not in headers["webhook-id"]
    assert int(headers["webhook-timestamp"]) == told.hands.at // SECOND
    assert verified(headers, body, told.secrets[hook]) == [True]
    assert told.came_of() == {"sent": 1}
    told.hands.advance(days=1)
    assert told.tells(bot) == 0, "once"


def test_s35_a_reminder_that_is_made_again_is_told_to_a_program_once(told):
    """Without mail each reminder is superseded, and looked at again when the player's nights are others."""
    told.hooks("ann")
    told.changes("ann", mail=False)
    told.begins(clock={"per_move": "P3D", "reminders": ["P1D", "PT6H"], "grace": "PT10M", "strikes": 2})
    bot = Bot()
    told.hands.advance(days=2)
    for _ in range(3):
        told.hands.advance(hours=1)
        told.sweeps()
        told.tells(bot)
        with told.services.database.write() as tx:
            decisions.remind_anew(tx, told.ids["ann"])
    assert bot.types() == ["turn", "reminder"]


def test_s35_all_that_a_player_is_told_about_a_game_is_told_to_the_program_too(told):
    told.hooks("ann")
    game = told.begins(clock={"per_move": "P3D", "reminders": ["P1D"], "grace": "PT10M", "strikes": 2})
    bot = Bot()
    told.tells(bot)
    told.hands.advance(days=2)
    told.sweeps()
    told.tells(bot)
    assert bot.types() == ["turn", "reminder"]
    told.expires(game, 0)
    told.wanders(game, 1, late=0)
    told.tells(bot)
    assert bot.types()[2] == "deadline-passed"
    assert bot.types()[-1] == "game-over"
    assert set(bot.types()) <= {KINDS[kind].event for kind in TOLD_TO_WEBHOOKS}
    over = bot.told()[-1]["data"]
    head = told.head(game)
    assert (over["version"], over["hash"]) == (head.version, head.hash)
    assert (over["decision"], over["due"]) == (None, None)
    assert set(over) == set(bot.told()[0]["data"]), "one shape"
    mine = told.notices(recipient=told.ids["ann"])
    assert len(told.messages()) == len([row for row in mine if row["kind"] in TOLD_TO_WEBHOOKS])
    assert len(set(bot.ids())) == len(bot.ids())


def test_what_is_told_can_be_checked():
    assert set(TOLD_TO_WEBHOOKS) <= set(registry.KINDS)


def test_codes_and_what_others_are_told_are_not_for_the_program(told):
    told.hooks("ann")
    told.asks_for_a_code("ann")
    told.begins("bob", "cyd")
    assert told.messages() == []


def test_what_was_told_before_there_was_a_webhook_is_not_told_again(told):
    told.begins()
    told.hooks("ann")
    assert told.tells(Bot()) == 0


def test_whoever_wants_no_mail_is_told_nevertheless(told):
    told.hooks("ann")
    told.changes("ann", mail=False)
    game = told.begins()
    with told.services.database.write() as tx:
        unsubscribes.mute(told.services.database, tx, told.ids["ann"], game)
    assert told.tells(Bot()) == 1


def test_every_webhook_of_a_player_is_told_under_an_id_of_its_own(told):
    told.hooks("ann")
    told.hooks("ann", "https://other.example/")
    told.begins()
    bot = Bot()
    assert told.tells(bot) == 2
    assert {endpoint.host for endpoint, _, _ in bot.heard} == {"bot.example", "other.example"}
    assert len(set(bot.ids())) == 2
    assert len({body for _, _, body in bot.heard}) == 1


def test_a_move_of_players_without_webhooks_leaves_no_trace(small):
    game = small.begins()
    small.plays(game, 0, "hide 1")
    assert small.messages() == []


def test_a_ping_is_told_at_once(told):
    hook = told.hooks("ann")
    number = told.pings("ann", hook)
    bot = Bot()
    assert told.tells(bot) == 1
    assert bot.ids() == [number]
    assert bot.told()[0]["type"] == "ping"
    assert bot.told()[0]["data"] == {"webhook": hook}
    assert told.pings("ann", hook) != number


def test_s35_the_vector_of_standard_webhooks():
    kept = subscriptions.Kept("", base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    signed = subscriptions.signature(None, kept, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_s35_for_a_day_after_a_new_secret_both_sign(told):
    hook = told.hooks("ann")
    old = told.secrets[hook]
    with told.services.database.write() as tx:
        made = subscriptions.rotate(told.services, tx, told.ids["ann"], hook)
    assert made is not None
    new = made[0]
    bot = Bot()

    def signatures() -> tuple[list[bool], list[bool]]:
        told.pings("ann", hook)
        told.tells(bot)
        _, headers, body = bot.heard[-1]
        return verified(headers, body, new), verified(headers, body, old)

    assert signatures() == ([True, False], [False, True])
    told.hands.advance(days=1, seconds=-1)
    assert signatures() == ([True, False], [False, True])
    told.hands.advance(seconds=1)
    assert signatures() == ([True], [False])


# Nothing false


def test_t67_rate04_a_turn_that_is_over_is_not_told(told):
    told.hooks("ann")
    game = told.begins()
    told.plays(game, 0, "hide 1")
    bot = Bot()
    assert told.tells(bot) == 0
    assert bot.heard == []
    (row,) = told.messages()
    assert (row["state"], row["reason"]) == ("superseded", "the answer was given")


def test_rate04_a_turn_that_ends_between_two_attempts_is_not_told_again(told):
    told.hooks("ann")
    game = told.begins()
    bot = Bot(500)
    told.tells(bot)
    told.plays(game, 0, "hide 1")
    told.hands.advance(seconds=6)
    told.tells(bot)
    assert len(bot.heard) == 1
    assert told.came_of() == {"superseded": 1}
    assert len(told.log()) == 1


def test_a_superseded_message_is_no_failure_of_the_webhook(told):
    told.hooks("ann")
    game = told.begins()
    told.plays(game, 0, "hide 1")
    told.tells(Bot())
    assert (told.hook().state, told.hook().failing_since, told.hook().reason) == ("on", None, "")


def test_a_deadline_that_moved_is_told_as_it_is_when_first_sent(told):
    told.hooks("ann")
    told.begins()
    told.executes("UPDATE decisions SET due_at = due_at + 1000000")
    bot = Bot(500)
    told.tells(bot)
    told.executes("UPDATE decisions SET due_at = due_at + 1000000")
    told.hands.advance(seconds=6)
    told.tells(bot)
    assert [one["data"]["due"] for one in bot.told()] == ["2031-03-07T12:00:01.000000Z"] * 2


# At least once


@pytest.mark.parametrize("point", ["claimed", "composed", "sent", "settled"])
def test_i07_a_death_at_any_point_loses_nothing_and_a_retry_is_the_same_message(told, point):
    told.hooks("ann")
    told.begins()
    bot = Bot()
    with pytest.raises(Died):
        told.tells(bot, fault=dying(point))
    sent = point in ("sent", "settled")
    assert len(bot.heard) == sent
    told.hands.advance(seconds=LEASE - 1)
    assert told.tells(bot) == 0, "what the dead one had leased is nobody else's yet"
    told.hands.advance(seconds=1)
    assert told.tells(bot) == (point != "settled")
    assert len(bot.heard) == 1 + (point == "sent")
    assert len({(headers["webhook-id"], body) for _, headers, body in bot.heard}) == 1, "the same id, the same bytes"
    assert told.came_of() == {"sent": 1}


def test_t52_q11_who_lost_the_lease_settles_nothing(told):
    told.hooks("ann")
    told.begins()
    second = Bot()

    class Slow(Bot):
        def __call__(self, *given: Any) -> Answer:
            told.hands.advance(seconds=LEASE)
            told.tells(second)
            return super().__call__(*given)

    with capture_logs() as logged:
        told.tells(Slow(500))
    assert len(second.heard) == 1
    assert [line["event"] for line in logged] == ["lease lost"]
    (row,) = told.messages()
    assert (row["state"], row["attempts"], len(json.loads(row["log"]))) == ("sent", 1, 1)
    assert told.hook().failing_since is None


def test_a_webhook_deleted_while_it_is_told_is_gone(told):
    hook = told.hooks("ann")
    told.begins()

    class Last(Bot):
        def __call__(self, *given: Any) -> Answer:
            with told.services.database.write() as tx:
                assert subscriptions.delete(tx, told.ids["ann"], hook)
            return super().__call__(*given)

    told.tells(Last(500))
    told.hands.advance(days=1)
    bot = Bot()
    told.tells(bot)
    assert (bot.heard, told.messages()) == ([], [])


@pytest.mark.postgres
def test_t24_a_notice_that_is_committed_after_later_ones_were_told_is_told(migrated_postgres, open_services, hands):
    told = Told(open_services(migrated_postgres, clock=hands), hands)
    told.hooks("ann")
    game = told.begins()
    base = {"recipient": told.ids["ann"], "game_id": game, "kind": "game-over", "seat": 0, "version": 1}
    bot = Bot()
    with told.services.database.write() as slow:
        outbox.put(slow, [base | {"decision": "slow", "created_at": hands.at}])
        with told.services.database.write() as tx:
            outbox.put(tx, [base | {"decision": "quick", "created_at": hands.at}])
        assert told.tells(bot) == 2
    assert told.tells(bot) == 1
    assert len(set(bot.ids())) == 3


def test_a_message_that_cannot_be_made_stops_no_other_and_is_not_the_webhooks_fault(told, monkeypatch):
    told.hooks("ann")
    told.hooks("bob")
    told.begins()
    your_turn = registry.KINDS["your-turn"]

    def claim(services: Any, connection: Any, row: Any) -> Any:
        if row.recipient == told.ids["ann"]:
            raise ValueError("a bug that knows c4nary")
        return your_turn.still_true(services, connection, row)

    monkeypatch.setitem(registry.KINDS, "your-turn", with_claim(your_turn, claim))
    with capture_logs() as logged:
        assert told.tells(Bot()) == 1
    assert "c4nary" not in str(logged)
    assert told.came_of() == {"sent": 1, "queued": 1}
    assert told.hook("ann").failing_since is None
    monkeypatch.undo()
    told.hands.advance(seconds=10)
    assert told.tells(Bot()) == 1


def test_a_message_that_can_never_be_made_is_given_up(small, monkeypatch):
    small.hooks("ann")
    small.begins(clock={"per_move": "P30D"})
    monkeypatch.setitem(registry.KINDS, "your-turn", with_claim(registry.KINDS["your-turn"], lambda *_: 1 // 0))
    bot = Bot()
    for _ in range(len(PAUSES) + 3):
        small.tells(bot)
        small.hands.advance(hours=13)
    (row,) = small.messages()
    assert (row["state"], row["attempts"]) == ("failed", len(PAUSES) + 1)
    assert row["reason"] == "it could not be made (ZeroDivisionError)"
    assert small.hook().state == "on"


# Attempts


def after(told: Told, bot: Bot) -> float:
    """Seconds until the next attempt, in steps of the clock."""
    count, began = len(bot.heard), told.hands.at
    (row,) = told.messages(state="queued")
    with told.services.database.read() as connection:
        hook = webhooks.of_id(connection, row["hook_id"])
    assert hook is not None
    at = max(row["not_before"], hook.not_before)
    told.hands.at = at - 1
    told.tells(bot)
    assert len(bot.heard) == count, "not before its time"
    told.hands.advance(microseconds=1)
    told.tells(bot)
    assert len(bot.heard) == count + 1
    return float((at - began) / SECOND)


def test_s35_eight_attempts_at_growing_distances_then_it_is_given_up(told):
    told.hooks("ann")
    told.begins(clock={"per_move": "P30D"})
    bot = Bot(otherwise=400)
    told.tells(bot)
    for least in (5, 300, 1800, 7200, 18_000, 36_000, 36_000):
        assert least <= after(told, bot) <= least * 1.2
    assert told.came_of() == {"failed": 1}
    assert len(bot.heard) == 8
    assert len({(headers["webhook-id"], body) for _, headers, body in bot.heard}) == 1
    assert len({headers["webhook-timestamp"] for _, headers, _ in bot.heard}) == 8, "each attempt has its own time"
    assert len({headers["webhook-signature"] for _, headers, _ in bot.heard}) == 8
    assert told.messages()[0]["reason"] == "it answered 400"
    assert told.hook().state == "on"
    told.hands.advance(days=3)
    assert told.tells(bot) == 0


@given(st.integers(1, 7), st.integers(1, 10**9))
def test_pauses_are_a_little_longer_than_the_table_says_and_the_same_every_time(attempts, message):
    found = pause(attempts, message)
    assert found is not None
    assert PAUSES[attempts - 1] <= found <= PAUSES[attempts - 1] * 6 // 5
    assert found == pause(attempts, message)


def test_pauses_differ_and_end():
    assert len({pause(5, message) for message in range(100)}) > 10
    assert pause(len(PAUSES) + 1, 1) is None
    hour = 3600 * SECOND
    assert [hold(n, hour) for n in (1, 2, 3, 6, 7, 100)] == [5, 10, 15, 15, 15, 15]
    assert [hold(n, hour + 1) for n in (1, 2, 3, 6, 7, 100)] == [5, 10, 20, 160, 300, 300]


@pytest.mark.parametrize("answer", [500, 503, 429, NotAnswered("no answer within 5 seconds")])
def test_a_receiver_that_is_away_is_probed_by_one_message_and_all_go_when_it_is_back(told, answer):
    """An outage is no attempt of a message, and no pause outlives it."""
    told.hooks("ann")
    for _ in range(3):
        told.begins()
    down = Bot(*[answer] * 1000)
    for _ in range(600):
        told.tells(down)
        told.hands.advance(seconds=1)
    assert 600 / 15 - 1 <= len(down.heard) <= 600 / 15 + 3
    assert len(set(down.ids())) == 3, "each probe is another message"
    bot = Bot()
    told.hands.advance(seconds=15)
    assert told.tells(bot) == 3
    assert {row["attempts"] for row in told.messages()} <= {1, 2}


def test_a_message_that_only_itself_is_answered_500_is_given_up_as_before(small):
    small.hooks("ann")
    small.begins(clock={"per_move": "P60D"})
    (minded,) = small.messages()

    class Minds(Bot):
        def __call__(self, endpoint: Endpoint, headers: Mapping[str, str], body: bytes) -> Answer:
            self.otherwise = 500 if headers["webhook-id"] == message_id(minded) else 204
            return super().__call__(endpoint, headers, body)

    bot = Minds()
    hook = small.hook().id
    for _ in range(60):
        small.pings("ann", hook)
        small.tells(bot)
        small.hands.advance(hours=2)
        small.tells(bot)
    assert small.messages()[0]["state"] == "failed"


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_answer_of_the_200s_is_a_success(small, status):
    small.hooks("ann")
    small.begins()
    assert small.tells(Bot(status)) == 1
    assert small.came_of() == {"sent": 1}
    (entry,) = small.log()
    assert (entry["status"], entry["error"], entry["at"]) == (status, None, small.hands.at)


@pytest.mark.parametrize("status", [100, 103, 301, 302, 308, 400, 401, 403, 404, 408, 422, 425, 429, 500, 503, 599])
def test_any_other_answer_is_tried_again_for_receivers_are_mended(small, status):
    small.hooks("ann")
    small.begins()
    bot = Bot(status)
    assert small.tells(bot) == 0
    assert small.came_of() == {"queued": 1}
    assert small.messages()[0]["reason"].startswith(f"it answered {status}")
    assert ("redirects are not followed" in small.messages()[0]["reason"]) == (300 <= status < 400)
    small.hands.advance(seconds=6)
    assert small.tells(bot) == 1
    assert [(entry["status"], entry["error"] is None) for entry in small.log()] == [(status, False), (204, True)]


def test_no_answer_at_all_is_tried_again_and_told_in_words(told):
    told.hooks("ann")
    told.begins()
    told.tells(Bot(NotAnswered("no answer within 5 seconds")))
    (entry,) = told.log()
    assert (entry["status"], entry["error"]) == (None, "no answer within 5 seconds")
    assert isinstance(entry["milliseconds"], int)
    assert told.hook().reason == "no answer within 5 seconds"


@pytest.mark.parametrize(
    "asked, least, most", [(120, 120, 120), (1, 5, 6), (36_000, 36_000, 36_000), (10**9, 36_000, 36_000)]
)
def test_retry_after_is_respected_up_to_ten_hours(told, asked, least, most):
    told.hooks("ann")
    told.begins(clock={"per_move": "P30D"})
    bot = Bot(Answer(429, asked))
    told.tells(bot)
    assert least <= after(told, bot) <= most


def test_s35_a_webhook_that_is_gone_is_switched_off_at_once(told):
    told.hooks("ann")
    game = told.begins()
    told.begins()
    bot = Bot(GONE)
    assert told.tells(bot) == 0
    assert (told.hook().state, told.hook().reason) == ("off", "it answered 410")
    assert told.came_of() == {"failed": 2}
    assert {row["reason"] for row in told.messages()} == {"it answered 410", "the webhook was switched off"}
    told.plays(game, 0, "hide 1")
    told.wanders(game, 1, late=0)
    told.hands.advance(days=1)
    assert told.tells(bot) == 0
    assert len(bot.heard) == 1
    assert len(told.messages()) == 2, "nothing is kept for a webhook that is off"


def test_a_test_switches_a_webhook_on_again(told):
    hook = told.hooks("ann")
    told.begins()
    told.tells(Bot(GONE))
    told.pings("ann", hook)
    assert (told.hook().state, told.hook().reason, told.hook().failing_since) == ("on", "", None)
    bot = Bot()
    assert told.tells(bot) == 1
    assert bot.types() == ["ping"]
    told.begins()
    assert told.tells(bot) == 1


def fail_daily(told: Told, bot: Bot, days: float, every: float = 6) -> None:
    """Pings that fail, so many hours apart."""
    hook = told.hook().id
    for _ in range(int(days * 24 / every)):
        if told.hook().state == "off":
            return
        with told.services.database.write() as tx:
            row = {"recipient": told.ids["ann"], "kind": "game-over", "decision": str(told.hands.at)}
            game = told.head(told.game).game
            outbox.put(tx, [row | {"game_id": game, "seat": 0, "version": 1, "created_at": told.hands.at}])
        told.tells(bot)
        told.hands.advance(hours=every)
    assert told.hook().id == hook


def test_s35_a_webhook_that_fails_for_five_days_is_switched_off(told):
    told.hooks("ann")
    told.game = told.begins()
    bot = Bot(otherwise=500)
    fail_daily(told, bot, 5)
    assert told.hook().state == "on"
    assert told.hook().failing_since is not None
    fail_daily(told, bot, 1)
    assert told.hook().state == "off"
    assert told.hook().reason == "every attempt failed for five days, the last because it answered 500"
    assert told.came_of()["queued"] == 0


def test_one_success_makes_all_well(told):
    told.hooks("ann")
    told.game = told.begins()
    fail_daily(told, Bot(otherwise=500), 4.5)
    fail_daily(told, Bot(otherwise=200), 0.5)
    assert (told.hook().failing_since, told.hook().reason) == (None, "")
    fail_daily(told, Bot(otherwise=500), 4.5)
    assert told.hook().state == "on"


def test_failures_with_days_of_silence_in_between_are_not_in_a_row(told):
    told.hooks("ann")
    told.game = told.begins()
    fail_daily(told, Bot(otherwise=500), 1)
    told.executes("DELETE FROM deliveries WHERE channel = 'webhook'")
    told.hands.advance(days=6)
    fail_daily(told, Bot(otherwise=500), 1)
    assert told.hook().state == "on"


def test_the_log_keeps_the_last_twenty_attempts(small):
    small.hooks("ann")
    small.begins()
    entry = {"at": 1, "status": 500, "error": "it answered 500", "milliseconds": 7}
    small.executes("UPDATE deliveries SET log = :log WHERE channel = 'webhook'", log=json.dumps([entry] * 20))
    small.tells(Bot())
    assert len(small.log()) == 20
    assert small.log()[-1]["status"] == 204


@pytest.mark.parametrize("seed", range(2))
def test_s35_whatever_is_answered_each_message_is_one_and_ends_once(told, seed):
    """Any answers, and deaths in between: bytes never change, distances are kept, and nothing follows a success."""
    chance = random.Random(seed)
    names = ("ann", "bob", "cyd")
    for name in names:
        told.hooks(name, f"https://{name}.example/")
    for _ in range(3):
        told.begins(*names, clock={"per_move": "P60D"})
    posts: dict[str, list[tuple[int, bytes, int]]] = {}

    def post(endpoint: Endpoint, headers: Mapping[str, str], body: bytes) -> Answer:
        status = chance.choice([204, 500, 429, 302, *[400] * 8])
        posts.setdefault(headers["webhook-id"], []).append((told.hands.at, body, status))
        return Answer(status, chance.choice([None, 20, 4000]))

    deaths = 0
    for _ in range(3000):
        if told.came_of()["queued"] == 0:
            break
        point = chance.choice([None] * 9 + ["claimed", "composed", "sent", "settled"])
        try:
            told.tells(post, fault=dying(point) if point else lambda _: None)
        except Died:
            deaths += 1
        told.hands.advance(seconds=chance.choice([3, 60, 600, 7200, 36_000]))
    assert set(told.came_of()) == {"sent", "failed"}
    rows = {message_id(row): row for row in told.messages()}
    assert set(posts) <= set(rows)
    assert len(rows) == 9
    for number, attempts in posts.items():
        assert len({body for _, body, _ in attempts}) == 1
        logged = json.loads(rows[number]["log"])
        counted = [status for _, _, status in attempts if status < 429]
        assert len(logged) <= len(attempts)
        assert len(counted) <= rows[number]["attempts"] + deaths
        assert rows[number]["attempts"] <= len(PAUSES) + 1
        assert (rows[number]["state"] == "sent") == (logged[-1]["status"] == 204)
        assert all(later["at"] - one["at"] >= PAUSES[0] * SECOND for one, later in itertools.pairwise(logged))
        assert [entry["status"] for entry in logged[:-1]].count(204) == 0


# Many webhooks


def test_a_webhook_that_fails_is_left_alone_for_a_while_and_the_others_are_not(told):
    told.hooks("ann")
    told.hooks("bob", "https://bob.example/")
    for _ in range(4):
        told.begins("ann", "bob")

    class Down(Bot):
        def __call__(self, endpoint: Endpoint, *given: Any) -> Answer:
            self.otherwise = 500 if endpoint.host == "bot.example" else 204
            return super().__call__(endpoint, *given)

    bot = Down()
    assert told.tells(bot) == 4
    hosts = Counter(endpoint.host for endpoint, _, _ in bot.heard)
    assert hosts == {"bot.example": 1, "bob.example": 4}
    told.hands.advance(seconds=4.9)
    told.tells(bot)
    assert len(bot.heard) == 5
    told.hands.advance(seconds=0.1)
    told.tells(bot)
    assert len(bot.heard) == 6, "one at a time, to see whether it is mended"
    told.hands.advance(seconds=10)
    assert told.tells(Bot()) == 4, "and all of them as soon as it is"


@pytest.mark.parametrize("kind", BOTH)
def test_a_receiver_that_hangs_holds_up_no_other(kind, request, open_services):
    told = Told(open_services(request.getfixturevalue(f"migrated_{kind}")), Clock())
    for number in range(3):
        told.hooks("ann", f"https://slow{number}.example/")
    told.hooks("bob", "https://bob.example/")
    for _ in range(3):
        told.begins("ann", "bob")
    released, quick = threading.Event(), []

    def post(endpoint: Endpoint, *_: Any) -> Answer:
        if endpoint.host.startswith("slow"):
            assert released.wait(60), "three hang, one lane is free"
        else:
            quick.append(endpoint.host)
            if len(quick) == 3:
                released.set()
        return Answer(204, None)

    assert told.tells(post, lanes=4) == 12
    assert told.came_of() == {"sent": 12}


def test_a_webhook_has_one_message_under_way_at_most(small):
    small.hooks("ann")
    for _ in range(5):
        small.begins()
    busy, most = [], []

    def post(*_: Any) -> Answer:
        busy.append(1)
        most.append(len(busy))
        time.sleep(0.02)
        busy.pop()
        return Answer(204, None)

    assert small.tells(post, lanes=4) == 5
    assert max(most) == 1


def test_the_webhook_served_longest_ago_comes_first(told):
    for name in ("ann", "bob"):
        told.hooks(name, f"https://{name}.example/")
    for _ in range(3):
        told.begins("ann", "bob")
    bot = Bot()

    def post(*given: Any) -> Answer:
        told.hands.advance(seconds=1)
        return bot(*given)

    told.tells(post)
    hosts = [endpoint.host for endpoint, _, _ in bot.heard]
    assert hosts[:2] == hosts[2:4] == hosts[4:], "in turns"


def test_t25_two_that_tell_at_once_tell_each_message_once(told):
    for name in ("ann", "bob", "cyd"):
        told.hooks(name, f"https://{name}.example/")
    for _ in range(6):
        told.begins()
    bot, taken = Bot(), []
    threads = [threading.Thread(target=lambda: taken.append(told.tells(bot, lanes=3))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sum(taken) == len(bot.heard) == len(set(bot.ids())) == 18
    assert told.came_of() == {"sent": 18}


def test_what_is_left_when_the_time_is_over_waits(small):
    small.hooks("ann")
    small.begins()
    assert small.tells(Bot(), seconds=0) == 0
    assert small.came_of() == {"queued": 1}
    assert small.tells(Bot()) == 1


# Secrets


def test_t64_no_log_names_the_address_or_the_secret(told):
    hook = told.hooks("ann")
    told.begins()
    told.begins()
    with capture_logs() as logged:
        told.tells(Bot(500, otherwise=GONE))
        told.hands.advance(minutes=1)
        told.tells(Bot(otherwise=GONE))
    assert {line["event"] for line in logged} == {"webhook failed", "webhook switched off"}
    for secret in ("c4nary", "/turns", told.secrets[hook], told.secrets[hook][6:]):
        assert secret not in str(logged)


def test_out30_what_a_program_is_told_holds_no_secret_of_another_seat(sqlite_template, tmp_path, open_services):
    """Two copies of a game in which ann hides something else: bob's and cyd's programs are told the same."""
    shutil.copy(sqlite_template, tmp_path / "first.sqlite")
    first = Told(open_services(f"sqlite:///{tmp_path}/first.sqlite", clock=Hands()), Hands())
    for name in ("bob", "cyd"):
        first.hooks(name, f"https://{name}.example/")
    game = first.begins(clock={"per_move": "P3D", "reminders": ["P1D"], "grace": "PT10M", "strikes": 2})
    heard = []
    for number in (0, 3):
        shutil.copy(tmp_path / "first.sqlite", tmp_path / f"copy{number}.sqlite")
        hands = Hands()
        copy = Told(open_services(f"sqlite:///{tmp_path}/copy{number}.sqlite", clock=hands), hands)
        copy.plays(game, 0, f"hide {number}")
        bot = Bot()
        copy.tells(bot)
        hands.advance(days=2)
        copy.sweeps()
        copy.tells(bot)
        assert Counter(bot.types()) == {"turn": 2, "reminder": 2}
        heard.append(sorted((endpoint.host, renamed(body)) for endpoint, _, body in bot.heard))
    assert heard[0] == heard[1]


def test_s30_nothing_at_rest_tells_the_address_or_the_secret(small):
    hook = small.hooks("ann")
    small.begins()
    small.tells(Bot(500))
    plain = base64.b64decode(small.secrets[hook][6:])
    with small.services.database.read() as connection:
        for table in (webhooks.webhooks, deliveries):
            for row in connection.execute(sa.select(table)):
                for value in row:
                    stored = value if isinstance(value, bytes) else str(value).encode()
                    assert plain not in stored
                    assert b"c4nary" not in stored
                    assert b"bot.example" not in stored


def test_s32_a_webhook_whose_key_is_lost_is_switched_off_and_listed(migrated_sqlite, open_services, hands):
    told = Told(open_services(migrated_sqlite, clock=hands), hands)
    hook = told.hooks("ann")
    told.begins()
    ids = told.ids
    told = Told(open_services(migrated_sqlite, clock=hands, SECRET_KEY="n" * 32), hands)
    told.ids = ids
    told.executes("UPDATE deliveries SET kind = 'ping', game_id = '' WHERE channel = 'webhook'")
    bot = Bot()
    assert told.tells(bot) == 0
    assert bot.heard == []
    found = told.hook()
    assert (found.id, found.url, found.state, found.reason) == (hook, None, "off", LOST_KEY)


def test_a_host_that_is_not_allowed_any_more_is_not_told(migrated_sqlite, open_services, hands):
    told = Told(open_services(migrated_sqlite, clock=hands, WEBHOOK_HOSTS="127.0.0.1:9000"), hands)
    told.hooks("ann", "http://127.0.0.1:9000/")
    told.begins()
    ids = told.ids
    told = Told(open_services(migrated_sqlite, clock=hands), hands)
    told.ids = ids
    bot = Bot()
    told.tells(bot)
    assert bot.heard == []
    assert told.log()[0]["error"].startswith("Give an address that begins with https://")


# Housekeeping


def test_what_was_told_is_forgotten_after_a_month_and_old_secrets_after_a_day(told):
    hook = told.hooks("ann")
    told.begins()
    told.tells(Bot())
    with told.services.database.write() as tx:
        assert subscriptions.rotate(told.services, tx, told.ids["ann"], hook)

    def kept() -> subscriptions.Kept:
        with told.services.database.read() as connection:
            row = connection.execute(sa.select(webhooks.webhooks)).mappings().one()
        return subscriptions.open_kept(told.services, row["id"], row["sealed"])

    told.hands.advance(days=1, seconds=-1)
    housekeep(told.services)
    assert kept().old is not None
    told.hands.advance(seconds=1)
    housekeep(told.services)
    assert (kept().old, kept().url, told.hook().old_until) == (None, URL, None)
    told.hands.at = told.messages()[0]["created_at"] + subscriptions.KEPT
    housekeep(told.services)
    assert len(told.messages()) == 1
    told.hands.advance(microseconds=1)
    housekeep(told.services)
    assert told.messages() == []


def test_s50_all_about_a_players_webhooks_can_be_forgotten(told):
    gone = told.hooks("ann")
    told.hooks("ann", "https://other.example/")
    told.hooks("bob")
    told.begins()
    told.tells(Bot())
    with told.services.database.write() as tx:
        assert subscriptions.delete(tx, told.ids["ann"], gone)
        subscriptions.forget(tx, told.ids["ann"])
    with told.services.database.read() as connection:
        owners = connection.execute(sa.select(webhooks.webhooks.c.player_id)).scalars().all()
    assert owners == [told.ids["bob"]]
    assert {row["player_id"] for row in told.messages()} == {told.ids["bob"]}


# The thread


@pytest.fixture
def messenger(migrated_sqlite: str, open_services: Callable[..., Services]) -> Iterator[Callable[..., Loop]]:
    made: list[Loop] = []

    def start(services: Services) -> Loop:
        made.append(channel.messenger(services))
        made[-1].start()
        return made[-1]

    yield start
    for one in made:
        one.stop()
        assert not one.thread.is_alive()


def local(open_services: Callable[..., Services], url: str, port: int, **more: str) -> Told:
    """An office on the real clock that may tell a program on this machine, and looks for what is due very seldom."""
    return Told(open_services(url, WEBHOOK_HOSTS=f"127.0.0.1:{port}", SWEEP_SECONDS="3600", **more), Clock())


def heard_by(there: Any, count: int, seconds: float = 60) -> list[bytes]:
    end = time.monotonic() + seconds
    while len(there.requests) < count and time.monotonic() < end:
        time.sleep(0.01)
    return list(there.requests)


def test_s35_a_program_on_the_network_is_told_as_soon_as_the_messenger_is_woken(
    open_services, migrated_sqlite, messenger
):
    with receiver() as there:
        told = local(open_services, migrated_sqlite, there.port)
        hook = told.hooks("ann", f"http://127.0.0.1:{there.port}/turns")
        running = messenger(told.services)
        time.sleep(0.1)
        told.begins()
        assert there.requests == []
        running.wake()
        (request,) = heard_by(there, 1)
    headers, body = headers_of(request), request.partition(b"\r\n\r\n")[2]
    assert request.startswith(b"POST /turns HTTP/1.1\r\n")
    assert verified(headers, body, told.secrets[hook]) == [True]
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60


def test_the_messenger_outlives_a_database_that_is_away(open_services, migrated_sqlite, messenger, monkeypatch):
    with receiver() as there:
        told = local(open_services, migrated_sqlite, there.port)
        told.hooks("ann", f"http://127.0.0.1:{there.port}/")
        told.begins()
        take, tries = webhooks.take, []

        def away(*given: Any) -> Any:
            tries.append(1)
            if len(tries) == 1:
                raise OSError("away")
            return take(*given)

        monkeypatch.setattr(webhooks, "take", away)
        running = messenger(told.services)
        running.wake()
        end = time.monotonic() + 60
        while not tries and time.monotonic() < end:
            time.sleep(0.01)
        running.wake()
        assert len(heard_by(there, 1)) == 1


def test_the_messenger_looks_without_being_woken(open_services, migrated_sqlite, messenger):
    with receiver() as there:
        told = Told(open_services(migrated_sqlite, WEBHOOK_HOSTS=f"127.0.0.1:{there.port}", SWEEP_SECONDS="1"), Clock())
        told.hooks("ann", f"http://127.0.0.1:{there.port}/")
        messenger(told.services)
        time.sleep(0.1)
        told.begins()
        assert len(heard_by(there, 1)) == 1


def test_where_webhooks_are_off_nothing_is_told(open_services, migrated_sqlite, messenger):
    with receiver() as there:
        told = local(open_services, migrated_sqlite, there.port)
        told.hooks("ann", f"http://127.0.0.1:{there.port}/")
        told.begins()
        off = local(open_services, migrated_sqlite, there.port, WEBHOOKS="off")
        assert not messenger(off.services).thread.is_alive()
        assert there.requests == []
    assert told.came_of() == {"queued": 1}


def test_in_the_embedded_mode_the_bell_wakes_the_messenger(open_services, migrated_sqlite):
    with receiver() as there:
        told = local(open_services, migrated_sqlite, there.port)
        told.hooks("ann", f"http://127.0.0.1:{there.port}/")
        scheduler = Scheduler(told.services, Carrier())
        scheduler.start()
        time.sleep(0.3)
        told.begins()
        told.services.wakeup.wake()
        assert len(heard_by(there, 1)) == 1
        scheduler.stop()
        assert not scheduler.messenger.thread.is_alive()


def test_beside_a_workers_pool_the_bell_wakes_the_messenger(open_services, migrated_sqlite, redis_url, settings_with):
    with receiver() as there:
        told = local(open_services, migrated_sqlite, there.port)
        told.hooks("ann", f"http://127.0.0.1:{there.port}/")
        settings = settings_with(
            DATABASE_URL=migrated_sqlite, REDIS_URL=redis_url, SWEEP_SECONDS="3600",
            WEBHOOK_HOSTS=f"127.0.0.1:{there.port}",
        )  # fmt: skip
        ticker = Ticker(settings, lambda _: None)
        ticker.start()
        time.sleep(0.3)
        told.begins()
        Wakeup(redis_url).wake()
        assert len(heard_by(there, 1)) == 1
        ticker.stop()
        ticker.loop.thread.join(60)
        assert not ticker.loop.thread.is_alive()
    assert "messenger" not in [thread.name for thread in threading.enumerate()]


def test_a_lease_outlasts_an_attempt_many_times():
    assert LEASE >= 3 * 5
    assert max(PAUSES) <= LONGEST_WAIT
    assert PAUSES[1] >= LONGEST_HOLD
