"""Webhooks: what mails tell is told to programs, signed, at least once, and never when it is not true any more."""

import base64
import hashlib
import hmac
import json
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from service.container import Services
from service.kernel.clock import SECOND, Clock
from service.kernel.wakeup import Wakeup
from service.mail import unsubscribes
from service.notify import subscriptions
from service.notify.endpoints import Endpoint
from service.notify.kind import KINDS
from service.store.clocks import decisions
from service.store.event_store import checkpoints
from service.store.outgoing import outbox, webhooks
from service.store.outgoing.deliveries import deliveries
from service.store.outgoing.routes import TOLD_TO_WEBHOOKS
from tests.acceptance.processes import until
from tests.databases import BOTH
from tests.letters import Carrier
from tests.manual_clock import ManualClock
from tests.witnesses import renamed
from tests.workers.channels.receiver import headers_of, receiver
from tests.workers.letters.test_claims import with_claim
from tests.workers.webhooks.webhook_tables import URL, Bot, WebhookTables
from workers.channels import retries
from workers.channels.http_client import Answer
from workers.kinds import registry
from workers.loop import Loop
from workers.processes.scheduler import Scheduler
from workers.processes.ticker import Ticker
from workers.sweep import housekeep
from workers.webhooks import channel
from workers.webhooks.channel import LEASE, LONGEST_WAIT, LOST_KEY
from workers.webhooks.failures import LONGEST_HOLD, hold

GONE = 410
PAUSES = retries.WEBHOOK.pauses


def verified(headers: Mapping[str, str], body: bytes, secret: str) -> list[bool]:
    """Which signatures are good, worked out from the text of Standard Webhooks 1.0.0 alone."""
    assert secret.startswith("whsec_")
    key = base64.b64decode(secret[len("whsec_") :], validate=True)
    assert 24 <= len(key) <= 64
    content = headers["webhook-id"].encode() + b"." + headers["webhook-timestamp"].encode() + b"." + body
    expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return [one == f"v1,{expected}" for one in headers["webhook-signature"].split(" ")]


@pytest.fixture(params=BOTH)
def tables(
    request: pytest.FixtureRequest, open_services: Callable[..., Services], manual_clock: ManualClock
) -> WebhookTables:
    return WebhookTables(
        open_services(request.getfixturevalue(f"migrated_{request.param}"), clock=manual_clock), manual_clock
    )


@pytest.fixture
def sqlite_tables(
    migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock
) -> WebhookTables:
    """On SQLite, for what does not depend on the database."""
    return WebhookTables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)


# What is told


def signed_head(tables: WebhookTables, game: str) -> dict[str, Any]:
    """The checkpoint of where a game stands, as it was kept."""
    with tables.services.database.read() as connection:
        kept = checkpoints.kept(connection, game, tables.head(game).version)
    assert kept is not None
    return kept.document()


def test_s35_a_turn_is_told_with_ids_and_nothing_else(tables):
    tables.player("ann")
    hook = tables.add_webhook("ann")
    game = tables.begin()
    bot = Bot()
    assert tables.deliver_webhooks(bot) == 1
    ((endpoint, headers, body),) = bot.heard
    head = tables.head(game)
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
            "checkpoint": signed_head(tables, game),
            "decision": head.rules.decider.decision(head.table.game),
            "due": "2031-03-07T12:00:00.000000Z",
            "url": f"http://127.0.0.1:8000/api/v1/games/{game}",
        },
    }
    assert headers["Content-Type"] == "application/json"
    assert headers["User-Agent"] == "Wardroom"
    assert headers["webhook-id"].startswith("msg_")
    assert "." not in headers["webhook-id"]
    assert int(headers["webhook-timestamp"]) == tables.clock.at // SECOND
    assert verified(headers, body, tables.secrets[hook]) == [True]
    assert tables.message_states() == {"sent": 1}
    tables.advance(days=1)
    assert tables.deliver_webhooks(bot) == 0, "once"


