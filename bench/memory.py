"""The memory of the embedded service before and after many moves over HTTP. `python3 dev.py bench memory`.

RSS counts shared pages in each process, PSS its share of them; both are summed over the service and its children.
Somebody plays game after game with bots that answer at once, as fast as it goes.
"""

import http.client
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench import ground
from bench.kept import SINCE_RELEASE
from service.accounts import people
from tests.ports import free_port

ROOT: Final = Path(__file__).parent.parent
MOVES: Final = 10_000
KINDS: Final = ("tammany-hall", "city-hall")
PATIENCE: Final = 30.0


def main(moves: int = MOVES) -> None:
    """Play, and weigh every process before, at a tenth, and at the end."""
    with TemporaryDirectory(prefix="wardroom-bench-") as folder:
        os.environ["BENCH_SQLITE_DIR"] = folder
        services = ground.migrated(f"sqlite:///{folder}/bench.sqlite", "memory")
        with services.database.write() as tx:
            token = people.token_for(services, tx, "ann@people.example", "ann")
        services.database.close()
        with _served(services.settings.database_url) as (process, port):
            player = Player(port, token)
            player.move()
            found = {"after the first move": weigh(process)}
            for part, name in ((moves // 10, "after a tenth"), (moves - moves // 10, "at the end")):
                for _ in range(part):
                    player.move()
                found[name] = weigh(process)
    show(f"Memory of the embedded service, {moves} moves", found)


def show(title: str, found: dict[str, dict[str, tuple[float, float]]]) -> None:
    """One line a process and moment, in MB."""
    print(f"\n{title}  [MB]\n  {'':40} {'RSS':>8} {'PSS':>8} {'change':>8}")
    for moment, processes in found.items():
        for name, (rss, pss) in {**processes, "all": tuple(map(sum, zip(*processes.values(), strict=True)))}.items():
            change = SINCE_RELEASE.note(title, f"{name} {moment}", pss, "MB")
            print(f"  {f'{name} {moment}':40} {rss:>8.1f} {pss:>8.1f} {change:>8}", flush=True)


class Player:
    """Somebody who plays over HTTP, game after game, the two kinds in turn."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.chance = random.Random(1)
        self.games = 0
        self.game = ""

    def move(self) -> None:
        """One legal move, in a new game where the last is over."""
        legal = self._ask("GET", f"/games/{self.game}/actions")["actions"] if self.game else []
        while not legal:
            terms = {"ruleset": KINDS[self.games % 2], "seats": 3, "bots": [{"strength": 0}] * 2}
            self.game = self._ask("POST", "/games", terms)["id"]
            self.games += 1
            legal = self._ask("GET", f"/games/{self.game}/actions")["actions"]
        self._ask("POST", f"/games/{self.game}/moves", {"text": self.chance.choice(legal)["text"]})

    def _ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        sent = None if body is None else json.dumps(body)
        self.connection.request(method, f"/api/v1{path}", sent, self.headers)
        response = self.connection.getresponse()
        answer = response.read()
        if response.status >= 400:
            raise SystemExit(f"{method} {path}: {response.status} {answer.decode()}")
        return dict(json.loads(answer))


@contextmanager
def _served(database: str) -> Iterator[tuple[int, int]]:
    """The embedded service on this database: its process and its port."""
    port = free_port()
    ours = {"WARDROOM_RATE_LIMITS": "off", "WARDROOM_LOG_LEVEL": "error", "WARDROOM_MAIL_IN": "off"}
    environment = {**os.environ, **ground.environment(database), **ours}
    words = [sys.executable, "-m", "service.cli", "serve", "--port", str(port)]
    process = subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield process.pid, port
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait_for(port: int) -> None:
    end = time.monotonic() + 2 * PATIENCE
    while time.monotonic() < end:
        try:
            http.client.HTTPConnection("127.0.0.1", port, timeout=1).connect()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the service did not start")


def weigh(process: int) -> dict[str, tuple[float, float]]:
    """RSS and PSS in MB of a process and all below it, by what they are."""
    found = {}
    for number, pid in enumerate(_family(process)):
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in rollup.splitlines()[1:]}
        name = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
        module = next((word.decode() for word in name if word.startswith((b"workers.", b"service."))), "python")
        found[f"{number}: {module.rpartition('.')[2]}"] = (kilobytes["Rss"] / 1024, kilobytes["Pss"] / 1024)
    return found


def _family(process: int) -> Iterator[int]:
    yield process
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _family(int(child))
