"""`python3 dev.py bench`: the measurements that need nothing but this project, in a few minutes.

Read the ratios: floor and project run in the same rounds on the same machine. The numbers are of this machine, today.
`bench roundtrips` is another measurement: the mails that a game takes.
"""

import argparse
import http.client
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import psycopg

from bench import adapter, floors, ground, letters, next_moves
from bench.bots import main as measure_bots
from bench.games import LAST_TURN, seated, whole_game
from bench.kept import SINCE_RELEASE
from bench.memory import main as measure_memory
from bench.news import main as measure_news
from bench.pages import main as measure_pages
from bench.rounds import EFFORT, compare, rate
from bench.roundtrips import main as count_round_trips
from bench.scale import main as measure_scale
from bench.serve_http import fill
from bench.start import main as measure_start
from bench.streams import main as measure_streams
from domain.audit.fold_history import fold_history
from domain.audit.verify_history import audit
from domain.tammany_hall import TAMMANY_HALL
from service.container import Services
from service.games.views import position
from tests.ports import free_port
from tests.servers import PostgresServer


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure this project against floors of its own.")
    parser.add_argument("--smoke", action="store_true", help="everything once, on SQLite; the numbers say nothing")
    parser.add_argument(
        "what", nargs="?", default="speed",
        choices=("speed", "roundtrips", "pages", "bots", "news", "start", "memory", "scale"),
        help="roundtrips: how often people are asked, with and without standing orders; pages: what pages cost; "
        "bots: what bots that think cost those who move elsewhere; news: what open pages cost; "
        "start: what it costs to start; memory: of the embedded service after 10,000 moves; "
        "scale: a database of very many games",
    )  # fmt: skip
    parser.add_argument("--keep", action="store_true", help="keep these ratios for later runs: bench/kept.json")
    parser.add_argument("--fail", action="store_true", help="exit 1 where one is worse than kept by over a tenth")
    options, words = parser.parse_known_args()
    if words and options.what != "scale":
        parser.error(f"unrecognized arguments: {' '.join(words)}")
    if options.smoke and (options.keep or options.fail):
        parser.error("the numbers of --smoke say nothing")
    if options.smoke:
        EFFORT.shrink()
        SINCE_RELEASE.kept.clear()
    if options.what == "roundtrips":
        count_round_trips(*((1, 1) if options.smoke else (10,)))
    elif options.what == "pages":
        measure_pages(*((2,) if options.smoke else ()))
    elif options.what == "bots":
        measure_bots(*((1, 2) if options.smoke else ()))
    elif options.what == "scale":
        measure_scale(words, smoke=options.smoke)
    elif options.what == "news":
        measure_news(*((1, 5, 3) if options.smoke else ()))
        measure_streams(*((1, 6, 3) if options.smoke else ()))
    elif options.what == "start":
        measure_start()
    elif options.what == "memory":
        measure_memory(*((20,) if options.smoke else ()))
    else:
        measure(("SQLite",) if options.smoke else ("SQLite", "PostgreSQL"))
    if options.keep:
        SINCE_RELEASE.keep()
    if options.fail and SINCE_RELEASE.worse:
        sys.exit("Worse than in the last release: " + "; ".join(SINCE_RELEASE.worse))


def measure(kinds: Collection[str]) -> None:
    """Measure everything on these kinds of database, and print it."""
    start = time.monotonic()
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, SQLite {sqlite3.sqlite_version}.\n"
        "Only the ratios count: the medians of those within a round. SQLite is in WAL mode with synchronous=NORMAL\n"
        "on both sides: where every commit waits for the disk, nothing else can be seen."
    )
    of_the_rules()
    of_an_export()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="wardroom-bench-"))
        os.environ["BENCH_SQLITE_DIR"] = folder
        of_a_database(f"sqlite:///{folder}/bench.sqlite", "SQLite")
        letters.measure_rate(f"sqlite:///{folder}/bench.sqlite", "SQLite")
        if "PostgreSQL" in kinds and (url := stack.enter_context(postgres())):
            of_a_database(url, "PostgreSQL")
            letters.measure_rate(url, "PostgreSQL")
            letters.measure_crowd(url, "PostgreSQL")
        else:
            letters.measure_crowd(f"sqlite:///{folder}/bench.sqlite", "SQLite")
    print(f"\n{time.monotonic() - start:.0f} seconds")


def of_the_rules() -> None:
    """Fold and replay of a real game, against a made-up one in plain lists."""
    events, rows = adapter.fold.events(), adapter.fold.raw()
    made = floors.made_up_game(len(events))
    bodies = [floors.body(event, number) for number, event in enumerate(made, 1)]
    size = len(events)

    def folded() -> int:
        TAMMANY_HALL.decider.fold(adapter.fold.initial(), events)
        return size

    def replayed() -> int:
        TAMMANY_HALL.decider.fold(adapter.fold.initial(), [adapter.fold.decode(row) for row in rows])
        return size

    def folded_floor() -> int:
        floors.fold(floors.first_state(), made)
        return size

    def replayed_floor() -> int:
        floors.fold(floors.first_state(), [floors.decode(one).data for one in bodies])
        return size

    floor = "made-up game, lists in place"
    compare(
        f"Fold of a game of {size} events",
        "events/s",
        {floor: lambda: rate(folded_floor), "Tammany Hall": lambda: rate(folded)},
    )
    compare(
        "Replay of stored bodies: decode and fold",
        "events/s",
        {floor: lambda: rate(replayed_floor), "Tammany Hall": lambda: rate(replayed)},
    )


