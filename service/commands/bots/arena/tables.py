"""The tables of an arena: each a match, played here or in processes of their own."""

import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final

import msgspec

from domain.engine.game import Seat
from domain.engine.ruleset import Ruleset
from domain.rulesets import ruleset
from domain.search.match import play
from domain.search.players import Choice, Player, named
from domain.search.standing import Pairing, Record

NICE: Final = 15
"""How far the processes stand back behind others of this machine."""


class Table(msgspec.Struct, frozen=True):
    """A table that is to be played: the same one gives the same match."""

    pairing: Pairing
    seed: str
    number: int
    code: str


class Failed(Exception):
    """A table that could not be played. The message says which, and why."""


def play_tables(tables: Sequence[Table], jobs: int) -> Iterator[Record]:
    """Play tables, and give each record as it is made. Raises Failed for a table that cannot be played.

    When the caller stops asking, matches that are under way end at once.
    """
    if jobs <= 1:
        yield from map(play_table, tables)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(tables)), context, _begin)
    try:
        for done in as_completed([pool.submit(play_table, table) for table in tables]):
            yield done.result()
    except BrokenProcessPool as broken:
        raise Failed(
            "A process of the arena died; was there too little memory? Run it again with fewer jobs."
        ) from broken
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        pool.shutdown(cancel_futures=True)


def play_table(table: Table) -> Record:
    """Play one match. Raises Failed where a player or the rules fail."""
    pairing, times = table.pairing, list[int]()
    seat = table.number % pairing.seats
    players = [named(pairing.b)] * pairing.seats
    players[seat] = _timed(named(pairing.a), times)
    try:
        played = play(ruleset(pairing.game), players, f"{table.seed}:{table.number}")
    except Exception as error:  # whatever a bot did: the other tables are kept
        where = f"Table {table.number} of {pairing.game}, {pairing.seats} seats, {pairing.a} against {pairing.b}"
        raise Failed(f"{where}, seed {table.seed}, failed: {type(error).__name__}: {error}") from error
    return Record(
        pairing, table.seed, table.number, table.code, played.winners, played.scores, played.moves, times, _memory()
    )


def _timed(player: Player, times: list[int]) -> Player:
    """The same player, whose decisions with more than one move are timed."""

    def choose(rules: Ruleset[Any, Any, Any], blind: Any, seat: Seat, seed: bytes) -> Choice:
        began = time.process_time_ns()
        choice = player(rules, blind, seat, seed)
        if choice.free:
            times.append((time.process_time_ns() - began) // 1000)
        return choice

    return choose


def _memory() -> int:
    """Most memory of this process so far, in KiB (macOS counts bytes)."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "darwin" else most


def _begin() -> None:
    """Stand back behind others, leave Ctrl-C to the parent, and end when it is gone, however it went."""
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
