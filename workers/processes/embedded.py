"""Everything in one process: `wardroom serve`. API, pages, clock, mail out and in, on SQLite and without Redis.

The same code as in production; the wakeup is an event of the process, the scheduler a thread.
"""

import fcntl
import itertools
import os
import socket
import sys
from collections.abc import Iterator
from functools import partial
from typing import IO, Any

import click
from flask import Flask
from gunicorn.app.base import BaseApplication

from config import places
from config.exposure import load_to_serve
from config.http_errors import answer_problems
from config.logging import configure
from config.settings import BadSetting, Settings
from config.slow_requests import limit_waiting
from service.app import create_app
from service.commands.terminal.exits import Failure, LongRunning
from service.commands.terminal.opening import database_faults, make_folder
from service.container import Services, assemble
from service.kernel import private_files
from service.store.event_store.checkpoints import require_known
from service.store.games import analyses, thoughts
from service.store.incoming import inbox
from service.store.outgoing import deliveries, destinations, webhooks
from service.store.structure import schema
from service.store.structure.schema_steps import bring_up
from workers.bots.thinker import Thinker
from workers.feeds.channel import tell_feeds
from workers.loop import Loop
from workers.mail_in.imap import poller
from workers.mail_in.inbox_worker import Postroom
from workers.mail_in.listener import CannotListen, MailListener, bind, shown
from workers.mail_out.channel import deliver
from workers.mail_out.transport import Transport, transport
from workers.processes.messengers import Messengers
from workers.sweep import housekeep, sweep_clocks, write_log
from workers.teacher.teacher import teacher

HOUSEKEEPING_EVERY = 60
"""Sweeps between two rounds of housekeeping."""


class Scheduler:
    """The clock and the mail of the embedded mode: a thread that sweeps when it is woken, and every few seconds.

    Mail goes out in a thread of its own, woken by the other: a mail server that hangs holds up no deadline. Bots think
    in a process of low priority, and a third thread waits for it.
    """

    def __init__(self, services: Services, way: Transport) -> None:
        self.services = services
        self.way = way
        self.postroom = Postroom(services)
        self.messengers = Messengers(services)
        self.teacher = teacher(services)
        self.rounds = itertools.count()
        self.loop = Loop(
            "scheduler",
            self._sweep,
            services.settings.sweep_seconds,
            woken=services.wakeup.woken,
            patience=10,
        )
        self.thinker = Thinker(services)
        self.bots = Loop("bots", self.thinker.work, services.settings.sweep_seconds, at_end=self.thinker.close)
        self.mail = Loop(
            "mail", partial(deliver, services, way), services.settings.sweep_seconds, patience=10, at_end=way.close
        )

    def start(self) -> None:
        """Begin to sweep."""
        self.loop.start()
        self.mail.start()
        self.messengers.start()
        self.teacher.start()
        self.bots.start()

    def stop(self) -> None:
        """Finish the sweep under way, then end."""
        self.bots.stop()
        self.thinker.close()
        self.messengers.stop()
        self.teacher.stop()
        self.loop.stop()
        self.mail.stop()

    def _sweep(self) -> None:
        self.messengers.wake()
        self.teacher.wake()
        self.mail.wake()
        self.bots.wake()
        self.postroom.work()
        sweep_clocks(self.services)
        self.mail.wake()  # for what became due
        tell_feeds(self.services)
        if next(self.rounds) % HOUSEKEEPING_EVERY == 0:  # after what people wait for, also at the start
            housekeep(self.services)
        write_log(self.services)


def void_leases(services: Services) -> IO[str] | None:
    """End the leases that dead processes left on the SQLite file, where it is certain that they are dead (G-05).

    A lock beside the file is held as long as what is answered lives, and let go by the system however it dies. None
    where another process holds it, as while gunicorn replaces one, and with PostgreSQL: then leases run out by
    themselves.
    """
    if not services.database.is_sqlite:
        return None
    beside = f"{services.database.engine.url.database}.serving"
    file = open(beside, "w", opener=private_files.opener)  # noqa: SIM115 - held to the end
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        deliveries.void_leases(tx)
        destinations.void_leases(tx, now)
        webhooks.void_leases(tx, now)
        inbox.void_leases(tx)
        analyses.void_leases(tx)
        thoughts.void_leases(tx)
    return file


def begin_to_serve(worker: Any) -> None:
    """Hook of gunicorn (`post_worker_init`): its process begins to serve."""
    answer_problems(worker)
    limit_waiting(worker)