def test_s35_a_message_that_is_asked_for_again_keeps_id_and_bytes_and_is_signed_anew(sqlite_tables):
    tables = sqlite_tables
    tables.player("ann")
    hook = tables.add_webhook("ann")
    game = tables.begin()
    bot = Bot()
    assert tables.deliver_webhooks(bot) == 1
    tables.advance(days=2)
    tables.expire(game, 0)
    assert tables.deliver_webhooks(bot) == 1, "her time is over, so that it is not her turn any more"
    assert bot.types() == ["turn", "deadline-passed"]
    with tables.services.database.write() as tx:
        assert subscriptions.replay(tables.services, tx, tables.ids["ann"], hook, bot.ids()[0])
    bot.answers = [500]
    tables.deliver_webhooks(bot)
    tables.advance(minutes=1)
    assert tables.deliver_webhooks(bot) == 1, "it is tried as often as a new one"
    (_, first, body), _, *again = bot.heard
    assert len(again) == 2
    for _, headers, bytes_ in again:
        assert (headers["webhook-id"], bytes_) == (first["webhook-id"], body)
        assert headers["webhook-timestamp"] > first["webhook-timestamp"]
        assert verified(headers, bytes_, tables.secrets[hook]) == [True]
    assert [attempt["status"] for attempt in tables.log()] == [204, 500, 204]


def test_s35_a_reminder_that_is_made_again_is_told_to_a_program_once(tables):
    """Without mail each reminder is superseded, and looked at again when the player's nights are others."""
    tables.add_webhook("ann")
    tables.change_profile("ann", mail=False)
    tables.begin(clock={"per_move": "P3D", "reminders": ["P1D", "PT6H"], "grace": "PT10M", "strikes": 2})
    bot = Bot()
    tables.advance(days=2)
    for _ in range(3):
        tables.advance(hours=1)
        tables.sweep()
        tables.deliver_webhooks(bot)
        with tables.services.database.write() as tx:
            decisions.remind_anew(tx, tables.ids["ann"])
    assert bot.types() == ["turn", "reminder"]


def test_s35_all_that_a_player_is_told_about_a_game_is_told_to_the_program_too(tables):
    tables.add_webhook("ann")
    game = tables.begin(clock={"per_move": "P3D", "reminders": ["P1D"], "grace": "PT10M", "strikes": 2})
    bot = Bot()
    tables.deliver_webhooks(bot)
    tables.advance(days=2)
    tables.sweep()
    tables.deliver_webhooks(bot)
    assert bot.types() == ["turn", "reminder"]
    tables.expire(game, 0)
    tables.play_out(game, 1, late=0)
    tables.deliver_webhooks(bot)
    assert bot.types()[2] == "deadline-passed"
    assert bot.types()[-1] == "game-over"
    assert set(bot.types()) <= {KINDS[kind].event for kind in TOLD_TO_WEBHOOKS}
    over = bot.told()[-1]["data"]
    head = tables.head(game)
    assert (over["version"], over["hash"]) == (head.version, head.hash)
    assert (over["decision"], over["due"]) == (None, None)
    assert set(over) == set(bot.told()[0]["data"]), "one shape"
    mine = tables.notices(recipient=tables.ids["ann"])
    assert len(tables.messages()) == len([row for row in mine if row["kind"] in TOLD_TO_WEBHOOKS])
    assert len(set(bot.ids())) == len(bot.ids())


def test_what_is_told_can_be_checked():
    assert set(TOLD_TO_WEBHOOKS) <= set(registry.KINDS)


def test_codes_and_what_others_are_told_are_not_for_the_program(sqlite_tables):
    tables = sqlite_tables
    tables.add_webhook("ann")
    tables.request_code("ann")
    tables.begin("bob", "cyd")
    assert tables.messages() == []


def test_what_was_told_before_there_was_a_webhook_is_not_told_again(sqlite_tables):
    tables = sqlite_tables
    tables.begin()
    tables.add_webhook("ann")
    assert tables.deliver_webhooks(Bot()) == 0


def test_whoever_wants_no_mail_is_told_nevertheless(sqlite_tables):
    tables = sqlite_tables
    tables.add_webhook("ann")
    tables.change_profile("ann", mail=False)
    game = tables.begin()
    with tables.services.database.write() as tx:
        unsubscribes.mute(tables.services.database, tx, tables.ids["ann"], game)
    assert tables.deliver_webhooks(Bot()) == 1


def test_every_webhook_of_a_player_is_told_under_an_id_of_its_own(tables):
    tables.add_webhook("ann")
    tables.add_webhook("ann", "https://other.example/")
    tables.begin()
    bot = Bot()
    assert tables.deliver_webhooks(bot) == 2
    assert {endpoint.host for endpoint, _, _ in bot.heard} == {"bot.example", "other.example"}
    assert len(set(bot.ids())) == 2
    assert len({body for _, _, body in bot.heard}) == 1


