"""Calls: what mails tell is told on devices, encrypted for each, and never when it is not true any more (RFC 8030)."""

import json
from functools import partial

import pytest

from service.accounts.people import reader_name
from service.kernel.clock import SECOND
from service.mail import unsubscribes
from service.notify import devices as called
from service.store.outgoing import devices
from service.store.people import players, tokens
from tests.workers.channels.receiver import headers_of, receiver
from tests.workers.push.browser_keys import BrowserKeys, authorized, b64
from tests.workers.push.push_tables import PushService, PushTables
from workers.channels import http_client
from workers.channels.http_client import Answer, NotAnswered
from workers.push.channel import LOST_KEY, deliver
from workers.sweep import housekeep

DAY = 24 * 3600
AWAY = NotAnswered("the connection was refused")


# What is shown


def test_a_turn_is_shown_on_the_device_of_whoever_is_asked(tables):
    device = tables.add_device("ann")
    game = tables.begin("ann", "bob")
    service = PushService(tables)
    assert tables.push(service) == 1
    ((url, headers, message),) = service.heard
    assert url == "https://push.example/p/ann-1"
    assert message == {
        "title": "Pennies: ann, bob",
        "body": "ann, what is your move? Answer by Fri 07 Mar 2031 12:00 UTC. Lunch break",
        "path": f"/g/{game}",
        "tag": f"{game}.turn",
        "lang": "en",
        "asks": True,
        "game": game,
        "version": tables.head(game).version,
        "waiting": 1,
        "at": tables.clock.at // 1000,
        "reader": reader_name(tables.services, tables.ids["ann"]),
    }
    assert headers["Content-Encoding"] == "aes128gcm"
    assert (headers["TTL"], headers["Urgency"]) == (str(3 * DAY), "high"), "as long as it may be answered"
    assert len(headers["Topic"]) == 32
    assert game not in str(headers), "its push service learns nothing"
    assert [row["state"] for row in tables.calls()] == ["sent"]
    (mine,) = tables.devices()
    assert (mine.id, mine.called_at, mine.reason, mine.host) == (device, tables.clock.at, "", "push.example")
    tables.advance(days=1)
    assert tables.push(service) == 0, "once"


def test_over_a_real_connection_a_browser_reads_what_is_sent(migrated_sqlite, open_services, manual_clock):
    """From the move to a push service of the suite's own, by HTTP, and read with the private key of a browser."""
    with receiver(b"HTTP/1.1 201 Created\r\nLocation: https://push.example/m/1\r\n\r\n") as service:
        host = f"127.0.0.1:{service.port}"
        tables = PushTables(open_services(migrated_sqlite, clock=manual_clock, WEBHOOK_HOSTS=host), manual_clock)
        player, keys = tables.player("ann"), BrowserKeys()
        with tables.services.database.write() as tx:
            token = _token(tx, tables)
            called.register(
                tables.services, tx, player, token, f"http://{host}/p/1?x=y", b64(keys.public), b64(keys.auth), ""
            )
        game = tables.begin("ann", "bob")
        assert deliver(tables.services) == 1
        (request,) = service.requests
    head, _, body = request.partition(b"\r\n\r\n")
    headers = headers_of(request)
    assert head.startswith(b"POST /p/1?x=y HTTP/1.1\r\n")
    assert json.loads(keys.decrypt(body))["path"] == f"/g/{game}"
    key = authorized(headers["authorization"], f"http://{host}", manual_clock.at / SECOND)
    assert key == called.key(tables.services)


def _token(tx, tables):
    tokens.add(tx, tables.ids["ann"], "t_1", b"digest", "session", "", tables.clock.at)
    return "t_1"


def test_it_is_told_in_the_language_of_its_reader(sqlite_tables, service):
    sqlite_tables.add_device("ann")
    sqlite_tables.change_profile("ann", language="fr")
    sqlite_tables.begin("ann", "bob")
    sqlite_tables.push(service)
    assert service.texts()[0].startswith("ann, que jouez-vous")
    assert service.shown()[0]["lang"] == "fr"


def test_the_decisions_that_wait_are_counted_in_all_games(sqlite_tables, service):
    sqlite_tables.add_device("ann")
    for _ in range(2):
        sqlite_tables.begin("ann", "bob")
    sqlite_tables.push(service)
    assert [message["waiting"] for message in service.shown()] == [2, 2]


