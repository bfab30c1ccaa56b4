"""What bots that think cost those who move at other tables. Run it with `python3 dev.py bench bots`.

As in the embedded mode: one process serves, its child thinks. In each round somebody makes moves while nobody thinks,
then while two tables of bots play without a pause; the ratio of the medians is what counts, not the milliseconds.
"""

import random
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from config.settings import load
from domain.engine.bots import Bot
from domain.engine.game import Seat
from domain.table.evolve import blind
from service.accounts import people
from service.container import Services, assemble
from service.games import play
from service.games.play import Orders
from service.store.structure import migrate
from workers.bots.thinker import Thinker

TERMS: Final[dict[str, Any]] = {"options": {}, "clock": {}, "public": True, "invite": [], "nonce": None}


class House:
    """A service on SQLite, people and tables; moves are any legal ones."""

    def __init__(self, folder: Path) -> None:
        settings = load({"WARDROOM_DATA_DIR": str(folder), "WARDROOM_RATE_LIMITS": "off"})
        self.services: Services = assemble(settings, durable=False)
        migrate.upgrade(self.services.database)
        self.chance = random.Random(1)
        self.ids = {name: self.player(name) for name in ("ann", "bob")}

    def player(self, name: str) -> str:
        with self.services.database.write() as tx:
            token = people.token_for(self.services, tx, f"{name}@people.example", name)
            found = people.who(tx, token)
        assert found is not None
        return found.player

    def open(self, kind: str, *bots: Bot) -> str:
        """A table of one person and these bots, which begins at once."""
        with self.services.database.write() as tx:
            opened = play.open_game(
                self.services, tx, self.ids["ann"], kind=kind, seats=1 + len(bots), bots=bots, **TERMS
            )
        return opened.head.game

    def move(self, game: str) -> float | None:
        """The person makes a move; how many seconds it took. None where bots are asked or the game is over."""
        with self.services.database.read() as connection:
            head = self.services.streams.head(connection, game)
        decider, seat = head.rules.decider, Seat(0)
        if head.table.status != "running" or seat not in decider.awaiting(head.table.game):
            return None
        known = blind(head.table, head.rules, seat).game
        text = head.rules.notation.write(decider.sample(known, seat, self.chance))
        start = time.perf_counter()
        with self.services.database.write() as tx:
            play.move(self.services, tx, game, self.ids["ann"], Orders(text=text))
        return time.perf_counter() - start


class BotTables:
    """Tables of bots that play on in a thread of their own while they may."""

    def __init__(self, house: House, strength: Any) -> None:
        self.house, self.bots = house, [Bot(strength)] * 3
        self.thinker = Thinker(house.services)
        self.games = [house.open("tammany-hall", *self.bots) for _ in range(2)]
        self.may, self.rests, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.thoughts = 0
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while not self.ended.is_set():
            self.rests.set()
            self.may.wait()
            self.rests.clear()
            self.thoughts += self.thinker.work(seconds=0.001)
            for number, game in enumerate(self.games):
                if self.house.move(game) is None and self._is_over(game):
                    self.games[number] = self.house.open("tammany-hall", *self.bots)

    def _is_over(self, game: str) -> bool:
        with self.house.services.database.read() as connection:
            return self.house.services.streams.head(connection, game).table.status != "running"

    @contextmanager
    def at_play(self) -> Iterator[None]:
        """They play within the block, and rest after it."""
        self.rests.wait()
        self.may.set()
        yield
        self.may.clear()
        self.rests.wait()

    def end(self) -> None:
        self.ended.set()
        self.may.set()
        self.thread.join()
        self.thinker.close()


def main(rounds: int = 40, moves: int = 150) -> None:
    """Measure and print."""
    with TemporaryDirectory() as folder:
        house = House(Path(folder))
        for strength in (1, 2):
            tables = BotTables(house, strength)
            with tables.at_play():
                _moves(house, 5)
            found = [_round(house, tables, moves, number % 2) for number in range(rounds)]
            tables.end()
            for name, place in (("median", 0), ("p95", 1)):
                ratio = statistics.median(busy[place] / quiet[place] for quiet, busy in found)
                quiet, busy = (1000 * statistics.median(each[half][place] for each in found) for half in (0, 1))
                print(
                    f"strength {strength}: a move at another table, {name}: {quiet:.2f} ms, while bots think "
                    f"{busy:.2f} ms, ratio {ratio:.3f}; {tables.thoughts} thoughts"
                )
        house.services.database.close()


def _round(
    house: House, tables: BotTables, moves: int, quiet_first: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Median and p95 of moves while nobody thinks, and while bots do: short, and first one, then the other first, so
    that what else goes on at the machine touches both alike."""
    first = _moves(house, moves) if quiet_first else None
    with tables.at_play():
        busy = _moves(house, moves)
    return first or _moves(house, moves), busy


def _moves(house: House, number: int) -> tuple[float, float]:
    taken: list[float] = []
    game = house.open("tammany-hall", Bot(0), Bot(0))
    while len(taken) < number:
        took = house.move(game)
        if took is None:
            game = house.open("tammany-hall", Bot(0), Bot(0))
        else:
            taken.append(took)
    taken.sort()
    return taken[len(taken) // 2], taken[int(0.95 * (len(taken) - 1))]
