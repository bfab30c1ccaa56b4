"""Everything in one process: `wardroom serve`. API, pages, clock, mail out and in, on SQLite and without Redis.

The same code as in production; the wakeup is an event of the process, the scheduler a thread. This is what
watches over that process from outside, and loads nothing of what it does: that would be there twice.
"""

import fcntl
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any

import click
from gunicorn.app.base import BaseApplication

from config import places
from config.exposure import load_to_serve
from config.http_errors import answer_problems
from config.logging import configure
from config.settings import BadSetting, Settings
from config.slow_requests import end_waits, take_bodies
from service.commands.terminal.exits import Failure, LongRunning
from service.commands.terminal.opening import database_faults, make_folder, require_sound
from service.kernel import private_files
from service.kernel.late import late
from workers.mail_in.port import CannotListen, bind, shown

if TYPE_CHECKING:
    from flask import Flask

    from service import container
    from service.store.event_store import checkpoints
    from service.store.structure import schema_steps
    from workers.processes import serving
else:
    container = late("service.container")
    checkpoints = late("service.store.event_store.checkpoints")
    schema_steps = late("service.store.structure.schema_steps")
    serving = late("workers.processes.serving")


def begin_to_serve(worker: Any) -> None:
    """Hook of gunicorn (`post_worker_init`): its process begins to serve."""
    answer_problems(worker)
    take_bodies(worker)
    end_waits(worker)


class Server(BaseApplication):  # type: ignore[misc]
    """gunicorn with one process of threads, and in it the scheduler and what takes mail at `door`."""

    def __init__(self, settings: Settings, door: socket.socket | None) -> None:
        self.settings = settings
        self.door = door
        self.serving: serving.Serving | None = None
        super().__init__()

    def load_config(self) -> None:
        """Settings that fit one small process."""
        values: dict[str, Any] = {
            "bind": self._addresses(),
            "workers": 1,
            "worker_class": "config.slow_requests.BufferingWorker",
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

    def load(self) -> "Flask":
        """Called in the process that serves."""
        self.serving = serving.Serving(self.settings, self.door)
        return self.serving.begin()

    def end(self) -> None:
        """Called in that process before it ends."""
        if self.serving is not None:
            self.serving.end()


def serve(settings: Settings) -> None:
    """Migrate, then serve until a signal ends it. Raises Failure where it cannot."""
    lock = _only_one(settings)
    _require_free(settings)
    door = _door(settings)
    in_a_child(lambda: _bring_up(settings))
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


def in_a_child(work: Callable[[], None]) -> None:
    """Do it in a process that ends, so that what it loads is not kept; where it fails, end as that one did.

    Raises Failure where a signal ended it.
    """
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # who waits for it says that all was stopped
        work()
        sys.exit()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status < 0:
        why = f"The database was not opened: {signal.Signals(-status).name} ended the process that did. Start again."
        raise Failure(os.EX_TEMPFAIL, why)
    if status > 0:
        sys.exit(status)


def _bring_up(settings: Settings) -> None:
    """Make the database, or bring it up to this code. Raises Failure where it cannot be served from."""
    services = container.assemble(settings)
    with database_faults():
        require_sound(services)
        schema_steps.bring_up(services.database)
        with services.database.read() as connection:
            checkpoints.require_known(connection, services.signer)
    services.database.close()


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
