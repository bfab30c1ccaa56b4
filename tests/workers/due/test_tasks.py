"""Tasks, ticker and wakeup: messages are hints, and without Redis everything goes on."""

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import redis
from kombu.exceptions import OperationalError
from structlog.testing import capture_logs

from config import celery
from config.logging import logging_dict
from config.settings import Settings
from domain.engine.bots import Bot
from domain.engine.game import Action
from service.container import Services
from service.games.questions import Question
from service.kernel import wakeup
from service.kernel.clock import Clock
from service.kernel.wakeup import KEY, Wakeup
from service.store.running.heartbeats import beat, last_beat
from tests.acceptance.processes import until
from tests.letters import Carrier
from tests.ports import free_port
from tests.servers import RedisServer
from tests.smtp_sink import SmtpSink
from tests.tables import Tables
from tests.thinking import any_move
from tests.workers.worker_tables import ROOT
from workers import sweep
from workers.bots.thinker import Thinker
from workers.processes import scheduler as embedded_scheduler
from workers.processes import ticker
from workers.processes.scheduler import Scheduler
from workers.processes.ticker import Ticker

ASK = """
import inspect, json
from workers import tasks
from workers.app import app, services, way_out
ours = {name: task for name, task in app.tasks.items() if not name.startswith("celery.")}
told = {
    "arguments": {name: list(inspect.signature(task.run).parameters) for name, task in ours.items()},
    "queues": {name: app.amqp.router.route({}, name)["queue"].name for name in ours},
    "beat": {name: entry["task"] for name, entry in app.conf.beat_schedule.items()},
    "acks_late": [task.acks_late for task in ours.values()],
    "ignore_result": [task.ignore_result for task in ours.values()],
}
for _ in range(2):
    tasks.deliver_mail(); tasks.fetch_mail(); tasks.sweep_clock(); tasks.keep_house(); tasks.think_for_bots()
told["one of each"] = services() is services() and way_out() is way_out()
print(json.dumps(told))
way_out().close(); services().database.close()
"""


@pytest.fixture
def real_office(migrated_sqlite: str, open_services: Callable[..., Services], smtp_sink: SmtpSink) -> Tables:
    """An office on the real clock, whose mail goes to the sink."""
    return Tables(open_services(migrated_sqlite, SMTP_URL=smtp_sink.url, SWEEP_SECONDS="3600"), Clock())


def environment(services: Services, **more: str) -> dict[str, str]:
    settings = {
        "DATA_DIR": str(services.settings.data_dir),
        "DATABASE_URL": services.settings.database_url,
        "SECRET_KEY": "k" * 32,
        "LOG_LEVEL": "warning",
        **more,
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WARDROOM_")}
    return kept | {f"WARDROOM_{name}": value for name, value in settings.items()}


# Tasks


@pytest.mark.slow
def test_t01_t09_tasks_take_nothing_and_have_queues_and_run_twice_without_harm(real_office, smtp_sink):
    real_office.request_code("ann")
    gone = {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0", "IMAP_URL": f"imap://u:p@127.0.0.1:{free_port()}"}
    environ = environment(real_office.services, SMTP_URL=smtp_sink.url, **gone)
    command = [sys.executable, "-W", "error", "-c", ASK]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])  # after what the log says
    assert set(told["arguments"]) == {"mail.deliver", "mail.fetch", "clock.sweep", "house.keep", "bots.think"}
    assert set(told["beat"].values()) == set(told["arguments"]), "beat calls what there is, and all of it"
    assert not any(told["arguments"].values()), "no argument, nothing to read in Redis (T-09)"
    assert set(told["queues"].values()) == {queue.value for queue in celery.Queue}
    assert not any(told["acks_late"])
    assert all(told["ignore_result"])
    assert told["one of each"]
    assert [mail.subject for mail in smtp_sink.mails] == ["Your code for Wardroom"]
    with real_office.services.database.read() as connection:
        for name in ("beat", "sweep", "housekeeping"):
            assert last_beat(connection, name), name


def test_ticks_of_the_schedule_are_logged_at_debug_alone(settings_with):
    """Three ticks every five seconds are 52,000 lines a day of beat, and twice as many of the workers."""
    for level, shown in (("info", False), ("debug", True)):
        loggers = logging_dict(settings_with(LOG_LEVEL=level))["loggers"]
        for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace"):
            level_of = logging.getLevelNamesMapping()[loggers[name]["level"]]
            assert (level_of <= logging.INFO, level_of <= logging.WARNING) == (shown, True), (name, level)


