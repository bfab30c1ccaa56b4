"""Games with a clock for the vectors, played through the service; the same each time.

`python -m tests.audit.vectors.bases` plays them, and keeps their bundles in `good/`.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from config.settings import load
from lab.seeded import SeededEntropy
from service.container import Services, assemble
from service.games import takeback
from service.kernel.clock import from_text
from service.store.structure import migrate
from tests.manual_clock import ManualClock
from tests.tables import Tables

BANK: Final = {"per_move": "P1D", "bank": "P1D", "increment": "PT1H", "grace": "PT10M", "reminders": [], "strikes": 3}
HOURS: Final = BANK | {"per_move": "P2D", "quiet_hours": True, "weekends": "skip", "leave_days": 5}


def banked(tables: Tables) -> str:
    """Play with a bank: late moves, more time, an outage, a pause, going back twice, two turns that expire."""
    game = _begin(tables, BANK)
    _move(tables, game, hours=2)
    _move(tables, game, hours=30)
    _move(tables, game, hours=1)
    tables.agree(game, "extend", days=2)
    tables.sweep()
    tables.clock.at += int(timedelta(hours=5).total_seconds()) * 1_000_000  # nobody sweeps meanwhile
    tables.sweep()
    seat, before = tables.awaited(game)[0], tables.head(game).version
    for _ in range(4):
        _move(tables, game, hours=1)
    _go_back(tables, game, seat, before)
    _expire(tables, game)
    tables.agree(game, "pause", days=3)
    _move(tables, game, hours=7)
    tables.agree(game, "resume")
    _move(tables, game, hours=26)
    _go_back(tables, game, tables.head(game).table.seat_of(tables.ids["bob"]) or 0)
    _expire(tables, game)
    return game


def personal(tables: Tables) -> str:
    """Play with nights, weekends and leave."""
    tables.rename("ann", "Ann", "Asia/Tokyo")
    tables.rename("bob", "Bob", "America/New_York")
    game = _begin(tables, HOURS)
    _move(tables, game, hours=2)
    for name in ("ann", "bob"):
        tables.take_leave(name, "2031-03-06", "2031-03-07")
    _move(tables, game, hours=20)
    tables.agree(game, "extend", days=1)
    _move(tables, game, hours=5)
    _expire(tables, game)
    return game


GAMES: Final[dict[str, Callable[[Tables], str]]] = {"clock": banked, "hours": personal}


def play(name: str) -> list[dict[str, Any]]:
    """Play a game. Returns its events as a spectator has them."""
    with TemporaryDirectory() as folder, _services(Path(folder), name) as services:
        tables = Tables(services, services.database.clock)
        return [json.loads(line) for line in tables.export(GAMES[name](tables))[:-1]]


@contextmanager
def _services(folder: Path, name: str) -> Iterator[Services]:
    """Make a service with a clock that stands still and chance from a seed."""
    given = {"DATABASE_URL": f"sqlite:///{folder}/game.sqlite", "DATA_DIR": f"{folder}/data", "SECRET_KEY": "k" * 32}
    given |= {"RATE_LIMITS": "off", "MAIL_WINDOW": "PT0S", "UNDO_SECONDS": "0"}
    settings = load({f"WARDROOM_{key}": value for key, value in given.items()})
    services = assemble(settings, clock=ManualClock(), entropy=SeededEntropy(f"vectors {name}"), durable=False)
    try:
        migrate.upgrade(services.database)
        yield services
    finally:
        services.database.close()


def _begin(tables: Tables, clock: dict[str, Any]) -> str:
    return tables.begin("ann", "bob", kind="city-hall", clock=clock)


def _move(tables: Tables, game: str, **span: float) -> None:
    """Let a seat that is asked answer after so long. All notices have gone out before."""
    tables.mark_all_sent()
    tables.advance(**span)
    tables.play_on(game)


def _expire(tables: Tables, game: str) -> None:
    """Let the first deadline and its grace pass, to the microsecond."""
    tables.mark_all_sent()
    due = min(from_text(due) for due in _dues(tables, game).values() if due)
    tables.clock.at = due + 600 * 1_000_000
    tables.record_sweep()
    assert tables.sweep()


def _dues(tables: Tables, game: str) -> dict[str, str | None]:
    """Return the deadlines that were told last."""
    told = [event["data"]["due"] for event in tables.events(game) if "due" in event["data"]]
    return told[-1]  # type: ignore[no-any-return]


def _go_back(tables: Tables, game: str, seat: int, to: int | None = None) -> None:
    """Let a seat go back, and all agree if they are asked."""
    names = {tables.head(game).table.seat_of(player): name for name, player in tables.ids.items()}
    with tables.services.database.write() as tx:
        done = takeback.go_back(tables.services, tx, game, tables.ids[names[seat]], to=to).done
    for other in [] if done else set(names) - {seat}:
        with tables.services.database.write() as tx:
            takeback.vote(tables.services, tx, game, tables.ids[names[other]], True)
