"""What many open pages cost: the memory of the process of news, and moves beside it. `python3 dev.py bench news`.

The service answers in this process over its API, with the Redis of the tests; the process of news is one of its own, as
deployed. In each round somebody makes moves while nobody listens, then while a thousand pages do, each at a game of its
own but for one that hears of the moves, then while all look at the game that is played. The ratios count: their
medians over the rounds, beside those of two parts of a round in which nobody listens.
"""

import os
import random
import resource
import select
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from config.settings import Settings, load
from service.accounts import people
from service.app import create_app
from service.container import assemble
from service.news.tickets import issue, ticket_key
from service.store.structure import migrate
from tests.ports import free_port
from tests.servers import RedisServer

TABS: Final = 1_000
MOST_MB: Final = 60
ROUNDS: Final = 12
MOVES: Final = 40
"""In each half of a round."""
PATIENCE: Final = 30.0


class Play:
    """Somebody who plays by the API with a bot that answers at once, game after game."""

    def __init__(self, settings: Settings) -> None:
        self.services = assemble(settings)
        migrate.upgrade(self.services.database)
        self.client = create_app(self.services).test_client()
        with self.services.database.write() as tx:
            token = people.token_for(self.services, tx, "ann@people.example", "ann")
        self.headers = {"Authorization": f"Bearer {token}"}
        self.chance = random.Random(1)
        self.game = ""
        self.version = 0

    def open(self) -> str:
        """A game that has just begun."""
        terms = {"ruleset": "city-hall", "seats": 3, "bots": [{"strength": 0}] * 2}
        self.game = self._post("/api/v1/games", terms)["id"]
        return self.game

    def move(self) -> float:
        """One legal move; how many seconds the answer took."""
        path = f"/api/v1/games/{self.game}"
        legal = self.client.get(f"{path}/actions", headers=self.headers).json["actions"]  # type: ignore[index]
        if not legal:
            self.open()
            return self.move()
        text = self.chance.choice(legal)["text"]
        began = time.perf_counter()
        self.version = int(self._post(f"{path}/moves", {"text": text})["version"])
        return time.perf_counter() - began

    def _post(self, path: str, body: object) -> dict[str, str]:
        answer = self.client.post(path, json=body, headers=self.headers)
        assert answer.status_code == 201, answer.text
        return dict(answer.json)  # type: ignore[arg-type]


class Listeners:
    """Connections that read what comes, in this process without a thread for each."""

    def __init__(self) -> None:
        self.open: list[socket.socket] = []

    def close(self) -> None:
        """Leave them all."""
        while self.open:
            self.open.pop().close()


