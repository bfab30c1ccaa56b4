"""The benchmarks run: `dev.py bench` once over, and every adapter that the shared scripts are given, on little."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from bench import adapter, ground
from bench.games import LAST, whole_game
from bench.ground import plain
from bench.kept import Comparison, read
from bench.scale_rows import Copies, play_models
from config.settings import Settings
from domain.table.evolve import copy
from service.container import Services, assemble
from service.store.event_store import checkpoints
from tests.acceptance.processes import ROOT, environment
from tests.servers import PostgresServer
from tests.smtp_sink import SmtpSink

pytestmark = pytest.mark.slow


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Beside this database the adapters make theirs, with the pragmas of the service; all are closed at the end."""
    opened: list[Services] = []

    def assembled(settings: Settings) -> Services:
        opened.append(assemble(settings))
        return opened[-1]

    monkeypatch.setattr(ground, "AS_DEPLOYED", True)
    monkeypatch.setattr(ground, "assemble", assembled)
    monkeypatch.setenv("BENCH_ES_COPIES", "1")
    yield f"sqlite:///{tmp_path}/bench.sqlite"
    for services in opened:
        services.database.close()


@pytest.mark.parametrize(
    "words, expected",
    [
        ([], ["Fold of a game", "--fold-only", "SQLite: a move over HTTP", "with new pictures", "turns that begin"]),
        (["roundtrips"], ["| City Hall | 2 |"]),
        (["pages"], ["tammany-hall: game", "city-hall: draft"]),
        (["bots"], ["strength 2: a move at another table, p95"]),
        (["start"], ["service.app", "wardroom games list"]),
        (["memory"], ["all after the first move", "all at the end"]),
        (
            ["news"],
            [
                "memory of the process",
                "a move with pages at this very game",
                "until all at one game heard",
                "until all streams are held",
                "a move beside streams of the API",
                "until both streams of a player told",
            ],
        ),
    ],
)
def test_the_benchmarks_run_from_end_to_end(words: list[str], expected: list[str]) -> None:
    command = [sys.executable, "-m", "bench", "--smoke", *words]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert [line for line in expected if line not in done.stdout] == []


def test_very_many_games_are_built_measured_and_gone(postgres_server: PostgresServer) -> None:
    url = postgres_server.create()
    command = [sys.executable, "-m", "bench", "--smoke", "scale", "--url", url]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    expected = [
        "40 games",
        "a move, at random",
        "/api/me/turns",
        "job: deadlines",
        "load: ",
        "bytes a game in a backup",
    ]
    assert [line for line in expected if line not in done.stdout] == []
    with psycopg.connect(plain(url)) as connection:
        left = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'bench%'").fetchall()
    postgres_server.drop(url)
    assert left == []


def test_a_copied_game_is_a_sound_game_of_its_own(url: str) -> None:
    services = ground.migrated(url, "copies")
    copies = Copies(services, play_models(services, 60), 4)
    with services.database.write() as tx:
        ground.add_players(tx, copies.people)
        for _, tables in copies:
            for name, rows in tables:
                table = SQLModel.metadata.tables[name]
                names = [column.name for column in table.c]
                for row in rows:
                    tx.execute(sa.insert(table).values(dict(zip(names, row, strict=True))))
    with services.database.read() as connection:
        statuses = {}
        for game in (f"s{number:015}" for number in range(4)):
            head = services.streams.head(connection, game)
            services.streams.require_chain(connection, game, head.version, head.hash)
            folded = services.streams.table_at(connection, game, head.rules, head.version)
            assert copy(folded, head.rules) == copy(head.table, head.rules)
            assert checkpoints.kept(connection, game, head.version) is not None
            statuses[game[-1]] = head.table.status
    assert statuses == {"0": "open", "1": "running", "2": "abandoned", "3": "abandoned"}


def test_fold_decodes_and_folds_a_whole_game() -> None:
    events = [adapter.fold.decode(row) for row in adapter.fold.raw()]
    assert [type(event) for event in events] == [type(event) for event in adapter.fold.events()]
    assert adapter.fold.fold(adapter.fold.initial(), events) == whole_game().table(LAST).game


def test_store_writes_one_move_a_call(url: str) -> None:
    adapter.store(url, setup=2)
    move = adapter.store(url)
    assert move is not None
    services = ground.services(ground.beside(url, "bench_store"))
    versions = []
    for _ in range(2):
        move(2, ["-", "-", "-"])
        with services.database.read() as connection:
            versions.append(services.streams.head(connection, "game-2").version)
    assert versions[1] - versions[0] == 3


@pytest.mark.parametrize("row", [adapter.audit, adapter.audit_replay, adapter.audit_report])
def test_audit_verifies_every_event(url: str, row: type[adapter.audit]) -> None:
    services = row.prepare(url)
    assert row.verify(services) == LAST


@pytest.mark.parametrize("length", [50, 600])
def test_read_shows_a_position_however_long_the_log_is(url: str, length: int) -> None:
    services = adapter.read.prepare(url, length)
    assert adapter.read.read(services)["you"]["seat"] == 1


def test_es_plays_moves_and_replays_a_game(url: str) -> None:
    season = adapter.es.prepare(url)
    assert adapter.es.append(season) >= 2
    assert adapter.es.replay(season) == LAST


def test_deadlines_are_leased_once(url: str) -> None:
    leased = adapter.deadlines.prepare(url, 30)
    assert [adapter.deadlines.claim(leased, 20) for _ in range(2)] == [20, 10]


@pytest.fixture
def sink() -> Iterator[SmtpSink]:
    with SmtpSink() as sink:
        yield sink


def test_notify_sends_a_letter_for_each_game(url: str, sink: SmtpSink, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_NOTIFY_URL", url)
    host, _, port = sink.url.removeprefix("smtp://").partition(":")
    handle = adapter.notify.prepare(3, host, int(port))
    adapter.notify.drain(handle)
    assert len(sink.mails) == 3


@pytest.mark.parametrize(
    "unit, ratio, shown",
    [
        ("moves/s", 0.37, "-8%"),
        ("moves/s", 0.34, "-15%  WORSE"),
        ("moves/s", 0.60, "+50%"),
        ("ms", 0.43, "+7%"),
        ("ms", 0.46, "+15%  WORSE"),
        ("ms", 0.20, "-50%"),
    ],
)
def test_a_row_that_became_worse_by_more_than_a_tenth_is_marked(unit: str, ratio: float, shown: str) -> None:
    since = Comparison({"A move": {"ours": 0.40}})
    assert since.note("A move", "ours", ratio, unit) == shown
    assert since.worse == ["A move: ours"] * ("WORSE" in shown)


def test_rows_that_are_new_are_kept_beside_those_that_were_not_measured(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    since = Comparison({"A move": {"ours": 0.4, "theirs": 0.5}, "A letter": {"ours": 0.1}})
    assert since.note("A start", "ours", 1.25, "ms") == ""
    since.note("A move", "ours", 0.45, "moves/s")
    since.keep(file)
    assert read(file).kept == {
        "A move": {"ours": 0.45, "theirs": 0.5}, "A letter": {"ours": 0.1}, "A start": {"ours": 1.25},
    }  # fmt: skip
