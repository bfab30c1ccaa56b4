"""The laws of delivery, for every channel: leases, crashes, outages and retries (Q-11, G-05)."""

import random
import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from service.container import Services
from service.store.outgoing.routes import ROUTES
from tests.manual_clock import Died, ManualClock, dying
from tests.workers.channels.adapters import HARNESSES
from tests.workers.channels.harness import STATE, Harness, Reply, crash_at, dying_about
from workers.channels import keeper, lease_loop
from workers.channels.destination import RELEASED
from workers.channels.lease_loop import MOST_BROKEN, MOST_INTERRUPTED
from workers.feeds.channel import Feeds
from workers.mail_out.channel import Mail
from workers.push.channel import Push
from workers.webhooks.channel import Webhooks

POINTS = ("claimed", "composed", "in hand")


def test_every_channel_has_its_route() -> None:
    assert set(ROUTES) == {Mail.name, Webhooks.name, Feeds.name, Push.name}


@pytest.fixture(params=HARNESSES)
def sqlite_harness(
    request: pytest.FixtureRequest, migrated_sqlite: str, open_services: Callable[..., Services]
) -> Iterator[Harness]:
    """Each channel on SQLite, for what does not depend on the database."""
    clock = ManualClock()
    harness = HARNESSES[request.param](open_services(migrated_sqlite, clock=clock), clock)
    yield harness
    harness.close()


@pytest.fixture(params=HARNESSES)
def harness(request: pytest.FixtureRequest, url: str, open_services: Callable[..., Services]) -> Iterator[Harness]:
    """Each channel on each database."""
    clock = ManualClock()
    harness = HARNESSES[request.param](open_services(url, clock=clock), clock)
    yield harness
    harness.close()


# Crashes


def test_t51_i06_i07_f07_f24_a_crash_at_any_point_loses_nothing_and_a_retry_sends_the_same_bytes(
    harness: Harness,
) -> None:
    """The delivery in hand waits for the end of its lease, to the microsecond (G-05); all others go at once."""
    games = [harness.put("ann"), harness.put("bob")]
    step, is_dead = 0, True
    while is_dead:
        step, is_dead = step + 1, False
        harness.requeue(*games)
        harness.tries.clear()
        with crash_at(step) as reached:
            try:
                harness.deliver(reached)
            except Died:
                is_dead = True
        in_hand = {row["id"] for row in harness.rows() if row["lease_until"] > harness.tables.clock.at}
        harness.deliver()
        assert {row["id"] for row in harness.rows() if row["state"] == "queued"} == in_hand, f"step {step}"
        assert len(in_hand) <= 1, f"step {step}: others wait for what the dead one had in hand"
        harness.advance(seconds=harness.sender().lease_seconds, microseconds=-1)
        assert harness.deliver() == 0, f"step {step}: the lease is not over"
        harness.advance(microseconds=1)
        harness.deliver()
        assert harness.states() == {"sent": 2}, f"step {step}"
        assert {row["attempts"] for row in harness.rows()} == {1}, "a lost lease is no attempt"
        assert sorted(harness.copies().values()) in ([1, 1], [1, 2]), f"step {step}: at most the one in hand twice"
        assert harness.versions() == 2, f"step {step}: a copy is the same to the byte"
    assert step > 14, "three commits, and four points for each delivery"