def test_a_move_of_players_without_webhooks_leaves_no_trace(sqlite_tables):
    game = sqlite_tables.begin()
    sqlite_tables.move(game, 0, "hide 1")
    assert sqlite_tables.messages() == []


def test_a_ping_is_told_at_once(tables):
    hook = tables.add_webhook("ann")
    number = tables.ping("ann", hook)
    bot = Bot()
    assert tables.deliver_webhooks(bot) == 1
    assert bot.ids() == [number]
    assert bot.told()[0]["type"] == "ping"
    assert bot.told()[0]["data"] == {"webhook": hook}
    assert tables.ping("ann", hook) != number


VECTORS = Path(__file__).parents[3] / "clients" / "webhook-vectors.json"
"""Messages for tests of receivers, the Python client's among them; the first is that of Standard Webhooks."""


@pytest.mark.parametrize("vector", json.loads(VECTORS.read_text()), ids=lambda vector: vector["name"])
def test_s35_what_is_genuine_in_the_vectors_is_signed_here(vector):
    kept = subscriptions.Kept("", base64.b64decode(vector["secret"].removeprefix("whsec_")))
    number, at, signatures = (vector["headers"][f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    timely = at.isdecimal() and abs(vector["now"] - int(at)) <= 300
    at = int(at) if timely else 0
    signed = subscriptions.signature(None, kept, number, at, vector["body"].encode()) in signatures.split()
    assert (bool(number) and timely and signed) == vector["genuine"]


def test_s35_for_a_day_after_a_new_secret_both_sign(sqlite_tables):
    tables = sqlite_tables
    hook = tables.add_webhook("ann")
    old = tables.secrets[hook]
    with tables.services.database.write() as tx:
        made = subscriptions.rotate(tables.services, tx, tables.ids["ann"], hook)
    assert made is not None
    new = made[0]
    bot = Bot()

    def signatures() -> tuple[list[bool], list[bool]]:
        tables.ping("ann", hook)
        tables.deliver_webhooks(bot)
        _, headers, body = bot.heard[-1]
        return verified(headers, body, new), verified(headers, body, old)

    assert signatures() == ([True, False], [False, True])
    tables.advance(days=1, seconds=-1)
    assert signatures() == ([True, False], [False, True])
    tables.advance(seconds=1)
    assert signatures() == ([True], [False])


# Nothing false


def test_a_deadline_that_moved_is_told_as_it_is_when_first_sent(sqlite_tables):
    tables = sqlite_tables
    tables.add_webhook("ann")
    tables.begin()
    tables.execute("UPDATE decisions SET due_at = due_at + 1000000")
    bot = Bot(500)
    tables.deliver_webhooks(bot)
    tables.execute("UPDATE decisions SET due_at = due_at + 1000000")
    tables.advance(seconds=6)
    tables.deliver_webhooks(bot)
    assert [one["data"]["due"] for one in bot.told()] == ["2031-03-07T12:00:01.000000Z"] * 2


# At least once


def test_a_webhook_deleted_while_it_is_told_is_gone(tables):
    hook = tables.add_webhook("ann")
    tables.begin()

    class Last(Bot):
        def __call__(self, *given: Any) -> Answer:
            with tables.services.database.write() as tx:
                assert subscriptions.delete(tx, tables.ids["ann"], hook)
            return super().__call__(*given)

    tables.deliver_webhooks(Last(500))
    tables.advance(days=1)
    bot = Bot()
    tables.deliver_webhooks(bot)
    assert (bot.heard, tables.messages()) == ([], [])


@pytest.mark.postgres
def test_t24_a_notice_that_is_committed_after_later_ones_were_told_is_told(
    migrated_postgres, open_services, manual_clock
):
    tables = WebhookTables(open_services(migrated_postgres, clock=manual_clock), manual_clock)
    tables.add_webhook("ann")
    game = tables.begin()
    base = {"recipient": tables.ids["ann"], "game_id": game, "kind": "game-over", "seat": 0, "version": 1}
    bot = Bot()
    beside = open_services(migrated_postgres, clock=manual_clock)
    with beside.database.write() as slow:
        outbox.put(slow, [base | {"decision": "slow", "created_at": manual_clock.at}])
        with tables.services.database.write() as tx:
            outbox.put(tx, [base | {"decision": "quick", "created_at": manual_clock.at}])
        assert tables.deliver_webhooks(bot) == 2
    assert tables.deliver_webhooks(bot) == 1
    assert len(set(bot.ids())) == 3


def test_s30_the_log_of_a_message_that_cannot_be_made_tells_nothing(sqlite_tables, monkeypatch):
    tables = sqlite_tables
    tables.add_webhook("ann")
    tables.begin()

    def claim(*_: Any) -> Any:
        raise ValueError("a bug that knows c4nary")

    monkeypatch.setitem(registry.KINDS, "your-turn", with_claim(registry.KINDS["your-turn"], claim))
    with capture_logs() as logged:
        assert tables.deliver_webhooks(Bot()) == 0
    assert [line["event"] for line in logged] == ["delivery not made"]
    assert "c4nary" not in str(logged)
    assert (tables.webhook().state, tables.webhook().failing_since) == ("on", None)


# Attempts


def after(tables: WebhookTables, bot: Bot) -> float:
    """Seconds until the next attempt, in steps of the clock."""
    count, began = len(bot.heard), tables.clock.at
    (row,) = tables.messages(state="queued")
    with tables.services.database.read() as connection:
        hook = webhooks.of_id(connection, row["hook_id"])
    assert hook is not None
    at = max(row["not_before"], hook.not_before)
    tables.clock.at = at - 1
    tables.deliver_webhooks(bot)
    assert len(bot.heard) == count, "not before its time"
    tables.advance(microseconds=1)
    tables.deliver_webhooks(bot)
    assert len(bot.heard) == count + 1
    return float((at - began) / SECOND)


def test_a_webhook_that_fails_is_left_alone_for_longer_and_longer():
    hour = 3600 * SECOND
    assert [hold(n, hour) for n in (1, 2, 3, 6, 7, 100)] == [5, 10, 15, 15, 15, 15]
    assert [hold(n, hour + 1) for n in (1, 2, 3, 6, 7, 100)] == [5, 10, 20, 160, 300, 300]


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_answer_of_the_200s_is_a_success(sqlite_tables, status):
    sqlite_tables.add_webhook("ann")
    sqlite_tables.begin()
    assert sqlite_tables.deliver_webhooks(Bot(status)) == 1
    assert sqlite_tables.message_states() == {"sent": 1}
    (entry,) = sqlite_tables.log()
    assert (entry["status"], entry["error"], entry["at"]) == (status, None, sqlite_tables.clock.at)


OF_THE_RECEIVER = {408, 425, 429, 500, 502, 503, 504, 599}
"""Answers that say nothing about the message: none of them is an attempt of it."""


@pytest.mark.parametrize(
    "status", [100, 103, 301, 302, 308, 400, 401, 403, 404, 408, 422, 425, 429, 500, 502, 503, 504, 599]
)
def test_any_other_answer_is_tried_again_for_receivers_are_mended(sqlite_tables, status):
    sqlite_tables.add_webhook("ann")
    sqlite_tables.begin()
    bot = Bot(status)
    assert sqlite_tables.deliver_webhooks(bot) == 0
    (row,) = sqlite_tables.messages()
    assert (row["state"], row["attempts"]) == ("queued", int(status not in OF_THE_RECEIVER))
    assert row["reason"].startswith(f"it answered {status}")
    assert ("redirects are not followed" in row["reason"]) == (300 <= status < 400)
    sqlite_tables.advance(seconds=6)
    assert sqlite_tables.deliver_webhooks(bot) == 1
    assert [(entry["status"], entry["error"] is None) for entry in sqlite_tables.log()] == [
        (status, False),
        (204, True),
    ]


@pytest.mark.parametrize(
    "asked, least, most", [(120, 120, 120), (1, 5, 6), (36_000, 36_000, 36_000), (10**9, 36_000, 36_000)]
)
def test_retry_after_is_respected_up_to_ten_hours(sqlite_tables, asked, least, most):
    tables = sqlite_tables
    tables.add_webhook("ann")
    tables.begin(clock={"per_move": "P30D"})
    bot = Bot(Answer(429, asked))
    tables.deliver_webhooks(bot)
    assert least <= after(tables, bot) <= most


def test_s35_a_webhook_that_is_gone_is_switched_off_at_once(tables):
    tables.add_webhook("ann")
    game = tables.begin()
    tables.begin()
    bot = Bot(GONE)
    assert tables.deliver_webhooks(bot) == 0
    assert (tables.webhook().state, tables.webhook().reason) == ("off", "it answered 410")
    assert tables.message_states() == {"failed": 2}
    assert {row["reason"] for row in tables.messages()} == {"it answered 410", "the webhook was switched off"}
    tables.move(game, 0, "hide 1")
    tables.play_out(game, 1, late=0)
    tables.advance(days=1)
    assert tables.deliver_webhooks(bot) == 0
    assert len(bot.heard) == 1
    assert len(tables.messages()) == 2, "nothing is kept for a webhook that is off"


def test_a_test_switches_a_webhook_on_again(sqlite_tables):
    tables = sqlite_tables
    hook = tables.add_webhook("ann")
    tables.begin()
    tables.deliver_webhooks(Bot(GONE))
    tables.ping("ann", hook)
    assert (tables.webhook().state, tables.webhook().reason, tables.webhook().failing_since) == ("on", "", None)
    bot = Bot()
    assert tables.deliver_webhooks(bot) == 1
    assert bot.types() == ["ping"]
    tables.begin()
    assert tables.deliver_webhooks(bot) == 1


def fail_daily(tables: WebhookTables, bot: Bot, days: float, every: float = 6) -> None:
    """Pings that fail, so many hours apart."""
    hook = tables.webhook().id
    for _ in range(int(days * 24 / every)):
        if tables.webhook().state == "off":
            return
        with tables.services.database.write() as tx:
            row = {"recipient": tables.ids["ann"], "kind": "game-over", "decision": str(tables.clock.at)}
            game = tables.head(tables.game).game
            outbox.put(tx, [row | {"game_id": game, "seat": 0, "version": 1, "created_at": tables.clock.at}])
        tables.deliver_webhooks(bot)
        tables.advance(hours=every)
    assert tables.webhook().id == hook


def test_s35_a_webhook_that_fails_for_five_days_is_switched_off(sqlite_tables):
    tables = sqlite_tables
    tables.add_webhook("ann")
    tables.game = tables.begin()
    bot = Bot(otherwise=500)
    fail_daily(tables, bot, 5)
    assert tables.webhook().state == "on"
    assert tables.webhook().failing_since is not None
    fail_daily(tables, bot, 1)
    assert tables.webhook().state == "off"
    assert tables.webhook().reason == "every attempt failed for five days, the last because it answered 500"
    assert tables.message_states()["queued"] == 0


def test_one_success_makes_all_well(sqlite_tables):
    tables = sqlite_tables
    tables.add_webhook("ann")
    tables.game = tables.begin()
    fail_daily(tables, Bot(otherwise=500), 4.5)
    fail_daily(tables, Bot(otherwise=200), 0.5)
    assert (tables.webhook().failing_since, tables.webhook().reason) == (None, "")
    fail_daily(tables, Bot(otherwise=500), 4.5)
    assert tables.webhook().state == "on"


def test_failures_with_days_of_silence_in_between_are_not_in_a_row(sqlite_tables):
    tables = sqlite_tables
    tables.add_webhook("ann")
    tables.game = tables.begin()
    fail_daily(tables, Bot(otherwise=500), 1)
    tables.execute("DELETE FROM deliveries WHERE channel = 'webhook'")
    tables.advance(days=6)
    fail_daily(tables, Bot(otherwise=500), 1)
    assert tables.webhook().state == "on"


def test_the_log_keeps_the_last_twenty_attempts(sqlite_tables):
    sqlite_tables.add_webhook("ann")
    sqlite_tables.begin()
    entry = {"at": 1, "status": 500, "error": "it answered 500", "milliseconds": 7}
    sqlite_tables.execute("UPDATE deliveries SET log = :log WHERE channel = 'webhook'", log=json.dumps([entry] * 20))
    sqlite_tables.deliver_webhooks(Bot())
    assert len(sqlite_tables.log()) == 20
    assert sqlite_tables.log()[-1]["status"] == 204


# Many webhooks


def test_a_webhook_that_fails_is_left_alone_for_a_while_and_the_others_are_not(sqlite_tables):
    tables = sqlite_tables
    for name in ("ann", "bob"):
        tables.add_webhook(name, f"https://{name}.example/")
    for _ in range(4):
        tables.begin("ann", "bob")

    class Down(Bot):
        def __call__(self, endpoint: Endpoint, *given: Any) -> Answer:
            self.otherwise = 500 if endpoint.host == "ann.example" else 204
            return super().__call__(endpoint, *given)

    bot = Down()
    assert tables.deliver_webhooks(bot) == 4
    assert Counter(endpoint.host for endpoint, _, _ in bot.heard) == {"ann.example": 1, "bob.example": 4}


def test_a_message_that_was_put_off_goes_when_the_webhook_is_well_again(sqlite_tables):
    sqlite_tables.add_webhook("ann")
    sqlite_tables.begin()
    bot = Bot(400, 400)
    for _ in range(2):
        sqlite_tables.deliver_webhooks(bot)
        sqlite_tables.advance(seconds=15)
    sqlite_tables.begin()
    assert sqlite_tables.deliver_webhooks(bot) == 2, "the first does not wait for its five minutes"


@pytest.mark.parametrize("kind", BOTH)
def test_a_receiver_that_hangs_holds_up_no_other(kind, request, open_services):
    tables = WebhookTables(open_services(request.getfixturevalue(f"migrated_{kind}")), Clock())
    for number in range(3):
        tables.add_webhook("ann", f"https://slow{number}.example/")
    tables.add_webhook("bob", "https://bob.example/")
    for _ in range(3):
        tables.begin("ann", "bob")
    released, quick = threading.Event(), []

    def post(endpoint: Endpoint, *_: Any) -> Answer:
        if endpoint.host.startswith("slow"):
            assert released.wait(60), "three hang, one lane is free"
        else:
            quick.append(endpoint.host)
            if len(quick) == 3:
                released.set()
        return Answer(204, None)

    assert tables.deliver_webhooks(post, lanes=4) == 12
    assert tables.message_states() == {"sent": 12}


def test_a_webhook_has_one_message_under_way_at_most(sqlite_tables):
    sqlite_tables.add_webhook("ann")
    for _ in range(3):
        sqlite_tables.begin()
    beside = Bot()

    def post(*_: Any) -> Answer:
        assert sqlite_tables.deliver_webhooks(beside) == 0
        return Answer(204, None)

    assert sqlite_tables.deliver_webhooks(post, lanes=4) == 3
    assert beside.heard == []


def test_the_webhook_served_longest_ago_comes_first(sqlite_tables):
    tables = sqlite_tables
    for name in ("ann", "bob"):
        tables.add_webhook(name, f"https://{name}.example/")
    for _ in range(3):
        tables.begin("ann", "bob")
    bot = Bot()

    def post(*given: Any) -> Answer:
        tables.advance(seconds=1)
        return bot(*given)

    tables.deliver_webhooks(post)
    hosts = [endpoint.host for endpoint, _, _ in bot.heard]
    assert hosts[:2] == hosts[2:4] == hosts[4:], "in turns"


# Secrets


def test_t64_no_log_names_the_address_or_the_secret(sqlite_tables):
    tables = sqlite_tables
    hook = tables.add_webhook("ann")
    tables.begin()
    tables.begin()
    with capture_logs() as logged:
        tables.deliver_webhooks(Bot(500, otherwise=GONE))
        tables.advance(minutes=1)
        tables.deliver_webhooks(Bot(otherwise=GONE))
    assert {line["event"] for line in logged} == {"webhook failed", "webhook switched off"}
    for secret in ("c4nary", "/turns", tables.secrets[hook], tables.secrets[hook][6:]):
        assert secret not in str(logged)


def test_out30_what_a_program_is_told_holds_no_secret_of_another_seat(sqlite_template, tmp_path, open_services):
    """Two copies of a game in which ann hides something else: bob's and cyd's programs are told the same."""
    shutil.copy(sqlite_template, tmp_path / "first.sqlite")
    first = WebhookTables(open_services(f"sqlite:///{tmp_path}/first.sqlite", clock=ManualClock()), ManualClock())
    for name in ("bob", "cyd"):
        first.add_webhook(name, f"https://{name}.example/")
    game = first.begin(clock={"per_move": "P3D", "reminders": ["P1D"], "grace": "PT10M", "strikes": 2})
    heard = []
    for number in (0, 3):
        shutil.copy(tmp_path / "first.sqlite", tmp_path / f"copy{number}.sqlite")
        manual_clock = ManualClock()
        copy = WebhookTables(
            open_services(f"sqlite:///{tmp_path}/copy{number}.sqlite", clock=manual_clock), manual_clock
        )
        copy.move(game, 0, f"hide {number}")
        bot = Bot()
        copy.deliver_webhooks(bot)
        manual_clock.advance(days=2)
        copy.sweep()
        copy.deliver_webhooks(bot)
        assert Counter(bot.types()) == {"turn": 2, "reminder": 2}
        heard.append(sorted((endpoint.host, renamed(body)) for endpoint, _, body in bot.heard))
    assert heard[0] == heard[1]


def test_s30_nothing_at_rest_tells_the_address_or_the_secret(sqlite_tables):
    hook = sqlite_tables.add_webhook("ann")
    sqlite_tables.begin()
    sqlite_tables.deliver_webhooks(Bot(500))
    plain = base64.b64decode(sqlite_tables.secrets[hook][6:])
    with sqlite_tables.services.database.read() as connection:
        for table in (webhooks.webhooks, deliveries):
            for row in connection.execute(sa.select(table)):
                for value in row:
                    stored = value if isinstance(value, bytes) else str(value).encode()
                    assert plain not in stored
                    assert b"c4nary" not in stored
                    assert b"bot.example" not in stored


def test_s32_a_webhook_whose_key_is_lost_is_switched_off_and_listed(migrated_sqlite, open_services, manual_clock):
    tables = WebhookTables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)
    hook = tables.add_webhook("ann")
    tables.begin()
    ids = tables.ids
    tables = WebhookTables(open_services(migrated_sqlite, clock=manual_clock, SECRET_KEY="n" * 32), manual_clock)
    tables.ids = ids
    tables.execute("UPDATE deliveries SET kind = 'ping', game_id = '' WHERE channel = 'webhook'")
    bot = Bot()
    assert tables.deliver_webhooks(bot) == 0
    assert bot.heard == []
    found = tables.webhook()
    assert (found.id, found.url, found.state, found.reason) == (hook, None, "off", LOST_KEY)


def test_a_host_that_is_not_allowed_any_more_is_not_told(migrated_sqlite, open_services, manual_clock):
    tables = WebhookTables(
        open_services(migrated_sqlite, clock=manual_clock, WEBHOOK_HOSTS="127.0.0.1:9000"), manual_clock
    )
    tables.add_webhook("ann", "http://127.0.0.1:9000/")
    tables.begin()
    ids = tables.ids
    tables = WebhookTables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)
    tables.ids = ids
    bot = Bot()
    tables.deliver_webhooks(bot)
    assert bot.heard == []
    assert tables.log()[0]["error"].startswith("Give an address that begins with https://")