class Server(BaseApplication):  # type: ignore[misc]
    """gunicorn with one process of threads, and in it the scheduler and what takes mail at `door`."""

    def __init__(self, settings: Settings, door: socket.socket | None) -> None:
        self.settings = settings
        self.door = door
        self.mail_in: MailListener | None = None
        self.services: Services | None = None
        self.lives: IO[str] | None = None
        super().__init__()

    def load_config(self) -> None:
        """Settings that fit one small process."""
        values: dict[str, Any] = {
            "bind": self._addresses(),
            "workers": 1,
            "worker_class": "gthread",
            "threads": self.settings.threads,
            "graceful_timeout": 5,
            "timeout": 60,
            "keepalive": 5,
            "loglevel": "warning",
            "control_socket_disable": True,
            "post_worker_init": begin_to_serve,
            "worker_exit": lambda _arbiter, _worker: self.end(),
            "worker_tmp_dir": "/dev/shm" if os.access("/dev/shm", os.W_OK) else None,  # noqa: S108 - gunicorn's heartbeat file
        }
        for name, value in values.items():
            self.cfg.set(name, value)

    def _addresses(self) -> list[str]:
        listened = [(self.settings.host, self.settings.port), self.settings.metrics_listen]
        return [f"[{at[0]}]:{at[1]}" if ":" in at[0] else f"{at[0]}:{at[1]}" for at in listened if at is not None]

    def load(self) -> Flask:
        """Called in the process that serves: connections and threads belong to it."""
        services = self.services = assemble(self.settings)
        schema.require_or_exit(services.database)
        services.begin("embedded")
        self.lives = void_leases(services)
        Scheduler(services, transport(self.settings)).start()
        poller(services).start()
        if self.settings.mail_in is not None and self.door is not None:
            self.mail_in = MailListener(services, self.settings.mail_in, self.door)
            self.mail_in.start()
        return create_app(services)

    def end(self) -> None:
        """Called in that process before it ends."""
        if self.mail_in is not None:
            self.mail_in.stop()
        if self.services is not None:
            self.services.end()


def serve(settings: Settings) -> None:
    """Migrate, then serve until a signal ends it. Raises Failure where it cannot."""
    lock = _only_one(settings)
    _require_free(settings)
    door = _door(settings)
    services = assemble(settings)
    with database_faults():
        bring_up(services.database)
        with services.database.read() as connection:
            require_known(connection, services.signer)
    services.database.close()
    click.echo("\n".join(_welcome(settings)))
    sys.stdout.flush()
    Server(settings, door).run()
    lock.close()


def _welcome(settings: Settings) -> Iterator[str]:
    """Where it is, and what to do there."""
    address = f"http://{settings.host}:{settings.port}"
    if settings.smtp_url is None:
        yield f"Wardroom is at {address}/ – its mail is at {address}/mailbox"
        yield "Sign in with any address: the mail with the code goes to that mailbox."
        yield f"Play against bots: {address}/tables/new?against=bots"
        yield f"Let others in: {places.page('hosting.md')}"
    else:
        yield f"Wardroom is at {address}/"
    if settings.mail_in is not None:
        yield f"Answers by mail: {shown(settings.mail_in)}"
    yield f"Data: {settings.data_dir}. Ctrl-C ends it."


def _only_one(settings: Settings) -> IO[str]:
    make_folder(settings.data_dir)
    file = open(settings.data_dir / "serve.lock", "w", opener=private_files.opener)  # noqa: SIM115 - held to the end
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        where = settings.data_dir
        message = f"Wardroom is already running on {where}: stop it first, or set WARDROOM_DATA_DIR to another folder."
        raise Failure(os.EX_UNAVAILABLE, message) from error
    return file


def _require_free(settings: Settings) -> None:
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            message = f"Something else listens on {settings.host}:{settings.port}: give another port with --port."
            raise Failure(os.EX_UNAVAILABLE, message) from error


def _door(settings: Settings) -> socket.socket | None:
    """Where mail comes in, taken before anything is served."""
    try:
        return None if settings.mail_in is None else bind(settings.mail_in)
    except CannotListen as cannot:
        raise Failure(os.EX_UNAVAILABLE, str(cannot)) from cannot


@click.command(cls=LongRunning, help="Serve API, pages, clock and mail in one process.")
@click.option("--host", default=None, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=None, help="Port to listen on.")
def main(host: str | None, port: int | None) -> None:
    """The command behind `wardroom serve`."""
    for name, value in (("WARDROOM_HOST", host), ("WARDROOM_PORT", port)):
        if value is not None:
            os.environ[name] = str(value)
    os.environ.setdefault("WARDROOM_LOG_FORMAT", "text")
    os.environ.setdefault("WARDROOM_LOG_LEVEL", "warning")
    try:
        settings = load_to_serve()
    except BadSetting as bad:
        raise Failure(os.EX_CONFIG, str(bad)) from bad
    configure(settings)
    serve(settings)


if __name__ == "__main__":
    main(prog_name="wardroom serve")