def test_all_that_is_said_of_a_decision_replaces_what_was_said_before(sqlite_tables, service):
    """One topic a game and device: a seat owes one answer at a time, and a device that was away shows the last."""
    tables = sqlite_tables
    for name, number in (("ann", 1), ("ann", 2), ("bob", 1)):
        tables.add_device(name, number)
    clock = {"per_move": "P3D", "reminders": ["P1D"], "grace": "PT10M", "strikes": 2}
    game, other = (tables.begin("ann", "bob", clock=clock) for _ in range(2))
    tables.push(service)
    tables.advance(days=2, hours=1)
    tables.sweep()
    tables.push(service)
    topics = {}
    for url, headers, message in service.heard:
        topics.setdefault((url, message["game"]), set()).add(headers["Topic"])
    assert all(len(found) == 1 for found in topics.values())
    assert len({topic for found in topics.values() for topic in found}) == len(topics)
    reminders = [message for message in service.shown() if "Reminder: " in message["body"]]
    assert {message["tag"] for message in reminders} == {f"{game}.turn", f"{other}.turn"}
    assert service.headers("Urgency")[-1] == "normal"
    assert int(service.headers("TTL")[-1]) == DAY - 3600, "until the deadline"


def test_news_replace_news_of_their_kind_and_no_question(sqlite_tables, service):
    tables = sqlite_tables
    tables.add_device("ann")
    game = tables.begin("ann", "bob")
    tables.expire(game, 0)
    tables.play_out(game, 1, late=0)
    tables.push(service)
    last = service.shown()[-1]
    assert (last["body"], last["tag"], last["asks"]) == (
        "Your game of Pennies “Lunch break” is over.",
        f"{game}.turn",
        False,
    )


# Nothing false


# Who wants to be called, when, and how


def test_a_muted_game_is_muted_here_too(sqlite_tables, service):
    tables = sqlite_tables
    tables.add_device("ann")
    game = tables.begin("ann", "bob")
    with tables.services.database.write() as tx:
        unsubscribes.mute(tables.services.database, tx, tables.ids["ann"], game)
    assert tables.push(service) == 0


def test_who_wants_no_mail_is_called(sqlite_tables, service):
    sqlite_tables.add_device("ann")
    sqlite_tables.change_profile("ann", mail=False)
    sqlite_tables.begin("ann", "bob")
    assert sqlite_tables.push(service) == 1


def test_rate07_nobody_who_does_not_want_it_is_woken(sqlite_tables, service):
    tables = sqlite_tables
    tables.add_device("ann")
    tables.add_device("bob")
    tables.change_profile("ann", quiet_turns=True)
    tables.advance(hours=11)
    tables.begin("ann", "bob")
    assert tables.push(service) == 1, "bob, who is asked as well"
    assert ("queued", "it is sent in the morning, as you asked") in tables.became()
    tables.advance(hours=8)
    assert tables.push(service) == 0
    tables.advance(hours=1)
    assert tables.push(service) == 1


def test_rate05_a_mail_just_before_holds_no_call_up(sqlite_tables, service):
    sqlite_tables.add_device("ann")
    sqlite_tables.begin("ann", "bob")
    assert sqlite_tables.deliver() == 2
    assert sqlite_tables.push(service) == 1


@pytest.mark.parametrize(("wish", "mails", "pushes"), [("mail", 1, 0), ("both", 1, 1), ("push", 0, 1)])
def test_each_person_says_how_they_are_told(sqlite_tables, service, wish, mails, pushes):
    tables = sqlite_tables
    tables.add_device("ann")
    tables.change_profile("ann", tell_urgent=wish)
    tables.begin("ann", "bob")
    assert tables.push(service) == pushes
    tables.deliver()
    assert len(tables.carrier.letters_to("ann")) == mails
    assert len(tables.carrier.letters_to("bob")) == 1, "who has no device is written to"


def test_what_is_to_be_told_on_a_device_alone_goes_there_first_and_is_mailed_when_that_fails(sqlite_tables, service):
    tables = sqlite_tables
    tables.add_device("ann")
    tables.change_profile("ann", tell_urgent="push")
    tables.begin("ann", "bob")
    tables.deliver()
    assert tables.carrier.letters_to("ann") == []
    (row,) = tables.notices(recipient=tables.ids["ann"])
    assert (row["state"], row["reason"]) == ("queued", "your device is called first")
    service.by_host["push.example"] = AWAY
    assert tables.push(service) == 0
    tables.advance(seconds=60)
    tables.deliver()
    assert len(tables.carrier.letters_to("ann")) == 1, "nobody's time passes without a word"


