"""`python -m tests.simulation`: simulate, check, tell. Ends with 1 where anything was wrong."""

import argparse
import json
import os
import pickle
import shutil
import sys
import time
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any, Final

from tests.simulation import mishaps, seeded
from tests.simulation.checker import Checker
from tests.simulation.company import Company
from tests.simulation.conductor import Conductor
from tests.simulation.eyes import Eyes
from tests.simulation.found import Found
from tests.simulation.games import Letters
from tests.simulation.habits import CLUSTER, DAY, DECISIONS, Diary
from tests.simulation.report import summary, table
from tests.simulation.scene import Scene, people_of, rough, scene
from tests.simulation.told import Told

START: Final = "2031-03-06T00:00:00+00:00"
"""In the month to come New York, Paris, Santiago, Lord Howe and Auckland change their clocks."""
PLAYERS: Final = 2


def simulate(made: Scene, args: argparse.Namespace) -> Told:
    """One run."""
    company = Company(PLAYERS, args.workers, made.plays, made.works, made.folder)
    eyes = Eyes(made.url)
    eyes.tell_time(made.moment)
    began, start = time.monotonic(), made.moment.record
    games = args.deadlines / DECISIONS / (args.days * DAY / CLUSTER)
    diary = Diary(Told(), seed=made.seed, people=people_of(args), games=games, rough=rough(args.bug))

    def progress(deadlines: int) -> None:
        if not args.quiet:
            day, wall = (made.moment.record - start) / DAY, time.monotonic() - began
            print(f"  {deadlines:>7} deadlines, day {day:5.1f}, {wall:5.0f} s", flush=True)

    try:
        mishaps.run(Conductor(company, eyes, made.moment, diary, made.seed), args.deadlines, progress)
    finally:
        company.end()
        eyes.close()
    return diary.told


def check(made: Scene, told: Told, start: int) -> Found:
    """Every game that was opened, by as many processes as there are processors."""
    letters, found = Letters(made.folder / "sink.ndjson"), Found()
    span = (start, made.moment.record + DAY)
    games = sorted(told.openings)
    parts = [games[first::16] for first in range(16)]

    def part(number: int, pipe: Pipe) -> None:
        services = made.mine()
        while (one := pipe.recv()) is not None:
            checker = Checker(services, told, letters, span)
            for game in parts[one]:
                try:
                    checker.check(game)
                except Exception as error:
                    checker.found.add(f"cannot be checked: {type(error).__name__}", f"{game}: {error}")
                    raise
            pipe.send(checker.found)
        os._exit(0)

    company = Company(0, os.cpu_count() or 1, part, part, made.folder)
    waiting = list(range(len(parts)))
    while waiting:
        busy = [hand.tell(waiting.pop()) for hand in company.workers[: len(waiting)]]
        for hand in busy:
            found.merge(hand.hear())
    company.end()
    for what, count in told.faults.items():
        if what.startswith("failed"):
            found.wrong[what] += count
    found.counts.update({f"worker {what}": count for what, count in letters.faults.items()})
    return found


def one_run(args: argparse.Namespace) -> dict[str, Any]:
    """Simulate and check. The numbers."""
    began = time.monotonic()
    with scene(args) as made:
        start = made.moment.record
        told = simulate(made, args)
        simulated = time.monotonic() - began
        found = check(made, told, start)
        if args.keep:
            shutil.copytree(made.folder, args.keep, dirs_exist_ok=True)
            Path(args.keep, "told.pickle").write_bytes(pickle.dumps((told, start)))
        return summary(told, found, made.folder, start, simulated, time.monotonic() - began)


def calibrate(args: argparse.Namespace) -> bool:
    """Plant every bug in turn. Whether each was found."""
    all_found = True
    for name, bug in seeded.BUGS.items():
        try:
            result = one_run(argparse.Namespace(**{**vars(args), "bug": name}))
        except SystemExit as ended:
            print(f"{name:<24} NOT RUN: {ended}", flush=True)
            all_found = False
            continue
        is_found = bug.found in result["wrong"]
        all_found = all_found and is_found
        print(f"{name:<24} {'found' if is_found else 'NOT FOUND'}: {json.dumps(result['wrong'])}", flush=True)
    return all_found


def main(words: list[str] | None = None) -> None:
    """Simulate, check and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--deadlines", type=int, default=10_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--days", type=float, default=33.0, help="simulated days over which the games are opened")
    parser.add_argument("--start", default=START, help="when the simulation begins")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--bug", choices=("", *seeded.BUGS), default="", help="plant a bug that has to be found")
    parser.add_argument("--calibrate", action="store_true", help="plant every bug in turn")
    parser.add_argument("--quiet", action="store_true", help="one line of JSON and nothing else")
    parser.add_argument("--keep", help="a folder to keep logs, letters and database in")
    args = parser.parse_args(words)
    if args.calibrate:
        args.quiet = True
        sys.exit(not calibrate(args))
    result = one_run(args)
    print(json.dumps(result) if args.quiet else table(result), flush=True)
    sys.exit(bool(result["wrong"]))