def of_an_export() -> None:
    """What `wardroom replay --against` does with one export, besides reading the file."""
    lines = adapter.exported()

    def folded() -> int:
        return bool(fold_history(lines).hashes)

    def decided() -> int:
        return audit(lines).ok

    compare(
        f"Replay of an export of {len(lines) - 1} events; the gate of --fold-only is 100 games/s",
        "games/s",
        {"--full": lambda: rate(decided), "--fold-only": lambda: rate(folded)},
    )


def of_a_database(url: str, name: str) -> None:
    """Moves and reads on one kind of database."""
    with open_services(url) as (services, bare):
        compare(f"{name}: a move", "moves/s", moves(services, bare, url))
        compare(f"{name}: position of a game, beside the driver reading its head", "reads/s", reads(services, bare))
    with servers(url) as cells:
        compare(f"{name}: a move over HTTP, one connection", "requests/s", cells)


@contextmanager
def open_services(url: str) -> Iterator[tuple[Services, floors.Driver]]:
    """The service and the bare driver, each on a database of its own with the same games."""
    mine, other = (ground.migrated(url, name, ground.FLOOR) for name in ("bench_service", "bench_driver"))
    for services in (mine, other):
        ground.put_records(services, ((f"game-{number}", seated(1)) for number in range(EFFORT.games)))
        for length in (50, LAST_TURN):
            ground.put_game(services, f"read-{length}", whole_game(), length)
    bare = floors.Driver(other.settings.database_url)
    yield mine, bare
    bare.connection.close()
    mine.database.close()
    other.database.close()


def moves(services: Services, bare: floors.Driver, url: str) -> dict[str, Callable[[], float]]:
    """The same rows written by the driver, by the store, and by a whole command with its rules."""
    season = adapter.season(url, EFFORT.copies, ground.FLOOR)
    turns, others = count(), count()

    def stored() -> int:
        with services.database.write() as tx:
            adapter.append_three(services, tx, f"game-{next(turns) % EFFORT.games}")
        return 1

    return {
        "driver, the same statements": lambda: rate(lambda: bare.move(f"game-{next(others) % EFFORT.games}") and 1),
        "store: append and all that goes with it": lambda: rate(stored),
        "command: rules, append, all": lambda: rate(lambda: adapter.es.append(season) and 1),
    }


def reads(services: Services, bare: floors.Driver) -> dict[str, Callable[[], float]]:
    """A position early and late in a game."""

    def shown(game: str) -> int:
        with services.database.read() as connection:
            position(connection, services.streams.head(connection, game), 1)
        return 1

    return {
        "driver, the head alone": lambda: rate(lambda: bool(bare.head("read-50"))),
        "position at event 50": lambda: rate(lambda: shown("read-50")),
        f"position at event {LAST_TURN}": lambda: rate(lambda: shown(f"read-{LAST_TURN}")),
    }


@contextmanager
def servers(url: str) -> Iterator[dict[str, Callable[[], float]]]:
    """The bare view and the service, both under gunicorn with two workers of four threads."""
    cells: dict[str, Callable[[], float]] = {}
    with ExitStack() as stack:
        for name, app in (("bare Flask and driver", "bench.floor_app:app"), ("service", "bench.wsgi:app")):
            database = fill(url, f"bench_http_{len(cells)}", 2 * EFFORT.games, 0, ground.FLOOR)
            port = stack.enter_context(served(app, database))
            cells[name] = lambda port=port, database=database: requests(port, database)  # type: ignore[misc]
        yield cells


@contextmanager
def served(app: str, database: str) -> Iterator[int]:
    """gunicorn on a free port, stopped at the end."""
    port = free_port()
    environment = {
        **os.environ,
        **ground.environment(database),
        "BENCH_FLOOR_URL": database,
        "BENCH_SYNCHRONOUS": ground.FLOOR,
        "WARDROOM_PORT": str(port),
    }
    root = Path(__file__).parent.parent
    words = f"-m gunicorn -c {root}/config/gunicorn.py -w 2 -k gthread --threads 4 {app}".split()
    process = subprocess.Popen([sys.executable, *words], cwd=root, env=environment, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(60)  # it lets requests end, on a machine that may be busy


def _wait_for(port: int) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            http.client.HTTPConnection("127.0.0.1", port, timeout=1).connect()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("a server for the benchmark did not start")


def requests(port: int, database: str) -> float:
    """Legal moves a second, one after another on one connection. An answer that is not 201 ends the run."""
    left = iter(next_moves.legal_moves(database))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)

    def once() -> int:
        game, player, version = next(left)
        headers = {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {ground.token_of(player)}",
            "If-Match": f'"{version}"',
        }
        connection.request("POST", f"/api/v1/games/{game}/moves", next_moves.BODIES["actions"], headers)
        response = connection.getresponse()
        answer = response.read()
        assert response.status == 201, answer
        return 1

    try:
        return rate(once, 2)
    finally:
        connection.close()


@contextmanager
def postgres() -> Iterator[str | None]:
    """A PostgreSQL that flushes as a real one does, or None where it does not start."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(PostgresServer())
            url = server.create()
            with psycopg.connect(ground.plain(url), autocommit=True) as connection:
                for option in ("fsync", "synchronous_commit", "full_page_writes"):
                    connection.execute(f"ALTER SYSTEM RESET {option}")
                connection.execute("SELECT pg_reload_conf()")
        except (OSError, RuntimeError, subprocess.SubprocessError, psycopg.Error) as error:
            print(f"\nPostgreSQL is left out: {type(error).__name__}")
            url = None
        yield url


if __name__ == "__main__":
    main()