# Housekeeping


def test_what_was_told_is_forgotten_after_a_month_and_old_secrets_after_a_day(tables):
    hook = tables.add_webhook("ann")
    tables.begin()
    tables.deliver_webhooks(Bot())
    with tables.services.database.write() as tx:
        assert subscriptions.rotate(tables.services, tx, tables.ids["ann"], hook)

    def kept() -> subscriptions.Kept:
        with tables.services.database.read() as connection:
            row = connection.execute(sa.select(webhooks.webhooks)).mappings().one()
        return subscriptions.open_kept(tables.services, row["id"], row["sealed"])

    tables.advance(days=1, seconds=-1)
    housekeep(tables.services)
    assert kept().old is not None
    tables.advance(seconds=1)
    housekeep(tables.services)
    assert (kept().old, kept().url, tables.webhook().old_until) == (None, URL, None)
    tables.clock.at = tables.messages()[0]["created_at"] + subscriptions.KEPT
    housekeep(tables.services)
    assert len(tables.messages()) == 1
    tables.advance(microseconds=1)
    housekeep(tables.services)
    assert tables.messages() == []


def test_s50_all_about_a_players_webhooks_can_be_forgotten(tables):
    gone = tables.add_webhook("ann")
    tables.add_webhook("ann", "https://other.example/")
    tables.add_webhook("bob")
    tables.begin()
    tables.deliver_webhooks(Bot())
    with tables.services.database.write() as tx:
        assert subscriptions.delete(tx, tables.ids["ann"], gone)
        subscriptions.forget(tx, tables.ids["ann"])
    with tables.services.database.read() as connection:
        owners = connection.execute(sa.select(webhooks.webhooks.c.player_id)).scalars().all()
    assert owners == [tables.ids["bob"]]
    assert {row["player_id"] for row in tables.messages()} == {tables.ids["bob"]}


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


