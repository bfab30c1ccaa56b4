"""All or nothing (T-07): what fails at any statement leaves no trace, a killed process no half move (F-01, F-39)."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import event as engine_event

from service.store.database import Statement
from service.store.streams import games as games_table
from tests.service.store.service_tables import ServiceTables, check, snapshot

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


def movers(url, folder, *names):
    """Processes that play without end, let go together when all are ready."""
    script = Path(__file__).with_name("mover.py")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    started = [
        subprocess.Popen(
            [sys.executable, script, url, folder, name], stdin=pipe, stdout=pipe, text=True, cwd=ROOT, env=environment
        )
        for name in names
    ]
    for process in started:
        assert process.stdout.readline() == "ready\n"
    for process in started:
        process.stdin.write("go\n")
        process.stdin.flush()
    return started


@pytest.mark.slow
def test_t07_f01_f39_kill_9_in_the_middle_of_moves_loses_and_halves_nothing(url, open_services, tmp_path):
    chance = random.Random(url[:6])
    acknowledged: dict[tuple[str, int], str] = {}
    services = open_services(url, durable=True)
    for round_ in range(2):
        playing = movers(url, str(tmp_path / "data"), f"r{round_}a", f"r{round_}b")
        said = [playing[0].stdout.readline() for _ in range(chance.randrange(5, 20))]
        time.sleep(chance.random() * 0.05)
        for process in playing:
            os.kill(process.pid, signal.SIGKILL)
        for process in playing:
            with process:
                said += process.stdout.readlines()
        for line in said:
            if len(words := line.split()) == 4:
                acknowledged[words[0], int(words[1])] = words[2]
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
    tables = ServiceTables(services)
    game = tables.begin()
    tables.move(game, "ann", "hide 1")


@pytest.mark.slow
def test_f38_no_writer_of_many_processes_starves(migrated_sqlite, open_services, tmp_path):
    """T-22: with SQLite's own busy handler one of four gets almost everything and others wait for seconds.

    Where something else needs the processors the four may be served unevenly now and then, but not each time.
    """
    tries = (shares_and_waits(migrated_sqlite, tmp_path, attempt) for attempt in range(8))
    assert any(min(shares) > max(shares) / 2.5 and longest < 1.0 for shares, longest in tries)
    services = open_services(migrated_sqlite, durable=True)
    for game in _games(services)[:10]:
        check(services, game)


def shares_and_waits(url: str, folder: Path, attempt: int) -> tuple[list[int], float]:
    """How many moves each of four processes made in the same time, and the longest time that one of them waited."""
    playing = movers(url, str(folder / "data"), *(f"m{attempt}-{number}" for number in range(4)))
    time.sleep(1.5)
    for process in playing:
        process.send_signal(signal.SIGTERM)
    outputs = [process.communicate(timeout=60)[0].splitlines() for process in playing]
    lines = [[line.split() for line in output if len(line.split()) == 4] for output in outputs]
    shares = [len(one) for one in lines]
    waits = [max(float(words[3]) for words in one) for one in lines]
    return shares, max(waits)
