"""Count the modules that each trip through the service enters: `python3 dev.py trips`.

Trips begin at public ways in alone: the WSGI application, a raw mail, the sweep, the sender of letters.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from flask.testing import FlaskClient

from config.settings import load
from domain.engine.bots import Bot
from lab.seeded import SeededEntropy
from service.app import create_app
from service.container import Services, assemble
from service.store.structure import migrate
from tests.manual_clock import ManualClock
from tests.tables import SETTINGS, Tables
from tests.thinking import think_all

ROOT: Final = f"{Path.cwd()}/"
LAYERS: Final = ("domain", "service", "workers")
NAMES: Final = ("ann", "bob", "cyd")


@dataclass
class Trip:
    """Modules that were entered, by their path, and SQL statements that were sent."""

    modules: set[str] = field(default_factory=set)
    statements: int = 0

    def count(self, layer: str) -> int:
        """Return how many modules of a layer were entered."""
        return sum(module.startswith(f"{layer}/") for module in self.modules)


class Trips:
    """One service on SQLite, and the trips made through it."""

    def __init__(self, folder: Path) -> None:
        self.clock = ManualClock()
        given = {
            "DATA_DIR": str(folder),
            "SECRET_KEY": "k" * 32,
            "RATE_LIMITS": "off",
            "MAIL_WINDOW": "PT0S",
            "UNDO_SECONDS": "0",
            **SETTINGS,
        }
        self.services = assemble(
            load({f"WARDROOM_{name}": value for name, value in given.items()}),
            clock=self.clock,
            entropy=SeededEntropy("trips"),
            durable=False,
        )
        migrate.upgrade(self.services.database)
        self.statements = 0
        sa.event.listen(self.services.database.engine, "connect", self._listen)
        self.services.database.engine.dispose()
        self.tables = Tables(self.services, self.clock)
        self.client: FlaskClient = create_app(self.services).test_client()
        self.made: dict[str, Trip] = {}

    def _listen(self, connection: Any, _record: Any) -> None:
        connection.set_trace_callback(self._count)

    def _count(self, statement: str) -> None:
        self.statements += 1

    def trip(self, name: str, act: Callable[[], Any]) -> Any:
        """Do something, and note which modules it enters and how many statements it sends."""
        trip, before = Trip(), self.statements

        def profile(frame: Any, event: str, _argument: Any) -> None:
            file = frame.f_code.co_filename
            if event == "call" and file.startswith(ROOT):
                trip.modules.add(file.removeprefix(ROOT))

        sys.setprofile(profile)
        try:
            result = act()
        finally:
            sys.setprofile(None)
        trip.statements = self.statements - before
        self.made[name] = trip
        return result

    def run(self) -> None:
        """Make every trip once. The caller makes them twice: the first time, modules are loaded on the way."""
        tables, client = self.tables, self.client
        headers = {name: {"Authorization": f"Bearer {_token(self.services, name)}"} for name in NAMES}
        game = tables.begin(*NAMES, kind="tammany-hall")
        tables.exchange()
        seat = tables.awaited(game)[0]
        mine = headers[self._name(game, seat)]
        url = f"/api/v1/games/{game}"
        _right(self.trip("GET a game", lambda: client.get(url, headers=mine)), 200)
        text = client.get(f"{url}/actions", headers=mine).json["actions"][0]["text"]  # type: ignore[index]
        _right(self.trip("POST moves", lambda: client.post(f"{url}/moves", headers=mine, json={"text": text})), 201)
        _right(self.trip("GET the page of a game", lambda: client.get(f"/g/{game}")), 200)
        while tables.awaited(game) == [seat]:
            tables.move(game, seat, "end" if "end" in tables.legal(game, seat) else tables.legal(game, seat)[0])
        tables.advance(minutes=10)
        assert self.trip("a notice is delivered", tables.deliver)
        seat = tables.awaited(game)[0]
        tables.reply(self._name(game, seat), tables.legal(game, seat)[0])
        assert self.trip("a mail is worked off", tables.read_inbox)
        tables.exchange()
        tables.advance(days=4)
        assert self.trip("deadline sweep", tables.sweep)
        _right(self.trip("GET audit", lambda: client.get(f"{url}/audit", headers=mine)), 200)
        other = tables.begin("ann", bots=[Bot(1), Bot(1)], kind="tammany-hall")
        while self._name(other, tables.awaited(other)[0]) == "ann":
            seat = tables.awaited(other)[0]
            tables.move(other, seat, "end" if "end" in tables.legal(other, seat) else tables.legal(other, seat)[0])
        assert self.trip("a bot's thought is played", lambda: think_all(self.services))

    def _name(self, game: str, seat: int) -> str:
        player = self.tables.head(game).table.chairs[seat].player
        return next((name for name, known in self.tables.ids.items() if known == player), "")


def _token(services: Services, name: str) -> str:
    from service.accounts import people

    with services.database.write() as tx:
        return people.token_for(services, tx, f"{name}@people.example", name)


def _right(response: Any, status: int) -> None:
    assert response.status_code == status, response.text


def measure() -> dict[str, Trip]:
    """Return every trip by its name. Takes about four seconds."""
    with tempfile.TemporaryDirectory() as folder:
        trips = Trips(Path(folder))
        trips.run()
        trips.run()
        trips.services.database.close()
        return trips.made


def main() -> None:
    """Print the modules of every trip, by layer."""
    print("| name | domain | service | workers |\n| --- | --- | --- | --- |")
    for name, trip in measure().items():
        print(f"| {name} | {' | '.join(str(trip.count(layer)) for layer in LAYERS)} |")


if __name__ == "__main__":
    main()