def test_a_mail_that_waited_for_a_call_is_not_sent_after_it(sqlite_tables, service):
    tables = sqlite_tables
    tables.add_device("ann")
    tables.change_profile("ann", tell_urgent="push")
    tables.begin("ann", "bob")
    tables.deliver()
    tables.push(service)
    tables.advance(seconds=60)
    tables.deliver()
    (row,) = tables.notices(recipient=tables.ids["ann"])
    assert (row["state"], row["reason"]) == ("superseded", "it was told on your device")


def test_without_a_device_all_comes_by_mail(sqlite_tables):
    sqlite_tables.player("ann")
    sqlite_tables.change_profile("ann", tell_urgent="push")
    sqlite_tables.begin("ann", "bob")
    sqlite_tables.deliver()
    assert len(sqlite_tables.carrier.letters_to("ann")) == 1


def test_news_come_by_mail_alone_unless_one_says_otherwise(sqlite_tables, service):
    tables = sqlite_tables
    tables.add_device("bob")
    tables.begin("ann", "bob")
    assert tables.devices("bob")[0].id
    with tables.services.database.read() as connection:
        bob = players.by_id(connection, tables.ids["bob"])
    assert (bob.tell_urgent, bob.tell_normal, bob.tell_news) == ("both", "both", "mail")


def test_rate09_a_device_is_called_so_often_a_day_and_for_turns_always(migrated_sqlite, open_services, manual_clock):
    services = open_services(migrated_sqlite, clock=manual_clock, RATE_LIMITS="on", MAILS_A_DAY="1")
    tables = PushTables(services, manual_clock)
    tables.add_device("ann")
    service = PushService(tables)
    clock = {"per_move": "P3D", "reminders": ["P1D"], "grace": "PT10M", "strikes": 2}
    tables.begin("ann", "bob", clock=clock)
    tables.advance(days=1, hours=12)
    tables.begin("ann", "bob")
    tables.begin("ann", "bob")
    assert tables.push(service) == 3
    tables.advance(hours=13)
    tables.sweep()
    assert tables.push(service) == 0
    assert tables.became()[-1][1].startswith("held back")


# Devices


def test_every_device_is_called_and_one_that_is_gone_is_forgotten(tables):
    first, second = tables.add_device("ann", 1), tables.add_device("ann", 2)
    game = tables.begin("ann", "bob")
    service = PushService(tables, 410)
    assert tables.push(service) == 1
    assert [device.id for device in tables.devices()] == [second]
    assert [row["device_id"] for row in tables.calls()] == [first, second], "what became of it is known still"
    with tables.services.database.read() as connection:
        assert [devices.count_sent(connection, device, 0) for device in (first, second)] == [0, 1]
        assert devices.count_sent(connection, second, tables.clock.at) == 0
    tables.expire(game, 0)
    tables.push(service)
    assert {url[-1] for url, _, _ in service.heard[2:]} == {"2"}


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_ended_is_called_no_more(sqlite_tables, service, status):
    sqlite_tables.add_device("ann")
    sqlite_tables.begin("ann", "bob")
    service.answers = [status]
    assert sqlite_tables.push(service) == 0
    assert sqlite_tables.devices() == []
    assert sqlite_tables.became() == [("failed", f"its push service answered {status}")]


def test_who_signs_out_is_called_there_no_more(tables):
    tables.add_device("ann")
    tables.begin("ann", "bob")
    tables.sign_out("ann")
    service = PushService(tables)
    assert tables.push(service) == 0
    assert tables.became() == [("superseded", "the device is called no more")]
    tables.begin("ann", "bob")
    assert len(tables.calls()) == 1, "nothing is queued there"
    assert tables.devices() == []


def test_a_message_that_is_too_large_is_not_sent_again(sqlite_tables, service):
    sqlite_tables.add_device("ann")
    sqlite_tables.begin("ann", "bob")
    service.answers = [413]
    sqlite_tables.push(service)
    sqlite_tables.advance(hours=3)
    assert sqlite_tables.push(service) == 0
    assert len(service.heard) == 1
    assert sqlite_tables.became() == [("failed", "its push service answered 413")]
    assert len(sqlite_tables.devices()) == 1