def local(open_services: Callable[..., Services], url: str, port: int, **more: str) -> WebhookTables:
    """An office on the real clock that may tell a program on this machine, and looks for what is due very seldom."""
    return WebhookTables(open_services(url, WEBHOOK_HOSTS=f"127.0.0.1:{port}", SWEEP_SECONDS="3600", **more), Clock())


def heard_by(there: Any, wake: Callable[[], object] = lambda: None) -> list[bytes]:
    """All that a receiver has heard, once that is something; until then, `wake` it may be."""
    return until(lambda: wake() or list(there.requests), "a message")  # type: ignore[no-any-return]


def test_s35_a_program_on_the_network_is_told_as_soon_as_the_messenger_is_woken(
    open_services, migrated_sqlite, messenger
):
    with receiver() as there:
        tables = local(open_services, migrated_sqlite, there.port)
        hook = tables.add_webhook("ann", f"http://127.0.0.1:{there.port}/turns")
        running = messenger(tables.services)
        tables.begin()
        assert there.requests == []
        running.wake()
        (request,) = heard_by(there)
    headers, body = headers_of(request), request.partition(b"\r\n\r\n")[2]
    assert request.startswith(b"POST /turns HTTP/1.1\r\n")
    assert verified(headers, body, tables.secrets[hook]) == [True]
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60


