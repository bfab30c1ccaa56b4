"""The benchmarks run: `dev.py bench` once over, and every adapter that the shared scripts are given, on little."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench import adapter, ground
from bench.games import LAST, whole_game
from config.settings import Settings
from service.container import Services, assemble
from tests.acceptance.processes import ROOT, environment
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
        ([], ["Fold of a game", "--fold-only", "SQLite: a move over HTTP", "seconds"]),
        (["roundtrips"], ["| City Hall | 2 |"]),
        (["pages"], ["tammany-hall: game", "city-hall: draft"]),
        (["bots"], ["strength 2: a move at another table, p95"]),
    ],
)
def test_the_benchmarks_run_from_end_to_end(words: list[str], expected: list[str]) -> None:
    command = [sys.executable, "-m", "bench", "--smoke", *words]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert [line for line in expected if line not in done.stdout] == []


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
    services = adapter.deadlines.prepare(url, 30)
    assert [adapter.deadlines.claim(services, 20) for _ in range(2)] == [20, 10]


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
