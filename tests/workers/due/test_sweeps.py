"""Sweeps when what asks for them is doubled, silent, frozen or gone: F-10 to F-12, F-18, F-20."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import redis
import sqlalchemy as sa

from config.settings import Settings
from service.container import Services
from service.deadlines import expire
from service.kernel import wakeup
from service.kernel.clock import SECOND, Clock, from_text
from service.kernel.clock_guard import OUTAGE
from service.kernel.wakeup import KEY, Wakeup
from service.store.clocks import deadline_leases
from service.store.clocks.decisions import decisions
from service.store.running.heartbeats import beat
from tests.ports import free_port
from tests.servers import RedisServer
from tests.service.store.service_tables import check
from tests.smtp_sink import SmtpSink
from tests.tables import Tables
from workers import sweep
from workers.mail_out.channel import deliver
from workers.processes import ticker
from workers.processes.ticker import EVERY, LISTEN, SILENCE, Ticker
from workers.sweep import EXPIRY_LEASE, sweep_deadlines, sweep_reminders

CLOCK = {"per_move": "P1D", "grace": "PT10M", "reminders": ["PT6H", "PT1H"]}
DUE = timedelta(days=1, minutes=10)
WITHIN = 45
"""Seconds after which somebody sweeps without a beat (F-11, F-20)."""


def events(tables: Tables, game: str) -> list[dict[str, Any]]:
    with tables.services.database.read() as connection:
        return tables.services.streams.seen(connection, game, None, after=0, upto=9999)


def types(tables: Tables, games: list[str]) -> Counter[tuple[int, str]]:
    """How often what happened in which game."""
    return Counter((number, one["type"]) for number, game in enumerate(games) for one in events(tables, game))


def expired(tables: Tables, game: str) -> list[dict[str, Any]]:
    return [one for one in events(tables, game) if one["type"] == "table.turn-expired"]


def owed(tables: Tables, game: str) -> list[dict[str, Any]]:
    with tables.services.database.read() as connection:
        found = sa.select(decisions).where(decisions.c.game_id == game).order_by(decisions.c.seat)
        return [dict(row) for row in connection.execute(found).mappings()]


def ticks(services: Services, way: Any) -> None:
    """What the messages of one beat make its worker do."""
    with services.database.write() as tx:
        beat(services.database, tx, "beat")
    sweep_deadlines(services)
    sweep_reminders(services)
    deliver(services, way)


def at_once(*deeds: Callable[[], object]) -> None:
    """Do all of it at the same time, each in a thread of its own."""
    start, failed = threading.Barrier(len(deeds)), []

    def run(deed: Callable[[], object]) -> None:
        start.wait()
        try:
            deed()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed, failed


# Two beats


def test_f10_with_two_beats_as_much_happens_and_as_much_is_mailed_as_with_one(tables, open_services):
    """Four of a kind under one beat, then four under two, with two workers at once: not one event or mail more."""
    url = tables.services.settings.database_url
    other = open_services(url, clock=tables.clock)
    told, happened = [], []
    for workers in ([tables.services], [tables.services, other]):
        games = [tables.begin(clock=CLOCK) for _ in range(4)]
        letters = len(tables.carrier.letters)
        for _ in range(48):  # the second four begin at the same hour: reminders know nights
            at_once(*(lambda services=services: ticks(services, tables.carrier) for services in workers))
            tables.advance(hours=1)
        told.append(Counter(one.message_id.partition(".")[0] for one in tables.carrier.letters[letters:]))
        happened.append(types(tables, games))
        for game in games:
            tables.execute("UPDATE games SET status = 'abandoned' WHERE id = :id", id=game)
            tables.execute("DELETE FROM decisions WHERE game_id = :id", id=game)
    assert told[0] == told[1]
    assert told[0]["<deadline-passed"] == 12
    assert told[0]["<reminder"] >= 12
    assert happened[0] == happened[1]


# No beat


def test_f11_f20_the_ticker_is_quick_enough_by_its_own_numbers():
    assert max(SILENCE, EVERY) + 2 * LISTEN <= WITHIN, "silence is noticed at the next look, and a look takes a while"


def test_f11_twelve_minutes_without_a_beat_are_no_outage_while_a_ticker_sweeps(tables):
    """Deadlines act when they would have, and nobody's clock is credited."""
    tables.clock.meanwhile = lambda: None
    game = tables.begin(clock=CLOCK)
    ticks(tables.services, tables.carrier)
    due = owed(tables, game)[0]["acts_at"]
    tables.clock.at = due - 6 * 60 * SECOND
    tables.record_sweep()
    for _ in range(12 * 60 // EVERY):
        tables.advance(seconds=EVERY)
        sweep.sweep(tables.services, tables.carrier)
    assert len(expired(tables, game)) == 3
    moment = from_text(expired(tables, game)[0]["at"])
    assert 0 <= moment - due < WITHIN * SECOND
    assert not tables.events(game, "table.deadline-moved")
    check_but_reminders(tables, game)


def check_but_reminders(tables: Tables, game: str) -> None:
    """The checks that trust the log alone; no event calls for a reminder."""
    tables.execute("DELETE FROM deliveries WHERE kind = 'reminder'")
    tables.execute("DELETE FROM notices WHERE kind = 'reminder'")
    check(tables.services, game)


def test_f11_without_beat_and_ticker_the_time_is_given_back_to_whoever_waited(tables):
    """Nobody swept at all: the same twelve minutes are an outage then, and nothing acts when it ends (Q-9)."""
    tables.clock.meanwhile = lambda: None
    game = tables.begin(clock=CLOCK)
    ticks(tables.services, tables.carrier)
    before = owed(tables, game)[0]
    tables.clock.at = before["acts_at"] - 6 * 60 * SECOND
    tables.record_sweep()
    tables.advance(minutes=12)
    assert 12 * 60 * SECOND > OUTAGE
    ticks(tables.services, tables.carrier)
    assert not expired(tables, game)
    after = owed(tables, game)[0]
    assert after["acts_at"] >= tables.clock.at + 6 * 60 * SECOND, "what was left of the time is left"


# Frozen


def test_f12_a_beat_that_thaws_and_sends_what_it_owes_makes_nothing_happen_twice(tables, open_services):
    """Sixty sweeps at once on four workers, five minutes late: one act a decision, one mail a notice."""
    url = tables.services.settings.database_url
    games = [tables.begin("ann", "bob", clock=CLOCK) for _ in range(3)]
    for _ in range(24):
        ticks(tables.services, tables.carrier)
        tables.advance(hours=1)
    tables.advance(minutes=15)
    workers = [open_services(url, clock=tables.clock) for _ in range(4)]
    at_once(*(lambda services=services: [ticks(services, tables.carrier) for _ in range(15)] for services in workers))
    for game in games:
        assert [one["data"]["seat"] for one in expired(tables, game)] == [0, 1]
    copies = Counter(letter.message_id for letter in tables.carrier.letters)
    assert set(copies.values()) == {1}
    reminders = [row["decision"] for row in tables.notices(kind="reminder", game_id=games[0], seat=0)]
    assert len(reminders) == len(set(reminders))


def test_f12_a_worker_that_thaws_with_a_deadline_in_hand_leaves_the_next_decision_alone(tables, open_services):
    """It leased what nobody had answered; when it goes on, another has acted, and the same seat is asked anew."""
    game = tables.begin("ann", "bob", clock=CLOCK, options={"rounds": "3"})
    tables.move(game, "ann", "hide 3")
    tables.deliver()
    tables.advance(days=1, minutes=10)
    slow = open_services(tables.services.settings.database_url, clock=tables.clock)
    with slow.database.write() as tx:
        claimed = deadline_leases.claim(tx, tables.clock.at, tables.clock.at + EXPIRY_LEASE, 100)
    assert len(claimed) == 1
    assert sweep_deadlines(tables.services) == 0, "it is leased"
    tables.advance(seconds=EXPIRY_LEASE / SECOND)
    assert sweep_deadlines(tables.services) == 1
    tables.move(game, 0, "take")
    assert [row["seat"] for row in owed(tables, game)] == [0, 1], "asked anew"
    version = tables.head(game).version
    for passed in claimed:  # the slow one goes on
        with slow.database.write() as tx:
            assert not expire.expire_turn(slow, tx, *passed[:3])
    assert tables.head(game).version == version
    assert len(expired(tables, game)) == 1


# Redis


@pytest.fixture
def emptied() -> Iterator[RedisServer]:
    """A Redis of the test's own."""
    with RedisServer() as server:
        yield server


@pytest.mark.slow
def test_f18_a_redis_that_forgets_everything_loses_no_mail_and_doubles_none(tables, emptied):
    """Hints are gone, rows are not: the next sweep finds them, and a hint that comes late finds nothing to do."""
    wakeup = Wakeup(emptied.url)
    tables.begin(clock=CLOCK)
    wakeup.wake()
    with redis.Redis.from_url(emptied.url) as client:
        assert client.blpop([KEY], timeout=60)
        wakeup.wake()
        emptied.empty()
        assert tables.states() == {"queued": 3}
        ticks(tables.services, tables.carrier)
        wakeup.wake()
        assert client.blpop([KEY], timeout=60), "and it wakes again"
    ticks(tables.services, tables.carrier)
    assert tables.states() == {"sent": 3}
    assert len(tables.carrier.letters) == 3


@pytest.fixture
def swift(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ticker that does not wait for long."""
    for name, seconds in (("LISTEN", 1), ("SILENCE", 2), ("EVERY", 1)):
        monkeypatch.setattr(ticker, name, seconds)
    monkeypatch.setattr(wakeup, "PAUSE_AFTER_FAILURE", 0.1)


@pytest.mark.slow
def test_f20_without_redis_moves_mail_and_deadlines_go_on(
    migrated_postgres: str,
    open_services: Callable[..., Services],
    settings_with: Callable[..., Settings],
    smtp_sink: SmtpSink,
    swift: None,
):
    """Nobody listens where Redis should be: a move is quick, the ticker mails, and who is silent is played."""
    gone = f"redis://127.0.0.1:{free_port()}/0"
    settings = {"SMTP_URL": smtp_sink.url, "MIN_MOVE_TIME": "PT1S", "MAIL_WINDOW": "PT0S"}
    tables = Tables(open_services(migrated_postgres, REDIS_URL=gone, **settings), Clock())
    ticking = Ticker(settings_with(DATABASE_URL=migrated_postgres, REDIS_URL=gone, **settings), lambda name: None)
    clock = {"per_move": "PT4S", "grace": "PT0S", "reminders": []}
    game = tables.begin("ann", "bob", clock=clock, options={"rounds": "1"})
    ticking.start()
    try:
        began = time.monotonic()
        tables.move(game, "ann", "hide 3")
        tables.services.wakeup.wake()
        assert time.monotonic() - began < 20, "no caller waits until connections to Redis are given up"
        smtp_sink.wait_for(1)
        until(lambda: expired(tables, game))
        assert expired(tables, game)[0]["data"]["seat"] == 1
    finally:
        ticking.stop()
        ticking.loop.thread.join(60)


def until(found: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.1)
