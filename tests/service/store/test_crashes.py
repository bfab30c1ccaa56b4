"""All or nothing (T-07): what fails at any statement leaves no trace, a killed process no half move (F-01, F-39)."""

import os
import random
import signal
import time
from bisect import bisect
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import event as engine_event

from service.store.event_store.streams import games as games_table
from service.store.statements import Statement
from tests.acceptance.processes import until
from tests.forked import Forked
from tests.service.store.service_tables import check, snapshot
from tests.tables import Tables

ROOT = Path(__file__).parents[3]


class Failing:
    """Raises at statement number `at`, before or after it runs; the commit counts as one, before it is made."""

    def __init__(self, engine, at, when):
        self.engine, self.at, self.when, self.seen = engine, at, when, 0
        self.patch = pytest.MonkeyPatch()

    def tick(self):
        self.seen += 1
        if self.seen == self.at:
            raise Stop

    def around(self, what):
        def failing(*given, **named):
            if self.when == "before":
                self.tick()
            done = what(*given, **named)
            if self.when == "after":
                self.tick()
            return done

        return failing

    def commit(self, what):
        def failing(connection):
            self.tick()
            what(connection)

        return failing

    def core(self, *_):
        self.tick()

    def __enter__(self):
        self.patch.setattr(Statement, "__call__", self.around(Statement.__call__))
        self.patch.setattr(Statement, "each", self.around(Statement.each))
        self.patch.setattr(self.engine.dialect, "do_commit", self.commit(self.engine.dialect.do_commit))
        engine_event.listen(self.engine, f"{self.when}_cursor_execute", self.core)
        return self

    def __exit__(self, *_):
        self.patch.undo()
        engine_event.remove(self.engine, f"{self.when}_cursor_execute", self.core)


class Stop(Exception):
    """The power is gone."""


def commands(tables):
    """Something of everything that writes, by name, each on a table of its own."""
    open_table = tables.open("opal")
    tables.player("newcomer")
    near_end = tables.begin(options={"rounds": "1"})
    for name in ("ann", "bob"):
        tables.move(near_end, name, "hide 1")
    late = tables.begin(clock={"per_move": "P3D", "strikes": 1})
    return {
        "open": lambda: tables.open("ann", invite=["zoe@people.example"]),
        "sit": lambda: tables.sit(open_table, "newcomer"),
        "seal": lambda: tables.move(late, "ann", "hide 3"),
        "open the hands": lambda: tables.move(near_end, "cyd", "hide 2"),
        "end the game": lambda: tables.move(near_end, "cyd", "nod\ntake"),
        "expire": lambda: tables.expire(late, 1),
    }


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.slow
def test_t07_a_command_that_fails_at_any_statement_leaves_nothing_behind(tables, when):
    """The loop of SQLite's own tests (A-07): fail the first statement, the second, until nothing is left to fail."""
    services, points = tables.services, {}
    for name, command in commands(tables).items():
        before = snapshot(services)
        for at in range(1, 100):
            with Failing(services.database.engine, at, when) as failing:
                try:
                    command()
                except Stop:
                    pass
                else:
                    break
            assert snapshot(services) == before, f"{name} failed at its statement {at} and left something"
        points[name] = failing.seen
        assert snapshot(services) != before, f"{name} did something in the end"
    assert min(points.values()) >= 5, points
    for game in _games(services):
        check(services, game)


def _games(services):
    with services.database.read() as connection:
        return [row[0] for row in connection.execute(sa.select(games_table.c.id))]


class Mover:
    """A process that plays without end, once it is let go. What it says is in a file, also after it was killed."""

    def __init__(self, url: str, folder: Path, name: str) -> None:
        files = folder / name
        files.mkdir()
        os.mkfifo(files / "0")
        self.go = os.open(files / "0", os.O_RDWR)
        self.file = files / "1"
        words = [url, str(folder / "data"), name]
        self.process = Forked("tests.service.store.mover", words, os.environ, ROOT, files)

    def moves(self) -> list[list[str]]:
        """The words of the lines that it has said, whole ones."""
        said = self.file.read_text().split("\n")[:-1] if self.file.exists() else []
        return [line.split() for line in said if line != "ready"]

    def is_ready(self) -> bool:
        return self.file.exists() and "\n" in self.file.read_text()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(60)
        os.close(self.go)


def movers(url: str, folder: Path, *names: str) -> list[Mover]:
    """Processes that play, let go together when all are ready."""
    started = [Mover(url, folder, name) for name in names]
    for mover in started:
        until(mover.is_ready, "a process that plays")
    for mover in started:
        os.write(mover.go, b"go\n")
    return started


@pytest.mark.slow
def test_t07_f01_f39_kill_9_in_the_middle_of_moves_loses_and_halves_nothing(url, open_services, tmp_path):
    chance = random.Random(url[:6])
    acknowledged: dict[tuple[str, int], str] = {}
    services = open_services(url, durable=True)
    for round_ in range(2):
        playing = movers(url, tmp_path, f"r{round_}a", f"r{round_}b")
        few = chance.randrange(5, 20)
        until(lambda first=playing[0], few=few: len(first.moves()) >= few, "a move")
        time.sleep(chance.random() * 0.05)
        for mover in playing:
            mover.process.send_signal(signal.SIGKILL)
        for mover in playing:
            mover.kill()
            acknowledged |= {(game, int(version)): hash_ for game, version, hash_, *_ in mover.moves()}
    assert len(acknowledged) > 8, "there were moves to interrupt"
    found = _games(services)
    for game in found:
        check(services, game)
    with services.database.read() as connection:
        rows = connection.execute(sa.text("SELECT game_id, version, hash FROM events")).fetchall()
    kept = {(game, version): hash_ for game, version, hash_ in rows}
    assert acknowledged.items() <= kept.items(), "I-01: no acknowledged move is lost"
    if services.database.is_sqlite:
        with services.database.read() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    tables = Tables(services)
    game = tables.begin()
    tables.move(game, "ann", "hide 1")


@pytest.mark.slow
def test_f38_no_writer_of_many_processes_starves(migrated_sqlite, open_services, tmp_path):
    """T-22: with SQLite's own busy handler one of four gets almost everything.

    Counted are moves that others made while one waited, and no seconds: a busy machine makes all of them slower.
    """
    playing = movers(migrated_sqlite, tmp_path, *(f"m{number}" for number in range(4)))
    until(lambda: sum(len(mover.moves()) for mover in playing) >= 400, "moves of four processes")
    for mover in playing:
        mover.kill()
    made = [[(float(began), float(ended)) for *_, began, ended in mover.moves()] for mover in playing]
    passed = [max(passed_by(made, number), default=0) for number in range(4)]
    assert min(map(len, made)) > 20, "a fair share is a hundred"
    assert max(passed) < 130, "nobody waits while a third of everything is done"
    services = open_services(migrated_sqlite, durable=True)
    for game in _games(services)[:10]:
        check(services, game)


def passed_by(made: list[list[tuple[float, float]]], number: int) -> list[int]:
    """For each move of one process, how many the others made between its beginning and its end."""
    ends = sorted(ended for other, moves in enumerate(made) if other != number for _, ended in moves)
    return [bisect(ends, ended) - bisect(ends, began) for began, ended in made[number]]