# The ticker


class Ears:
    """Hears which tasks the ticker asks for."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.something = threading.Event()
        self.refusals: list[Exception] = []

    def __call__(self, name: str) -> None:
        if self.refusals:
            raise self.refusals.pop()
        self.heard.append(name)
        self.something.set()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ticker and a wakeup that do not wait for long."""
    monkeypatch.setattr(ticker, "LISTEN", 1)
    monkeypatch.setattr(ticker, "SILENCE", 2)
    monkeypatch.setattr(ticker, "EVERY", 1)
    monkeypatch.setattr(wakeup, "PAUSE_AFTER_FAILURE", 0.1)


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """A Redis that the test may stop and freeze."""
    with RedisServer() as server:
        yield server
        server.process.send_signal(signal.SIGCONT)


@pytest.fixture
def tickers(hasty: None, settings_with: Callable[..., Settings], smtp_sink: SmtpSink) -> Iterator[Callable[..., Ears]]:
    """Start a ticker on the database of the tables."""
    made: list[Ticker] = []

    def start(tables: Tables, redis_url: str) -> Ears:
        url = tables.services.settings.database_url
        ears = Ears()
        settings = settings_with(DATABASE_URL=url, REDIS_URL=redis_url, SMTP_URL=smtp_sink.url)
        made.append(Ticker(settings, ears))
        made[-1].start()
        return ears

    yield start
    for one in made:
        one.stop()
    for one in made:
        one.loop.thread.join(60)
        assert not one.loop.thread.is_alive()


def beats(tables: Tables) -> None:
    with tables.services.database.write() as tx:
        beat(tables.services.database, tx, "beat")


@pytest.mark.slow
def test_f20_without_redis_and_beat_the_ticker_sweeps(real_office, smtp_sink, tickers):
    tickers(real_office, f"redis://127.0.0.1:{free_port()}/0")
    real_office.request_code("ann")
    smtp_sink.wait_for(1)
    real_office.request_code("ann")
    smtp_sink.wait_for(2)


@pytest.mark.slow
def test_f11_the_ticker_does_not_sweep_while_beat_is_heard_and_does_when_it_falls_silent(
    real_office, smtp_sink, tickers, redis_url
):
    began = time.monotonic()
    beats(real_office)
    tickers(real_office, redis_url)
    real_office.request_code("ann")
    smtp_sink.wait_for(1)
    assert time.monotonic() - began > 2


@pytest.mark.slow
def test_g05_f20_the_ticker_does_mail_that_is_late_though_beat_is_heard(
    real_office, smtp_sink, tickers, redis_url, monkeypatch
):
    """Redis was restarted, say: beat's ticks are heard, and tasks are not yet."""
    monkeypatch.setattr(ticker, "LATE", 1)
    monkeypatch.setattr(ticker, "SILENCE", 3600)
    beats(real_office)
    tickers(real_office, redis_url)
    real_office.request_code("ann")
    smtp_sink.wait_for(1)


def test_the_ticker_passes_the_bell_on_at_once(real_office, tickers, redis_url):
    beats(real_office)
    ears = tickers(real_office, redis_url)
    wakeup = Wakeup(redis_url)
    began = time.monotonic()
    wakeup.wake()
    assert ears.something.wait(60)
    assert time.monotonic() - began < 20
    assert ears.heard == ["mail.deliver"]


def test_f16_the_ticker_goes_on_though_redis_refuses_what_it_sends(real_office, tickers, redis_url):
    """Out of memory, say: Redis hands out what it has, and takes nothing new."""
    beats(real_office)
    with capture_logs() as logs:
        ears = tickers(real_office, redis_url)
        ears.refusals = [OperationalError("OOM"), redis.exceptions.OutOfMemoryError("OOM")]
        until(lambda: Wakeup(redis_url).wake() or ears.heard == ["mail.deliver"], "what is sent after the refusals")
    assert not [entry for entry in logs if entry["event"] == "a round failed"]


def test_the_ticker_tells_the_worker_of_bots_where_a_bot_is_asked(real_office, tickers, redis_url):
    beats(real_office)
    real_office.begin("ann", "bob", bots=[Bot(1)])
    ears = tickers(real_office, redis_url)
    Wakeup(redis_url).wake()
    until(lambda: ears.heard == ["mail.deliver", "bots.think"], "the hint")