def test_a20_i06_a_bug_postpones_one_delivery_and_no_other(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    games = [harness.put(name) for name in ("ann", "bob")]
    for point in ("composed", "sent"):
        assert harness.deliver(dying(point, 1, ValueError("a bug"))) == 1
        (held,) = [row for row in harness.rows() if row["state"] == "queued"]
        assert held["reason"] == f"{harness.not_made} (ValueError)"
        harness.advance(seconds=harness.pauses[0] * harness.spread[1])
        assert harness.deliver() == 1, "the destination is not to blame"
        assert harness.versions() == 2
        harness.requeue(*games)


def test_t03_a_delivery_that_kills_its_senders_is_left_alone_and_stops_no_other(sqlite_harness: Harness) -> None:
    """That a sender died is no attempt, until five in a row died with it in hand."""
    harness = sqlite_harness
    deadly = harness.put("ann")
    harness.dies(dying_about(harness, deadly, "composed"))
    harness.put("bob")
    assert harness.deliver() == 1
    for _ in range(MOST_INTERRUPTED - 1):
        harness.advance(seconds=harness.sender().lease_seconds)
        harness.dies(dying_about(harness, deadly, "composed"))
    harness.advance(seconds=harness.sender().lease_seconds)
    assert harness.deliver(dying("composed")) == 0, "it is not even composed"
    (left,) = harness.rows(deadly)
    assert (left["state"], left["attempts"], left["lease"]) == ("queued", 1, None)
    assert left["reason"] == "its sender ended before it was done, 5 times in a row"
    harness.advance(seconds=harness.pauses[0] * harness.spread[1])
    assert harness.deliver() == 1


# Leases


def test_q11_f08_t52_a_sender_that_lost_the_lease_settles_nothing(harness: Harness) -> None:
    """Another sender has the delivery: whatever came of it here, nothing is noted of it or of its destination."""
    game = harness.put()
    for point, reply, table in product(POINTS, (*Reply, None), harness.leases):
        harness.reply = reply or Reply.TAKEN
        kept: list[object] = []

        def stolen(
            name: str, at: tuple[str, str] = (point, table), is_bug: bool = reply is None, kept: list[object] = kept
        ) -> None:
            if name == at[0]:
                harness.steal(at[1])
                kept.append(harness.state())
            if is_bug and name == "composed":
                raise ValueError("a bug")

        harness.meanwhile = partial(stolen, "in hand")
        with capture_logs() as logged:
            harness.deliver(stolen)
        assert [harness.state()] == kept or (point, reply) == ("in hand", None), (point, reply, table)
        assert not kept or "lease lost" in {line["event"] for line in logged}, (point, reply, table)
        harness.requeue(game)


def test_q11_f08_a_sender_that_was_overtaken_changes_nothing(harness: Harness) -> None:
    """Its lease ran out while the destination had the delivery, and another sender was done with it first."""
    game = harness.put()
    for reply in Reply:
        kept: list[object] = []

        def overtaken(reply: Reply = reply, kept: list[object] = kept) -> None:
            harness.meanwhile = lambda: None
            harness.advance(seconds=harness.sender().lease_seconds)
            harness.reply = Reply.TAKEN
            assert harness.deliver() == 1
            harness.reply = reply
            kept.append(harness.state())

        harness.meanwhile = overtaken
        harness.deliver()
        assert [harness.state()] == kept, reply
        (row,) = harness.rows(game)
        assert (row["state"], row["attempts"]) == ("sent", 1)
        harness.requeue(game)


def test_q11_f25_a_lease_is_renewed_while_its_holder_lives_and_so_is_its_probe(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long a destination takes, nobody else probes beside it, or sends the same."""
    monkeypatch.setattr(keeper, "RENEWALS", 2000)
    for _ in range(2):
        harness.put()
    harness.reply = Reply.AWAY
    harness.deliver()
    for reply in (Reply.AWAY, Reply.TAKEN):
        harness.advance(seconds=max(harness.probe_pauses))
        harness.reply, tried = reply, len(harness.tries)

        def others_look(tried: int = tried) -> None:
            harness.meanwhile = lambda: None
            for _ in range(4):
                harness.advance(seconds=harness.lost_probe - 1)
                harness.wait_until_renewed()
                assert (harness.deliver(), len(harness.tries)) == (0, tried)

        harness.meanwhile = others_look
        sent = harness.deliver()
        assert (sent, len(harness.tries) - tried) == ((2, 2) if reply is Reply.TAKEN else (0, 1))
    assert {row["attempts"] for row in harness.rows()} == {1}
    harness.wait_for_keepers()


def test_q11_a_sender_that_lost_a_lease_takes_none_back(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    harness.put()
    channel, clock = harness.sender(), harness.tables.clock
    with harness.tables.services.database.write() as tx:
        mine = channel.claim(tx, "mine", clock.at, clock.at + 15_000_000)
    assert mine is not None
    held = keeper.Keeper(harness.tables.services, channel)
    held.held[mine.id] = mine
    harness.advance(seconds=14)
    held.renew()
    assert harness.rows()[0]["lease_until"] == clock.at + 15_000_000
    harness.steal(harness.leases[-1])
    kept = harness.state()
    held.renew()
    assert (harness.state(), held.held) == (kept, {})


def test_q11_a_lease_is_renewed_in_the_order_in_which_a_delivery_is_settled(sqlite_harness: Harness) -> None:
    """On PostgreSQL two transactions that lock the same rows in another order wait for each other (T-25)."""
    harness = sqlite_harness
    harness.put()
    harness.reply = Reply.AWAY
    harness.deliver()
    harness.advance(seconds=max(harness.probe_pauses))
    services, channel, clock = harness.tables.services, harness.sender(), harness.tables.clock
    sent: list[str] = []
    with services.database.write() as tx:
        tx.driver.set_trace_callback(sent.append)
        probe = channel.claim(tx, "probe", clock.at, clock.at + 15_000_000)
        assert probe is not None
        sent.clear()
        assert channel.renew(tx, probe, clock.at, clock.at + 30_000_000)
    renewed = _tables_of(sent)
    outcome = channel.send(probe)
    sent.clear()
    lease_loop._settle(services, channel, probe, outcome, go_on=False)
    settled = _tables_of(sent)
    assert renewed
    assert renewed == [name for name in settled if name in renewed]


def _tables_of(statements: list[str]) -> list[str]:
    """Return the tables with leases that statements lock or write, in the order of their first use."""
    found = [name for text in statements for name in re.findall(r"(?:UPDATE|FROM|INTO)\s+(\w+)", text)]
    return [name for name in dict.fromkeys(found) if name in STATE]


def test_f10_t25_senders_at_the_same_time_send_each_delivery_once(harness: Harness) -> None:
    for name in ("ann", "bob", "cyd"):
        for _ in range(3):
            harness.put(name)
    start, sent = threading.Barrier(3), []

    def sends() -> None:
        start.wait()
        sent.append(harness.deliver())

    threads = [threading.Thread(target=sends) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sum(sent) == len(harness.tries) == len(harness.copies()) == 9
    assert harness.states() == {"sent": 9}


def test_f25_a_sender_ends_when_its_time_is_over_and_the_rest_is_free(
    sqlite_harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Celery task has 45 s: however slow the destination is, one must not take more."""
    harness = sqlite_harness
    for _ in range(6):
        harness.put()
    passed = [0.0]
    monkeypatch.setattr(lease_loop, "time", SimpleNamespace(monotonic=lambda: passed[0]))

    def slow() -> None:
        passed[0] += 15

    harness.meanwhile = slow
    assert harness.deliver(seconds=40) == 3
    assert harness.states() == {"sent": 3, "queued": 3}
    assert {row["lease_until"] for row in harness.rows() if row["state"] == "queued"} == {0}
    assert harness.deliver() == 3


# Outages


def test_g05_f21_a_failing_destination_is_probed_by_one_and_all_go_when_it_answers(harness: Harness) -> None:
    """An outage is no attempt, and no pause outlives it."""
    games = [harness.put() for _ in range(4)]
    for failure in (Reply.AWAY, Reply.BROKEN):
        harness.tries.clear()
        harness.reply = failure
        harness.deliver()
        assert len(harness.tries) == harness.probes_at_once
        for pause in harness.probe_pauses:
            probed_after(harness, pause)
        assert len({tried.id for tried in harness.tries[:4]}) == 4, "each probe is another delivery"
        harness.advance(hours=2)
        probed_after(harness, 0)
        probed_after(harness, harness.slow_probe)
        harness.reply = Reply.TAKEN
        harness.advance(seconds=harness.slow_probe)
        assert harness.deliver() == 4, "all of them at the first success"
        assert {row["attempts"] for row in harness.rows()} == {1}
        assert harness.state()[1] == [], "what is well leaves no row"
        assert harness.versions() == 4
        harness.requeue(*games)


def probed_after(harness: Harness, seconds: float) -> None:
    """One delivery is tried after so many seconds, and none before."""
    tried = len(harness.tries)
    if seconds:
        harness.advance(seconds=seconds, microseconds=-1)
        harness.deliver()
        assert len(harness.tries) == tried, "not before its time"
        harness.advance(microseconds=1)
    harness.deliver()
    assert len(harness.tries) == tried + 1, "one at a time"


def test_g05_a_probe_whose_sender_died_is_followed_by_another_soon(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    for _ in range(2):
        harness.put()
    harness.reply = Reply.AWAY
    harness.deliver()
    harness.advance(seconds=harness.probe_pauses[0])
    harness.dies(dying("composed"))
    probed_after(harness, harness.lost_probe)


def test_g05_a_probe_that_is_not_true_any_more_is_followed_by_another_at_once(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    for _ in range(2):
        harness.put()
    harness.reply = Reply.AWAY
    harness.deliver()
    harness.tables.move(harness.rows()[0]["game_id"], "ann", "hide 1")
    harness.reply = Reply.TAKEN
    harness.advance(seconds=harness.probe_pauses[0])
    assert harness.deliver() == 1


def test_a_delivery_that_breaks_its_destination_waits_by_itself_once_that_is_plain(sqlite_harness: Harness) -> None:
    """Others get through each time: so it is not an outage, and its attempts count."""
    harness = sqlite_harness
    deadly, other = harness.put(), harness.put()
    harness.replies[deadly] = Reply.BROKEN
    for _ in range(5 * MOST_BROKEN):
        harness.advance(hours=2)
        harness.deliver()
        if harness.rows(deadly)[0]["attempts"] > RELEASED:
            break
        harness.requeue(other)
    (row,) = harness.rows(deadly)
    waits = (row["not_before"] - harness.tables.clock.at) / 1_000_000
    assert (row["attempts"], row["lease"]) == (RELEASED + 1, None)
    assert waits >= harness.pauses[min(RELEASED, len(harness.pauses) - 1)] * harness.spread[0] - 1
    tried = len(harness.tries)
    harness.advance(seconds=harness.slow_probe)
    harness.requeue(other)
    assert (harness.deliver(), len(harness.tries)) == (1, tried + 1)


# Retries


def test_f22_s35_a_delivery_that_is_put_off_comes_again_after_growing_pauses_until_it_is_given_up(
    sqlite_harness: Harness,
) -> None:
    """While others are taken; at every attempt with the same bytes."""
    harness = sqlite_harness
    minded, other = harness.put("ann"), harness.put("bob")
    harness.replies[minded] = Reply.PUT_OFF
    least, most = harness.spread
    for attempt in range(1, harness.attempts):
        assert harness.deliver() == 1, "the other one"
        (row,) = harness.rows(minded)
        pause = harness.pauses[min(attempt, len(harness.pauses)) - 1]
        waits = (row["not_before"] - harness.tables.clock.at) / 1_000_000
        assert (row["state"], row["attempts"], row["lease"]) == ("queued", attempt, None)
        assert pause * least - 1 <= waits <= pause * most
        harness.advance(seconds=waits, microseconds=-1)
        assert harness.deliver() == 0
        harness.advance(microseconds=1)
        harness.requeue(other)
    harness.deliver()
    tried = [one for one in harness.tries if one.game == minded]
    assert len(tried) == harness.attempts
    assert len({(one.id, one.content) for one in tried}) == 1
    (row,) = harness.rows(minded)
    assert (row["state"], row["attempts"], row["reason"]) == ("failed", harness.attempts, harness.given_up)
    harness.advance(days=1)
    assert harness.deliver() == 0


def test_f22_pauses_differ_between_deliveries(sqlite_harness: Harness) -> None:
    retries = sqlite_harness.sender().retries
    last = [retries.pause(sqlite_harness.attempts - 1, number) for number in range(100)]
    assert last == [retries.pause(sqlite_harness.attempts - 1, number) for number in range(100)]
    assert len(set(last)) > 10 or sqlite_harness.spread == (1, 1)


# Truth


def test_rate04_t67_what_is_not_true_any_more_is_not_sent(sqlite_harness: Harness) -> None:
    """That is no attempt, and says nothing about the destination."""
    harness = sqlite_harness
    game = harness.put()
    harness.tables.move(game, "ann", "hide 1")
    harness.reply = Reply.AWAY
    assert harness.deliver() == 0
    assert harness.tries == []
    (row,) = harness.rows()
    assert (row["state"], row["reason"], row["attempts"]) == ("superseded", "the answer was given", 0)
    harness.reply = Reply.TAKEN
    harness.put()
    assert harness.deliver() == 1


def test_rate04_what_becomes_untrue_between_two_attempts_is_not_sent_again(sqlite_harness: Harness) -> None:
    game = sqlite_harness.put()
    sqlite_harness.reply = Reply.PUT_OFF
    sqlite_harness.deliver()
    sqlite_harness.tables.move(game, "ann", "hide 1")
    sqlite_harness.advance(hours=1)
    sqlite_harness.deliver()
    assert len(sqlite_harness.tries) == 1
    assert [(row["state"], row["attempts"]) for row in sqlite_harness.rows()] == [("superseded", 1)]


# All at once


def test_s35_whatever_a_destination_does_each_delivery_is_one_and_ends_once(sqlite_harness: Harness) -> None:
    """Any replies, and deaths in between: bytes never change, and nothing follows a success but after a death."""
    harness, chance, deaths = sqlite_harness, random.Random(7), 0
    games = [harness.put(name) for name in ("ann", "bob", "cyd") for _ in range(2)]
    for _ in range(3000):
        if not harness.states()["queued"]:
            break
        harness.reply = chance.choice([Reply.AWAY, *[Reply.TAKEN] * 5])
        some = [Reply.TAKEN, Reply.BROKEN, *[Reply.PUT_OFF] * 8]
        harness.replies = {game: chance.choice(some) for game in games} if harness.reply is Reply.TAKEN else {}
        point = chance.choice([None, "claimed", "composed", "sent", "settled"])
        try:
            harness.deliver(dying(point, chance.randint(1, 3)) if point else lambda _: None)
        except Died:
            deaths += 1
        harness.advance(seconds=chance.choice([3, 60, 600, 7200, 36_000]))
    assert set(harness.states()) <= {"sent", "failed"}
    assert deaths > 3
    assert harness.versions() == len({tried.id for tried in harness.tries})
    for game in games:
        (row,) = harness.rows(game)
        replies = [tried.reply for tried in harness.tries if tried.game == game]
        assert row["attempts"] <= harness.attempts
        assert (row["state"] == "sent") == (replies[-1] is Reply.TAKEN)
        assert replies.count(Reply.TAKEN) <= 1 + deaths
