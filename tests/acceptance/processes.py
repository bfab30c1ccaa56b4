"""Processes of our own programs, started for a test and ended with it, and clients that speak to them."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from typing import Any, Self

import httpx

from tests.forked import Forked
from tests.smtp_sink import SmtpSink

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
OURS = ("service", "workers", "tests")


def environment(**settings: str) -> dict[str, str]:
    """The environment of a process with these settings and no others of ours; mail comes in only where they say so."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WARDROOM_") and name != "PORT"}
    path = f"{BIN}{os.pathsep}{kept.get('PATH', '')}"
    ours = {"MAIL_IN": "off", "MAIL_WINDOW": "PT0S", "UNDO_SECONDS": "0", **settings}
    return kept | {"PATH": path, "PYTHONPATH": str(ROOT)} | {f"WARDROOM_{k}": v for k, v in ours.items()}


class Program:
    """A process in a group of its own, its output kept in a file; forked, where the first word is a module of ours."""

    def __init__(self, words: list[str], environ: Mapping[str, str], log: Path, cwd: Path = ROOT, **user: int) -> None:
        self.log = log
        self.process = (
            _forked(words, environ, log, cwd)
            if words[0].partition(".")[0] in OURS
            else _started(words, environ, log, cwd, **user)
        )

    @property
    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def children(self) -> list[int]:
        pid = self.process.pid
        with contextlib.suppress(OSError):
            return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return []

    def members(self) -> list[int]:
        """Every living process of the group, also one that is a zombie while threads of it still end (proc(5))."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = stat.read_text().rpartition(")")[2].split()
                state, group, threads = fields[0], int(fields[2]), int(fields[17])
                if group == self.process.pid and (state != "Z" or threads > 1):
                    found.append(int(stat.parent.name))
        return found

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def wait(self, seconds: float = 60) -> int:
        return self.process.wait(seconds)

    def end(self) -> None:
        """Kill what is left of the group, and wait until all of it is gone: a child may hold a lock for longer."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(60)
        until(lambda: not self.members(), "the end of its children")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def _started(words: list[str], environ: Mapping[str, str], log: Path, cwd: Path, **user: int) -> Popen[bytes]:
    given: dict[str, Any] = {"env": dict(environ), "cwd": cwd, "stderr": subprocess.STDOUT, "start_new_session": True}
    with log.open("ab") as out:
        return Popen(words, stdout=out, **given, **user)


def _forked(words: list[str], environ: Mapping[str, str], log: Path, cwd: Path) -> Forked:
    files = log.with_suffix(".files")
    files.mkdir()
    log.touch()
    for name in "12":
        (files / name).symlink_to(log)
    return Forked(words[0], words[1:], environ, cwd, files)


def until(found: Callable[[], Any], what: str, seconds: float = 60) -> Any:
    """What `found` returns once it is something. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := found():
            return result
        time.sleep(0.05)
    raise TimeoutError(f"{what} did not come within {seconds} s")


def procfile() -> dict[str, list[str]]:
    """The words of each process of the Procfile, settings in front of a command put apart by `env`."""
    lines = (ROOT / "Procfile").read_text().splitlines()
    return {name: ["env", *shlex.split(command)] for name, command in (line.split(": ", 1) for line in lines)}


@dataclass
class Person:
    """Somebody who plays over HTTP."""

    name: str
    http: httpx.Client
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def email(self) -> str:
        return f"{self.name}@people.example"

    def send(self, method: str, path: str, *, key: str | None = None, **more: Any) -> httpx.Response:
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        return self.http.request(method, f"/api/v1{path}", headers=headers, **more)

    def get(self, path: str) -> Any:
        answer = self.send("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        answer = self.send("POST", path, json=body or {}, **more)
        assert answer.status_code in (201, 202), f"{answer.status_code} {answer.text}"
        return answer.json()

    def sign_in(self, sink: SmtpSink) -> float:
        """By the code that is mailed. How long the mail took."""
        began = time.monotonic()
        asked = self.post("/players", {"name": self.name.capitalize(), "email": self.email})["request"]
        mail = until(lambda: sink.mails_to(self.email), "the code", 60)[0]
        took = time.monotonic() - began
        code = mail.text.partition("Your code for Wardroom: ")[2].split()[0]
        token = self.post("/tokens", {"email": self.email, "code": code, "request": asked})["token"]
        self.headers["Authorization"] = f"Bearer {token}"
        return took

    def legal_move(self, game: str) -> str:
        """Something this person may do now."""
        legal = [one["text"] for one in self.get(f"/games/{game}/actions")["actions"]]
        return "end" if "end" in legal else legal[0]


@contextlib.contextmanager
def clients(port: int, *names: str) -> Iterator[list[Person]]:
    """People whose every request has a connection of its own: one kept from before may lead to a worker now dead."""
    alone = httpx.Limits(max_keepalive_connections=0)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, limits=alone) as http:
        yield [Person(name, http) for name in names]


def answers(port: int, path: str = "/healthz") -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=60).status_code == 200
    return False