def test_the_ticker_lets_bots_think_that_nobody_thinks_for(real_office, tickers, redis_url, monkeypatch):
    """There is no worker of bots: nobody set one up, or it is gone."""
    monkeypatch.setattr(ticker, "LATE_BOTS", 0)
    monkeypatch.setattr(ticker, "Thinker", lambda services: Thinker(services, any_move))
    game = real_office.begin("ann", "bob", bots=[Bot(1)])
    tickers(real_office, redis_url)
    until(lambda: real_office.head(game).table.game.hands, "the bot's hand")


@pytest.mark.slow
def test_f16_f18_the_ticker_outlives_a_redis_that_dies_and_comes_back_empty(real_office, smtp_sink, tickers, own_redis):
    ears = tickers(real_office, own_redis.url)
    wakeup = Wakeup(own_redis.url)
    wakeup.wake()
    assert ears.something.wait(60)
    own_redis.stop()
    real_office.request_code("ann")
    wakeup.wake()
    smtp_sink.wait_for(1)
    ears.something.clear()
    own_redis.start()
    end = time.monotonic() + 60
    while not ears.something.is_set() and time.monotonic() < end:
        wakeup.wake()
        ears.something.wait(0.2)
    assert ears.something.is_set()


@pytest.mark.slow
def test_t06_f17_the_ticker_sweeps_beside_a_frozen_redis(real_office, smtp_sink, tickers, own_redis):
    own_redis.process.send_signal(signal.SIGSTOP)
    tickers(real_office, own_redis.url)
    real_office.request_code("ann")
    smtp_sink.wait_for(1, seconds=60)


@pytest.mark.slow
def test_the_ticker_outlives_a_database_that_is_away(
    sqlite_template, open_services, smtp_sink, tickers, tmp_path, redis_url
):
    """Its whole folder is away, where SQLite cannot make a new file meanwhile."""
    folder, aside = tmp_path / "shelf", tmp_path / "aside"
    aside.mkdir()
    shutil.copy(sqlite_template, aside / "test.sqlite")
    tables = Tables(open_services(f"sqlite:///{folder}/test.sqlite"), Clock())
    with capture_logs() as logs:
        tickers(tables, redis_url)
        until(
            lambda: any(entry["event"] == "a round failed" and entry["loop"] == "ticker" for entry in logs), "a round"
        )
    aside.rename(folder)
    tables.request_code("ann")
    smtp_sink.wait_for(1)


# The wakeup


def test_t06_f17_the_bell_never_holds_up_a_caller_when_redis_is_frozen(own_redis, hasty):
    wakeup = Wakeup(own_redis.url)
    wakeup.wake()
    time.sleep(0.1)
    own_redis.process.send_signal(signal.SIGSTOP)
    took = []
    for _ in range(50):
        began = time.monotonic()
        wakeup.wake()
        took.append(time.monotonic() - began)
        time.sleep(0.01)
    assert sorted(took)[25] < 0.1, "half of them at least: a busy machine may hold up some"
    own_redis.process.send_signal(signal.SIGCONT)


def test_f16_the_bell_rings_again_when_redis_is_back(own_redis, hasty):
    wakeup = Wakeup(own_redis.url)
    own_redis.stop()
    for _ in range(5):
        wakeup.wake()
        time.sleep(0.02)
    own_redis.start()
    with redis.Redis.from_url(own_redis.url) as client:
        end = time.monotonic() + 60
        while not client.llen(KEY) and time.monotonic() < end:
            wakeup.wake()
            time.sleep(0.05)
        assert client.llen(KEY) == 1


def test_many_rings_are_one_until_somebody_hears_them(redis_url):
    wakeup = Wakeup(redis_url)
    for _ in range(100):
        wakeup.wake()
    with redis.Redis.from_url(redis_url) as client:
        assert client.brpop([KEY], timeout=60)
        time.sleep(0.2)
        assert client.llen(KEY) <= 1


def test_threads_that_wake_at_the_same_time_start_one_sender(redis_url):
    wakeup = Wakeup(redis_url)
    threads = [threading.Thread(target=wakeup.wake) for _ in range(20)]
    before = sum(thread.name == "wakeup" for thread in threading.enumerate())
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(thread.name == "wakeup" for thread in threading.enumerate()) == before + 1