def test_a_test_is_shown_at_once(sqlite_tables, service):
    device, bob = sqlite_tables.add_device("ann"), sqlite_tables.player("bob")
    sqlite_tables.change_profile("ann", language="de")
    with sqlite_tables.services.database.write() as tx:
        assert called.send_test(sqlite_tables.services, tx, sqlite_tables.ids["ann"], device)
        assert not called.send_test(sqlite_tables.services, tx, bob, device)
    assert sqlite_tables.push(service) == 1
    assert service.shown()[0]["path"] == "/me/mail"
    assert service.shown()[0]["tag"] == "test"


# Push services


def test_a_push_service_that_asks_for_time_gets_it(sqlite_tables, service):
    tables = sqlite_tables
    tables.add_device("ann")
    tables.begin("ann", "bob")
    service.answers = [Answer(429, 900)]
    assert tables.push(service) == 0
    assert tables.devices()[0].reason == "its push service answered 429"
    tables.advance(seconds=899)
    assert tables.push(service) == 0
    tables.advance(seconds=1)
    assert tables.push(service) == 1
    assert len(service.heard) == 2
    assert tables.devices()[0].reason == ""


def test_g05_while_a_push_service_is_away_others_go_on(sqlite_tables, service):
    tables = sqlite_tables
    for name in ("ann", "bob"):
        tables.add_device(name, host="away.example")
    tables.add_device("ann", 2)
    service.by_host["away.example"] = AWAY
    for _ in range(3):
        tables.begin("ann", "bob")
    assert tables.push(service) == 3
    assert len([url for url, _, _ in service.heard if "away" in url]) == 2, "once more at once"
    service.by_host = {}
    tables.advance(seconds=2)
    assert tables.push(service) == 6


def test_a_push_service_that_is_busy_for_all_is_left_alone_as_long_as_it_asks(sqlite_tables, service):
    tables = sqlite_tables
    for name in ("ann", "bob", "cyd", "dan"):
        tables.add_device(name)
        tables.begin(name, "eve")
    service.by_host["push.example"] = Answer(503, 120)
    tables.push(service)
    assert len(service.heard) == 3
    tables.advance(seconds=119)
    tables.push(service)
    assert len(service.heard) == 3
    service.by_host = {}
    tables.advance(seconds=1)
    assert tables.push(service) == 4


def test_t67_no_call_leads_inside(sqlite_tables):
    """The name was public when the device was entered, and leads inside when it is called."""
    tables = sqlite_tables
    tables.add_device("ann")
    tables.begin("ann", "bob")
    dialled = []
    post = partial(http_client.post, resolver=lambda *_: ["10.0.0.1"], dialler=lambda *where: dialled.append(where))
    assert tables.push(post) == 0
    assert dialled == []
    assert tables.calls()[0]["reason"] == http_client.NO_ADDRESS


# Keys of ours


def test_s30_after_a_rotation_each_device_is_called_under_the_key_it_knows(
    migrated_sqlite, open_services, manual_clock
):
    old, new = "o" * 40, "n" * 40
    before = PushTables(open_services(migrated_sqlite, clock=manual_clock, SECRET_KEY=old), manual_clock)
    before.add_device("ann")
    before.begin("ann", "bob")
    rotated = open_services(migrated_sqlite, clock=manual_clock, SECRET_KEY=new, SECRET_KEYS_OLD=old)
    after = PushTables(rotated, manual_clock)
    after.ids, after.keys = before.ids, before.keys
    service = PushService(after)
    housekeep(rotated)
    assert after.push(service) == 1
    assert service.headers("Authorization")[0].endswith(f"k={called.key(before.services)}")
    after.begin("ann", "bob")
    alone = PushTables(open_services(migrated_sqlite, clock=manual_clock, SECRET_KEY=new), manual_clock)
    alone.ids, alone.keys = before.ids, before.keys
    assert alone.push(PushService(alone)) == 0
    assert alone.became()[-1] == ("failed", LOST_KEY)
    assert alone.devices() == [], "its page asks to enter it again"


def test_what_a_game_that_is_stopped_would_tell_waits(sqlite_tables, service):
    tables = sqlite_tables
    tables.add_device("ann")
    game = tables.begin("ann", "bob")
    tables.execute("UPDATE games SET halted_at = 1, halted = 'x' WHERE id = :game", game=game)
    assert tables.push(service) == 0
    assert tables.became() == [("queued", None)]


def test_what_was_told_is_forgotten_after_a_month(sqlite_tables, service):
    tables = sqlite_tables
    tables.add_device("ann")
    tables.begin("ann", "bob")
    tables.push(service)
    tables.advance(days=31)
    housekeep(tables.services)
    assert tables.calls() == []
