"""Shadow replay: whether the installed code would have made every stored game, and still has every exported one.

Nothing is written. A game is read with all its leaves open; of one that runs, nothing of what they say is told.
"""

import lzma
import os
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any, Final

import msgspec

from config.settings import Settings
from domain.audit.bundle.archive import EVENTS, NoArchive, unpack
from domain.audit.fold_history import Folded, fold_history
from domain.audit.verify_history import audit
from domain.engine.canonical import canonical
from domain.history.codec import UnknownSchema
from domain.history.envelope import BrokenHistory, event_hash
from domain.rulesets import RULESETS
from domain.table.evolve import copy
from domain.table.state import Table
from service.container import Services, assemble
from service.integrity.replay_report import Fault, Replayed, faults_of
from service.store.database import Connection
from service.store.event_store import histories
from service.store.event_store.histories import StoredHead
from service.store.event_store.states import decode_state

ENDINGS: Final = (".ndjson", ".ndjson.xz", ".zip")
"""The endings of the names of exports."""
LARGEST: Final = 256 * 1024 * 1024
"""Bytes of one export, unpacked."""
FEW: Final = 8
"""Games that are not worth the start of another process."""


@dataclass(frozen=True, slots=True)
class Task:
    """A stored game to replay (`game`), or an export to compare (`file`); `fold_only` decides and hashes nothing."""

    game: str = ""
    file: Path | None = None
    fold_only: bool = False


def stored_games(connection: Connection) -> list[str]:
    """The ids of all games, the oldest first."""
    return histories.game_ids(connection)


def exports_in(folder: Path) -> list[Path]:
    """The exports in a folder and below it, or the one that is named."""
    if folder.is_file():
        return [folder]
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name.endswith(ENDINGS))


def replay(settings: Settings, tasks: Sequence[Task], jobs: int) -> Iterator[Replayed]:
    """Do the tasks, each as it is done; in processes of their own where there are many, each with its connection."""
    if jobs <= 1 or len(tasks) <= FEW:
        services = assemble(settings)
        try:
            for task in tasks:
                yield do(services, task)
        finally:
            services.database.close()
        return
    left, died, at_work = list(tasks), [], 2 * jobs + 1  # and those handed out already
    while left:
        left = yield from _in_processes(settings, left, jobs)
        suspects, left = left[:at_work], left[at_work:]
        alone = []
        for task in suspects:
            alone += yield from _in_processes(settings, [task], 1)
        died += alone
        if alone == suspects:  # it is not the games
            died, left = died + left, []
    for task in died:
        fault = Fault("replay", "The process that replayed it died: replay it alone, with more memory.")
        yield Replayed(task.game, source=str(task.file or ""), faults=(fault,))


def _in_processes(settings: Settings, tasks: Sequence[Task], jobs: int) -> Generator[Replayed, None, list[Task]]:
    """Do the tasks. Those that were not done, in their order, for a process died: one of the first of them did it."""
    with ProcessPoolExecutor(min(jobs, len(tasks)), get_context("spawn"), _open, (settings,)) as pool:
        waiting: dict[Future[Replayed], Task] = {}
        undone: list[Task] = []
        for place, task in enumerate(tasks):
            try:
                waiting[pool.submit(_do, task)] = task
            except BrokenProcessPool:
                undone = list(tasks[place:])
                break
        failed = set()
        for done in as_completed(waiting):
            try:
                yield done.result()
            except BrokenProcessPool:
                failed.add(done)
        return [task for future, task in waiting.items() if future in failed] + undone


_services: Services | None = None


def _open(settings: Settings) -> None:
    global _services
    _services = assemble(settings)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the one that gives it work is gone, however it went: the queues tell nothing of it."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _do(task: Task) -> Replayed:
    assert _services is not None
    return do(_services, task)


def do(services: Services, task: Task) -> Replayed:
    """Replay one game, or compare one export. Never raises for what a game or a file holds."""
    name = str(task.file or "")
    try:
        with services.database.read() as connection:
            if task.file is not None:
                return (_fold_export if task.fold_only else _compare_export)(connection, task.file)
            return (_fold_game if task.fold_only else _replay_game)(services, connection, task.game)
    except OSError as error:
        return Replayed(task.game, source=name, faults=(Fault("file", f"It cannot be read: {error.strerror}."),))
    except Exception as error:  # a corrupt game is one line, not the end
        fault = Fault("reading", f"It cannot be read ({type(error).__name__}).")
        return Replayed(task.game, source=name, faults=(fault,))


# -- a stored game


def _replay_game(services: Services, connection: Connection, game: str) -> Replayed:
    head = histories.head(connection, game)
    if head is None:
        return Replayed(game, faults=(Fault("stored", "There is no such game."),))
    lines, faults = _lines(services, connection, head)
    report = audit(lines)
    faults += faults_of(report, telling=report.is_over)
    if report.game not in ("", game):
        faults.append(Fault("chain", "Its events belong to another game.", 1))
    if not faults and report.table is not None and head.state and head.ruleset in RULESETS:
        faults += _state(services, head, report.table)
    return Replayed(game, head.ruleset, head.version, faults=tuple(faults))


