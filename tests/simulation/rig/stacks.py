"""The service as it runs: the embedded server alone, or the processes of the Procfile with PostgreSQL and Redis."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

import psycopg
from sqlalchemy import make_url

from tests.acceptance.processes import ROOT, Program, environment, procfile
from tests.ports import free_port
from tests.servers import PostgresServer, RedisServer


class Kept:
    """A program that is started again when it was killed, as a supervisor does."""

    def __init__(self, words: list[str], environ: Mapping[str, str], log: Path) -> None:
        self.words, self.environ, self.log = words, environ, log
        self.program = Program(words, environ, log)

    def kill(self) -> None:
        """kill -9 to all of it."""
        self.program.end()

    def start(self) -> None:
        """Once more."""
        self.program = Program(self.words, self.environ, self.log)

    def send(self, number: int) -> None:
        """A signal to the whole group."""
        with suppress(ProcessLookupError):
            os.killpg(self.program.process.pid, number)

    def kill_children(self) -> None:
        """kill -9 to what it has forked."""
        for pid in self.program.children():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


class Stack:
    """Everything that runs. `kept` are our programs by name; `servers` what else may be made to fail."""

    def __init__(self, mode: str, folder: Path, seed: str, closing: ExitStack) -> None:
        self.port, mail_port = free_port(), free_port()
        self.letters = folder / "letters.ndjson"
        python = [sys.executable, "-m"]
        self.kept: dict[str, Kept] = {}
        self.redis: RedisServer | None = None
        self.backends: Callable[[], object] = lambda: None
        settings = {
            "DATA_DIR": str(folder / "data"), "SMTP_URL": f"smtp://127.0.0.1:{mail_port}", "SECRET_KEY": "s" * 40,
            "PORT": str(self.port), "BASE_URL": f"http://127.0.0.1:{self.port}", "RATE_LIMITS": "off",
        }  # fmt: skip
        mail = [*python, "tests.simulation.rig.mail_server", f"{mail_port}", f"{self.letters}", seed]
        self._run("mail server", mail, environment(), folder)
        closing.callback(self.end)
        if mode == "embedded":
            self._run("server", [*python, "service.cli", "serve"], environment(**settings), folder)
        else:
            self._production(settings, folder, closing)

    def _production(self, settings: dict[str, str], folder: Path, closing: ExitStack) -> None:
        words, postgres = procfile(), closing.enter_context(PostgresServer())
        url = make_url(postgres.create()).difference_update_query(["options"]).render_as_string(hide_password=False)
        self.redis = closing.enter_context(RedisServer())
        environ = environment(
            **settings, DATABASE_URL=url, REDIS_URL=self.redis.url, PROCESSES="2", THREADS="4", POOL_SIZE="4"
        )
        self.backends = lambda: _terminate_one(url)
        subprocess.run(words["release"], env=environ, cwd=ROOT, check=True, timeout=120, stderr=subprocess.DEVNULL)
        for name in ("web", "worker", "beat"):
            self._run(name, words[name], environ, folder)
        closing.callback(self.end)  # before the servers end

    def _run(self, name: str, words: list[str], environ: Mapping[str, str], folder: Path) -> None:
        self.kept[name] = Kept(words, environ, folder / f"{name.replace(' ', '-')}.log")

    def end(self) -> None:
        """Whatever still runs."""
        for kept in self.kept.values():
            kept.send(signal.SIGCONT)
            kept.program.end()


def _terminate_one(url: str) -> None:
    """End the connections that are in a transaction just now, or any."""
    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() ORDER BY xact_start NULLS LAST LIMIT 2"
        )
