"""A server full of games in which somebody is to move: `python -m bench.serve_http URL PORT`.

Makes the database anew, then becomes gunicorn. bench/moves.lua asks `bench.next_moves` which moves are legal now.

    --shape gthread   2 workers x 4 threads, rate limits in memory, SQLite in WAL mode with synchronous=NORMAL: what
                      the anchors of floor_http.py have (the default)
    --shape sync      the same under 2 sync workers
    --shape deployed  config/gunicorn.py as it is, with Redis at BENCH_REDIS_URL and SQLite's own pragmas
"""

import argparse
import os
import sys
import tempfile
from itertools import islice, product
from pathlib import Path
from typing import Final

from bench import ground
from bench.games import seated
from domain.table.record import Record
from service.store.structure import migrate

GROUPS: Final = 200
REDIS: Final = "redis://127.0.0.1:56379/1"
SHAPES: Final = {
    "gthread": "-w 2 -k gthread --threads 4 --keep-alive 75",
    "sync": "-w 2 -k sync --threads 1",
    "deployed": "",
}


def main() -> None:
    """Fill a database, write down where it is, and serve it."""
    options = _options()
    level = None if options.shape == "deployed" else ground.FLOOR
    database = fill(options.url, options.name, options.games, options.length, level)
    environment = {**os.environ, **ground.environment(database), "WARDROOM_PORT": str(options.port)}
    if level:
        environment["BENCH_SYNCHRONOUS"] = level
    else:
        environment["WARDROOM_REDIS_URL"] = os.environ.get("BENCH_REDIS_URL", REDIS)
    if options.no_limits:
        environment["WARDROOM_RATE_LIMITS"] = "off"
    body = "text" if options.text else "actions"
    root = Path(__file__).parent.parent
    note = f"cd {root} && {sys.executable} -m bench.next_moves {database} {body} {'key' if options.key else ''}\n"
    Path(tempfile.gettempdir(), f"bench-moves-{options.port}").write_text(note)
    words = f"-c {root}/config/gunicorn.py {SHAPES[options.shape]} bench.wsgi:app".split()
    os.chdir(root)
    os.execve(sys.executable, [sys.executable, "-m", "gunicorn", *words], environment)


def fill(url: str, name: str, games: int, length: int, level: str | None) -> str:
    """The URL of a new database with so many games just begun, played by 200 groups of five."""
    services = ground.services(ground.empty(url, name), level)
    migrate.upgrade(services.database)
    groups = [tuple(f"p_g{group:05}s{seat}" for seat in range(5)) for group in range(min(GROUPS, games))]
    records: list[Record] = [seated(number, players) for number, players in enumerate(groups)]
    if length:
        records = [ground.Stretched(one.rules, one.facts, one.table, length) for one in records]
    with services.database.write() as tx:
        ground.add_players(tx, [player for players in groups for player in players])
    named = ((f"game{copy:04}x{group:03}", one) for copy, (group, one) in product(range(games), enumerate(records)))
    ground.put_records(services, islice(named, games))
    if not services.database.is_sqlite:
        ground.run_bare(services.settings.database_url, "VACUUM ANALYZE")
    services.database.close()
    return services.settings.database_url


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.serve_http", description=__doc__.partition("\n")[0])
    parser.add_argument("url", help="a SQLite file or a PostgreSQL database to make the games' database beside")
    parser.add_argument("port", type=int)
    parser.add_argument("--name", default="bench_http", help="what to call it: two servers at once need two names")
    parser.add_argument("--shape", choices=SHAPES, default="gthread")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--length", type=int, default=0, help="stretch every log to so many events")
    parser.add_argument("--no-limits", action="store_true", help="switch the rate limits off")
    parser.add_argument("--text", action="store_true", help="send notation, not JSON actions")
    parser.add_argument("--key", action="store_true", help="send an Idempotency-Key with every move")
    return parser.parse_args()


if __name__ == "__main__":
    main()