def test_the_messenger_outlives_a_database_that_is_away(open_services, migrated_sqlite, messenger, monkeypatch):
    with receiver() as there:
        tables = local(open_services, migrated_sqlite, there.port)
        tables.add_webhook("ann", f"http://127.0.0.1:{there.port}/")
        tables.begin()
        take, tries = webhooks.take, []

        def away(*given: Any) -> Any:
            tries.append(1)
            if len(tries) == 1:
                raise OSError("away")
            return take(*given)

        monkeypatch.setattr(webhooks, "take", away)
        running = messenger(tables.services)
        running.wake()
        until(lambda: tries, "a look")
        running.wake()
        assert len(heard_by(there)) == 1


def test_the_messenger_looks_without_being_woken(open_services, migrated_sqlite, messenger):
    with receiver() as there:
        tables = WebhookTables(
            open_services(migrated_sqlite, WEBHOOK_HOSTS=f"127.0.0.1:{there.port}", SWEEP_SECONDS="1"), Clock()
        )
        tables.add_webhook("ann", f"http://127.0.0.1:{there.port}/")
        messenger(tables.services)
        tables.begin()
        assert len(heard_by(there)) == 1


def test_where_webhooks_are_off_nothing_is_told(open_services, migrated_sqlite, messenger):
    with receiver() as there:
        tables = local(open_services, migrated_sqlite, there.port)
        tables.add_webhook("ann", f"http://127.0.0.1:{there.port}/")
        tables.begin()
        off = local(open_services, migrated_sqlite, there.port, WEBHOOKS="off")
        assert not messenger(off.services).thread.is_alive()
        assert there.requests == []
    assert tables.message_states() == {"queued": 1}