def _fold_game(services: Services, connection: Connection, game: str) -> Replayed:
    """Whether the events of a stored game fold to the state beside its head."""
    head = histories.head(connection, game)
    if head is None:
        return Replayed(game, faults=(Fault("stored", "There is no such game."),))
    lines, faults = _lines(services, connection, head)
    found = _folded(lines, faults)
    if found is not None and head.state:
        faults += _state(services, head, found.table)
    return Replayed(game, head.ruleset, head.version, faults=tuple(faults))


def _folded(lines: Sequence[bytes], faults: list[Fault]) -> Folded | None:
    """A history folded; None, and a fault, where the installed code cannot."""
    try:
        return fold_history(lines)
    except UnknownSchema as unknown:
        faults.append(Fault("rules", f"{unknown}", unknown.version))
    except BrokenHistory as broken:
        faults.append(Fault("fold", f"{broken}.", broken.version))
    return None


def _lines(services: Services, connection: Connection, head: StoredHead) -> tuple[list[bytes], list[Fault]]:
    """The history up to the head as an export with every leaf open, and which leaves cannot be."""
    faults: list[Fault] = []
    opened: dict[tuple[int, int], Mapping[str, Any]] = {}
    for leaf in histories.leaves(connection, head.id, head.version):
        place = (leaf.version, leaf.number)
        try:
            opened[place] = services.streams.open_leaf(head.id, *place, leaf.sealed)
        except Exception as error:  # whatever lies there instead
            faults.append(Fault("leaves", f"A leaf cannot be opened ({type(error).__name__}).", leaf.version))
    lines = []
    for row in histories.events(connection, head.id, head.version):
        event = msgspec.json.decode(row.body)
        event["sealed"] = [leaf | opened.get((row.version, place), {}) for place, leaf in enumerate(event["sealed"])]
        lines.append(canonical({**event, "hash": row.hash}))
    return [*lines, canonical({"end": {"version": head.version, "hash": head.hash}})], faults


def _state(services: Services, head: StoredHead, table: Table) -> list[Fault]:
    """Whether the state beside the head is what the events fold to."""
    rules = RULESETS[head.ruleset]
    try:
        kept = copy(decode_state(rules, services.sealer.open(head.id, f"{head.id}|state", head.state)), rules)
    except Exception as error:  # whatever lies there instead
        return [Fault("state", f"The state beside the head cannot be read ({type(error).__name__}).", head.version)]
    if kept == copy(table, rules):
        return []
    return [Fault("state", "The state beside the head is not what the events fold to.", head.version)]


# -- an export


def _compare_export(connection: Connection, file: Path) -> Replayed:
    """An export, audited by itself; then event by event with the game in the database, if it is there."""
    lines = _read(file)
    report = audit(lines)
    faults = faults_of(report, telling=True)
    if not report.game:
        return Replayed("", source=str(file), stored=False, faults=tuple(faults))
    here = {event.version: event_hash(event.body.encode()) for event in histories.events(connection, report.game)}
    stored = bool(here) or histories.head(connection, report.game) is not None
    if stored:
        faults += _departs(lines, here)
    return Replayed(report.game, report.ruleset, report.events, str(file), stored, tuple(faults))


def _fold_export(connection: Connection, file: Path) -> Replayed:
    """An export, folded; then the hashes it tells of with those in the database, if the game is there."""
    faults: list[Fault] = []
    found = _folded(_read(file), faults)
    if found is None:
        return Replayed("", source=str(file), stored=False, faults=tuple(faults))
    here = {event.version: event.hash for event in histories.events(connection, found.game)}
    stored = bool(here) or histories.head(connection, found.game) is not None
    other = (version for version, told in enumerate(found.hashes, 1) if here.get(version) != told)
    if stored and (version := next(other, None)) is not None:
        sentence = (
            "The database has another event here." if version in here else "The database does not have this event."
        )
        faults.append(Fault("export", sentence, version))
    return Replayed(found.game, found.ruleset, len(found.hashes), str(file), stored, tuple(faults))


def _departs(lines: Sequence[bytes], here: Mapping[int, str]) -> Iterator[Fault]:
    """The first event of an export that the database has not, or has otherwise."""
    for version, line in enumerate(lines[:-1], 1):
        event = msgspec.json.decode(line)
        if version not in here:
            yield Fault("export", "The database does not have this event.", version, type=event["type"])
            return
        if here[version] != event["hash"]:
            yield Fault("export", "The database has another event here.", version, type=event["type"])
            return


def _read(file: Path) -> list[bytes]:
    """The lines of an export. Raises ValueError for what cannot hold one."""
    if file.name.endswith(".zip"):
        try:
            content = unpack(file.read_bytes())[EVENTS]
        except NoArchive as none:
            raise ValueError("this is no audit bundle") from none
    elif file.name.endswith(".xz"):
        with lzma.open(file) as packed:
            content = packed.read(LARGEST + 1)
    else:
        content = file.read_bytes()
    if len(content) > LARGEST:
        raise ValueError("this is larger than any game")
    return content.splitlines()