class Tabs(Listeners):
    """Open pages."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.key = ticket_key(settings.secret_key)
        assert settings.news is not None
        self.address = settings.news

    def add(self, games: list[str]) -> None:
        """One page for each game; done when all hear."""
        for number, game in enumerate(games):
            page = socket.create_connection(self.address, PATIENCE)
            whose = f"X-Forwarded-For: 10.0.{number // 250}.{number % 250}"
            page.sendall(f"GET /news/?ticket={issue(self.key, [game])} HTTP/1.1\r\nHost: x\r\n{whose}\r\n\r\n".encode())
            self.open.append(page)
        for page in self.open:
            heard = b""
            while b"retry:" not in heard:
                part = page.recv(4096)
                assert part, heard
                heard += part

    def heard(self) -> float:
        """Seconds until all of them hear of something."""
        began, quiet = time.perf_counter(), select.poll()
        waiting = {page.fileno(): page for page in self.open}
        for number in waiting:
            quiet.register(number, select.POLLIN)
        while waiting:
            found = quiet.poll(1000 * PATIENCE)
            assert found, "nothing was heard"
            for number, _ in found:
                waiting.pop(number).recv(65536)
                quiet.unregister(number)
        return time.perf_counter() - began


def variables_of(stack: ExitStack) -> dict[str, str]:
    """A folder, a Redis and ports for a service with a process of news, for as long as the stack is open."""
    folder = stack.enter_context(TemporaryDirectory())
    redis = stack.enter_context(RedisServer())
    return {
        "WARDROOM_DATA_DIR": folder, "WARDROOM_REDIS_URL": redis.url, "WARDROOM_RATE_LIMITS": "off",
        "WARDROOM_NEWS": f"127.0.0.1:{free_port()}", "WARDROOM_TRUSTED_PROXIES": "1",
        "WARDROOM_PORT": f"{free_port()}", "WARDROOM_SECRET_KEY": "a key of the benchmark, long enough",
    }  # fmt: skip


def played(stack: ExitStack) -> tuple[dict[str, str], Settings, Play]:
    """The variables and settings of such a service, and somebody who plays in it."""
    variables = variables_of(stack)
    settings = load(variables)
    play = Play(settings)
    stack.callback(play.services.database.close)
    return variables, settings, play


def main(rounds: int = ROUNDS, tabs: int = TABS, moves: int = MOVES) -> None:
    """Measure and print."""
    allow_many_files()
    with ExitStack() as stack:
        variables, settings, play = played(stack)
        process = stack.enter_context(started(variables))
        listening = Tabs(settings)
        stack.callback(listening.close)
        until(lambda: _can_hear(listening, play))
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {tabs} pages, {rounds} rounds of {moves} moves")
        idle = memory(process)
        listening.add(_games(play, tabs))
        print(f"{'memory of the process':<44}{idle:>6.1f} MB idle, {memory(process):.1f} MB with pages")
        listening.close()
        _compare(play, listening, rounds, tabs, moves)


def _compare(play: Play, listening: Tabs, rounds: int, tabs: int, moves: int) -> None:
    ratios: dict[str, list[list[float]]] = {name: [] for name in ARMS}
    for number in range(rounds):
        halves = {}
        for name in (*ARMS, NOBODY) if number % 2 else (NOBODY, *ARMS):
            play.open()
            listening.add(ARMS[name](play, tabs) if name in ARMS else [])
            halves[name] = [play.move() for _ in range(moves)]
            listening.close()
        for name in ARMS:
            ratios[name].append([quantile(halves[name], of) / quantile(halves[NOBODY], of) for of in (0.5, 0.95)])
    for name, found in ratios.items():
        p50, p95 = (spread([ratio[place] for ratio in found]) for place in (0, 1))
        print(f"{f'a move with {name}, with nobody = 1':<56}p50 {p50}, p95 {p95}")
    for name, pages in (("one page", 1), ("all at one game", tabs)):
        taken = sorted(_heard(play, listening, pages, moves))
        told = f"p50 {quantile(taken, 0.5):.1f}, p95 {quantile(taken, 0.95):.1f}"
        print(f"{f'from the answer until {name} heard, ms':<56}{told}")


def _heard(play: Play, listening: Tabs, pages: int, moves: int) -> Iterator[float]:
    """Milliseconds from the answer to a move until all pages at its game know of it, as long as the game lasts."""
    game = play.open()
    listening.add([game] * pages)
    for _ in range(moves):
        play.move()
        if play.game != game:
            break
        yield 1000 * listening.heard()
    listening.close()


def _games(play: Play, tabs: int) -> list[str]:
    """A game for each page; the last is the one that is played."""
    return [*(f"game{number}" for number in range(tabs - 1)), play.game or play.open()]


def _at_one_game(play: Play, tabs: int) -> list[str]:
    return [play.game] * tabs


NOBODY: Final = "nobody"
ARMS: Final[dict[str, Callable[[Play, int], list[str]]]] = {
    "pages at other games": _games,
    "pages at this very game": _at_one_game,
    "nobody once more": lambda play, tabs: [],
}
"""Who listens, in parts of a round; the last says how far two parts differ by themselves."""


def _can_hear(listening: Tabs, play: Play) -> bool:
    try:
        listening.add(_games(play, 1))
    except (OSError, AssertionError):
        return False
    finally:
        listening.close()
    return True


def until(holds: Callable[[], bool]) -> None:
    """Wait until a process has started."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise SystemExit("a process did not start")
        time.sleep(0.1)


@contextmanager
def started(variables: dict[str, str], *words: str) -> Iterator[int]:
    """A process of Python, that of news if no words are given, stopped at the end: its number."""
    root = Path(__file__).parent.parent
    words = (sys.executable, "-P", "-m", *(words or ("service.news",)))
    environment = {**os.environ, **variables, "PYTHONPATH": str(root), "WARDROOM_LOG_LEVEL": "error"}
    process = subprocess.Popen(words, cwd=root, env=environment)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(PATIENCE)


def memory(process: int) -> float:
    """Resident memory in MB."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def quantile(values: list[float], of: float) -> float:
    """The value below which that share lies."""
    return sorted(values)[int(of * (len(values) - 1))]


def spread(ratios: list[float]) -> str:
    """Their median, the least and the greatest."""
    return f"{statistics.median(ratios):>6.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def allow_many_files() -> None:
    """As many connections as the system lets this process have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