def test_in_the_embedded_mode_the_bell_wakes_the_messenger(open_services, migrated_sqlite):
    with receiver() as there:
        tables = local(open_services, migrated_sqlite, there.port)
        tables.add_webhook("ann", f"http://127.0.0.1:{there.port}/")
        scheduler = Scheduler(tables.services, Carrier())
        scheduler.start()
        tables.begin()
        assert len(heard_by(there, tables.services.wakeup.wake)) == 1
        scheduler.stop()
        assert not any(loop.thread.is_alive() for loop in scheduler.messengers.loops)


def test_beside_a_workers_pool_the_bell_wakes_the_messenger(open_services, migrated_sqlite, redis_url, settings_with):
    with receiver() as there:
        tables = local(open_services, migrated_sqlite, there.port)
        tables.add_webhook("ann", f"http://127.0.0.1:{there.port}/")
        settings = settings_with(
            DATABASE_URL=migrated_sqlite, REDIS_URL=redis_url, SWEEP_SECONDS="3600",
            WEBHOOK_HOSTS=f"127.0.0.1:{there.port}",
        )  # fmt: skip
        ticker = Ticker(settings, lambda _: None)
        ticker.start()
        tables.begin()
        assert len(heard_by(there, Wakeup(redis_url).wake)) == 1
        ticker.stop()
        ticker.loop.thread.join(60)
        assert not ticker.loop.thread.is_alive()
    assert "messenger" not in [thread.name for thread in threading.enumerate()]


def test_a_lease_outlasts_an_attempt_many_times():
    assert LEASE >= 3 * 5
    assert max(PAUSES) <= LONGEST_WAIT
    assert PAUSES[1] >= LONGEST_HOLD