FORKED = """
import os, sys, time
from service.kernel.wakeup import Wakeup
wakeup = Wakeup(sys.argv[1])
wakeup.wake()
import redis
client = redis.Redis.from_url(sys.argv[1])
assert client.brpop(["wardroom:bell"], timeout=60)
child = os.fork()
if not child:
    wakeup.wake()
    print(bool(redis.Redis.from_url(sys.argv[1]).brpop(["wardroom:bell"], timeout=60)), flush=True)
    os._exit(0)
os.waitpid(child, 0)
os._exit(0)
"""


def test_a_worker_forked_after_the_first_ring_rings_too(redis_url):
    command = [sys.executable, "-c", FORKED, redis_url]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=150)
    assert done.stdout.strip() == "True", done.stderr


def test_in_the_embedded_mode_the_bell_is_an_event_of_the_process():
    wakeup = Wakeup("memory://")
    wakeup.wake()
    wakeup.wake()
    assert wakeup.woken.is_set()


# The embedded scheduler


@pytest.fixture
def scheduler(real_office: Tables) -> Iterator[Scheduler]:
    found = Scheduler(real_office.services, Carrier())
    yield found
    found.stop()
    assert not found.loop.thread.is_alive()


def test_the_embedded_scheduler_delivers_as_soon_as_the_bell_rings(real_office, scheduler):
    scheduler.start()
    time.sleep(0.3)
    real_office.request_code("ann")
    real_office.services.wakeup.wake()
    end = time.monotonic() + 60
    while not scheduler.way.letters and time.monotonic() < end:
        time.sleep(0.01)
    assert scheduler.way.letters, "an hour before the next sweep"


def test_the_embedded_scheduler_outlives_a_sweep_that_fails(real_office, scheduler, monkeypatch):
    calls: list[int] = []

    def fails_first(services: Services) -> None:
        calls.append(1)
        if len(calls) == 1:
            raise ValueError("a bug")
        sweep.sweep_clocks(services)

    monkeypatch.setattr(embedded_scheduler, "sweep_clocks", fails_first)
    scheduler.start()
    real_office.request_code("ann")
    end = time.monotonic() + 60
    while len(calls) < 2 and time.monotonic() < end:
        real_office.services.wakeup.wake()
        time.sleep(0.05)
    assert len(calls) > 1


def test_in_the_embedded_mode_bots_think_as_soon_as_the_bell_rings_and_nothing_waits_for_them(
    real_office, scheduler, monkeypatch
):
    thinks, let_go, looks = threading.Event(), threading.Event(), []

    def mind(question: Question) -> list[Action]:
        thinks.set()
        let_go.wait(120)
        return any_move(question)

    scheduler.thinker.mind = mind
    monkeypatch.setattr(embedded_scheduler, "sweep_clocks", lambda services: looks.append(thinks.is_set()))
    scheduler.start()
    game = real_office.begin("ann", "bob", bots=[Bot(1)])
    real_office.services.wakeup.wake()
    try:
        assert thinks.wait(60), "an hour before the next sweep"
        real_office.services.wakeup.wake()
        until(lambda: scheduler.way.letters and True in looks, "mail and deadlines meanwhile")
        assert real_office.move(game, "ann", "hide 1")
    finally:
        let_go.set()
    until(lambda: 2 in real_office.head(game).table.game.hands, "the bot's hand")


def test_a_mail_server_that_hangs_holds_up_no_deadline(real_office, scheduler, monkeypatch):
    hangs, let_go, looks = threading.Event(), threading.Event(), []

    def hang(letter: object) -> None:
        hangs.set()
        let_go.wait(120)

    monkeypatch.setattr(scheduler.way, "send", hang)
    monkeypatch.setattr(embedded_scheduler, "sweep_clocks", lambda services: looks.append(hangs.is_set()))
    scheduler.start()
    real_office.request_code("ann")
    real_office.services.wakeup.wake()
    try:
        assert hangs.wait(60), "the letter is on its way"
        end = time.monotonic() + 60
        while True not in looks and time.monotonic() < end:
            real_office.services.wakeup.wake()
            time.sleep(0.05)
        assert True in looks, "deadlines are looked at meanwhile"
    finally:
        let_go.set()
