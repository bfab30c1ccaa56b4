"""`python -m lab.record --out FOLDER`: play seeded games, and keep all that the service says about them."""

import argparse
import gc
import shutil
import tempfile
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random

from lab.record.deeds import play
from lab.record.recipes import make_recipe
from lab.record.table import recorded_table
from service.store.database import Database
from service.store.structure import migrate
from tests import compiled

GAMES = 300
GAMES_A_PROCESS = 25


def record_game(template: Path, out: Path, seed: str, most: int | None, number: int) -> str:
    """Play one game and write its file. Returns a line that says what became of it."""
    began = time.monotonic()
    chance = Random(f"{seed} {number}")
    recipe = make_recipe(chance, number, most)
    with (
        tempfile.TemporaryDirectory(dir=template.parent) as folder,
        recorded_table(template, Path(folder), recipe, chance, f"{seed} {number}") as table,
    ):
        play(table)
        head = table.head()
        table.shelf.write(out / f"{number:03}.jsonl.xz")
    gc.collect()
    took = time.monotonic() - began
    return f"{number:03} {recipe.rules.kind} {head.table.status} at version {head.version}, {took:.1f} s"


def prepare() -> None:
    """Prepare a process of its own: SQL is compiled once, garbage is collected between games only."""
    compiled.share()
    gc.disable()


def main(words: list[str] | None = None) -> int:
    """Record games. Returns 0."""
    parser = argparse.ArgumentParser(prog="python -m lab.record", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="a folder that does not exist yet, or is empty")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="the number of the only game to record")
    parser.add_argument("--moves", type=int, help="end each game after so many steps")
    args = parser.parse_args(words)
    if args.out.exists() and any(args.out.iterdir()):
        parser.error(f"{args.out} is not empty")
    if args.only is not None and not 0 <= args.only < args.games:
        parser.error(f"--only takes a number from 0 to {args.games - 1}")
    args.out.mkdir(parents=True, exist_ok=True)
    numbers = range(args.games) if args.only is None else [args.only]
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="wardroom-record-", dir=memory if memory.is_dir() else None))
    try:
        template = folder / "template.sqlite"
        database = Database(f"sqlite:///{template}", durable=False)
        migrate.upgrade(database)
        database.close()
        work = partial(record_game, template, args.out, args.seed, args.moves)
        if args.jobs == 1:
            for number in numbers:
                print(work(number), flush=True)
        else:
            # A pool of concurrent.futures waits for ever on Python 3.11 once its processes are replaced.
            with get_context("spawn").Pool(args.jobs, prepare, maxtasksperchild=GAMES_A_PROCESS) as pool:
                for line in pool.imap_unordered(work, numbers):
                    print(line, flush=True)
    finally:
        shutil.rmtree(folder)
    return 0
