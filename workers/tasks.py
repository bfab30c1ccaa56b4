"""The tasks: no arguments that mean anything, no state, safe to run twice."""

from typing import Final

from celery import bootsteps, signals

from config.celery import Queue
from service.store.running.heartbeats import beat
from workers import sweep
from workers.app import app, postroom, services, settings, thinker, way_out
from workers.bots.mind import BUSY
from workers.feeds.channel import tell_feeds
from workers.mail_in import imap
from workers.mail_out.channel import deliver
from workers.processes.ticker import Ticker

_tickers: Final[list[Ticker]] = []


@app.task(name="mail.deliver")
def deliver_mail() -> None:
    """Work off the mail that came in, then deliver the outbox: an answer leaves at once."""
    postroom().work()
    tell_feeds(services())
    deliver(services(), way_out())


@app.task(name="mail.fetch")
def fetch_mail() -> None:
    """Look into the IMAP mailbox, where mail comes in that way."""
    imap.look_if_due(services(), patience=imap.EVERY / 2)


@app.task(name="clock.sweep")
def sweep_clock() -> None:
    """Decide deadlines that have passed, and make the reminders and digests that are due."""
    with services().database.write() as tx:
        beat(services().database, tx, "beat")
    sweep.sweep_deadlines(services())
    sweep.sweep_reminders(services())
    sweep.sweep_digests(services())
    sweep.write_log(services())


@app.task(name="house.keep")
def keep_house() -> None:
    """Forget what is old, seal again what is under an older key."""
    sweep.housekeep(services())


ROUND: Final = 40
"""Seconds after which a task of bots begins no other thought."""


LONGEST: Final = ROUND + BUSY * settings.bot_seconds
"""Seconds until the last thought that was begun in time is given up."""


@app.task(name="bots.think", soft_time_limit=LONGEST + 10, time_limit=LONGEST + 30)
def think_for_bots() -> None:
    """Let bots think and play, one after the other."""
    thinker().work(seconds=ROUND)


class TickerStep(bootsteps.StartStopStep):
    """The start of the ticker: after the pool was forked, and before the broker is asked for, which may be away.

    Not beside a pool for bots alone, which is of low priority and must not keep mail waiting.
    """

    requires = ("celery.worker.components:Pool",)

    def start(self, _worker: object) -> None:
        """Start the ticker."""
        if Queue.MAIL in app.amqp.queues.consume_from:
            _tickers.append(Ticker(settings, lambda name: app.send_task(name, expires=60)))
            _tickers[-1].start()


app.steps["worker"].add(TickerStep)


@signals.worker_shutting_down.connect
def _stop_ticker(**_: object) -> None:
    while _tickers:
        _tickers.pop().stop()
