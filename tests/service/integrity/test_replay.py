"""Shadow replay: every stored game is decided again, and what was exported once is still there (issue 6, point 5)."""

import json
import lzma
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from domain.engine.canonical import canonical
from domain.engine.game import NOBODY
from domain.history.codec import UnknownSchema
from domain.history.envelope import Leaf, event_hash
from service.cli import main
from service.container import Services
from service.games import history_queries
from service.integrity.replay import Replayed, Task, do, exports_in, replay, stored_games
from service.integrity.replay_report import Summary
from service.store.event_store.streams import events, games, leaves
from tests.acceptance.processes import environment
from tests.domain.table.old_pennies import in_schema_1, played
from tests.manual_clock import ManualClock
from tests.service.integrity.test_audit import owner_runs
from tests.service.store.service_tables import services
from tests.tables import Tables

once = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
"""No statement of it has a dialect, a lock or a constraint of its own: PostgreSQL need not repeat it."""

pytestmark = pytest.mark.slow  # seconds together

__all__ = ["services"]
NO_SETTINGS: Any = None
GAMES = Path(__file__).parents[2] / "archive" / "games"


@pytest.fixture
def tables(url: str, open_services: Callable[..., Services]) -> Tables:
    """Tables at which a deadline passes when its time is over: a replay looks at the times, too."""
    clock = ManualClock()
    made = Tables(open_services(url, clock=clock), clock)
    made.waits = True
    return made


def begun(tables: Tables, moves: int = 9, seed: int = 3) -> str:
    """A game under way, in which hands are hidden."""
    game = tables.begin()
    tables.play_out(game, seed, late=0, most=moves)
    return game


def finished(tables: Tables) -> str:
    game = tables.begin()
    tables.play_out(game, 1)
    assert tables.head(game).table.status == "finished"
    return game


def faults(tables: Tables, game: str) -> list[tuple[str, int | None, str]]:
    """What a replay finds: the check, the event, the rule."""
    return [(one.check, one.version, one.rule) for one in do(tables.services, Task(game)).faults]


def rewritten(tables: Tables, game: str, version: int, **data: Any) -> None:
    """The keeper of the database tells an event otherwise, and hashes all that follows anew."""
    with tables.services.database.read() as connection:
        rows = sa.select(events.c.version, events.c.body).where(events.c.game_id == game).order_by(events.c.version)
        bodies = {number: json.loads(body) for number, body in connection.execute(rows)}
    fields = {name: data.pop(name) for name in ("type", "schema") if name in data}
    bodies[version] |= fields
    bodies[version]["data"] |= data
    previous = bodies[version]["previous"]
    for number in range(version, len(bodies) + 1):
        body = canonical(bodies[number] | {"previous": previous})
        previous = event_hash(body)
        owner_runs(
            tables,
            "UPDATE events SET body = :body, hash = :hash, type = :type WHERE game_id = :game AND version = :version",
            body=body.decode(), hash=previous, game=game, version=number, type=bodies[number]["type"],
        )  # fmt: skip
    owner_runs(tables, "UPDATE games SET hash = :hash WHERE id = :game", hash=previous, game=game)


def of_type(tables: Tables, game: str, name: str) -> int:
    with tables.services.database.read() as connection:
        found = sa.select(sa.func.min(events.c.version)).where(events.c.game_id == game, events.c.type == name)
        return int(connection.execute(found).scalar_one())


def exported(tables: Tables, game: str, folder: Path, name: str = "") -> Path:
    """An export as a spectator gets it now."""
    with tables.services.database.read() as connection:
        head = tables.services.streams.head(connection, game)
        content = b"".join(history_queries.export(tables.services, connection, head, None))
    folder.mkdir(exist_ok=True)
    path = folder / (name or f"{game}.ndjson")
    path.write_bytes(lzma.compress(content) if name.endswith(".xz") else content)
    return path


def compared(tables: Tables, path: Path) -> Replayed:
    return do(tables.services, Task(file=path))


# Stored games


def test_every_game_of_a_sound_house_is_what_the_rules_make(tables: Tables) -> None:
    told = [begun(tables), finished(tables), tables.open()]
    with tables.services.database.read() as connection:
        assert sorted(stored_games(connection)) == sorted(told)
    for game in told:
        done = do(tables.services, Task(game))
        assert done.faults == ()
        assert done.events == tables.head(game).version
        assert done.ruleset == "pennies"


@once
def test_s41_an_illegal_event_hashed_well_is_named_with_its_rule(tables: Tables) -> None:
    game = finished(tables)
    taken = of_type(tables, game, "pennies.pot-taken")
    rewritten(tables, game, taken, pennies=9)
    found = do(tables.services, Task(game)).faults
    assert next((one.check, one.version, one.type) for one in found) == ("rules", taken, "pennies.pot-taken")
    assert "“pennies” is " in found[0].sentence


@once
def test_a_changed_draw_is_named_as_one(tables: Tables) -> None:
    game = finished(tables)
    drawn = of_type(tables, game, "pennies.pot-drawn")
    with tables.services.database.read() as connection:
        row = sa.select(events.c.body).where(events.c.game_id == game, events.c.version == drawn)
        was = json.loads(connection.execute(row).scalar_one())["data"]["result"]
    rewritten(tables, game, drawn, result=(was + 1) % 6)
    assert ("draws", drawn) in [one[:2] for one in faults(tables, game)]


@once
def test_s09_nothing_that_is_sealed_is_told_of_a_running_game(tables: Tables) -> None:
    game = begun(tables)
    hidden = of_type(tables, game, "pennies.pot-drawn")
    rewritten(tables, game, hidden, result=17)
    for fault in do(tables.services, Task(game)).faults:
        assert "when the game is over" in fault.sentence


@once
def test_a_state_that_is_not_what_the_events_fold_to_is_named(tables: Tables) -> None:
    game, other = begun(tables, 3), begun(tables, 5, seed=4)
    owner_runs(tables, "UPDATE games SET state = :state WHERE id = :game", state=b"nothing", game=other)
    assert faults(tables, other) == [("state", tables.head(other).version, "")]
    table = tables.head(game).table
    table.public = not table.public
    sealed = tables.services.streams._seal_state(game, table)
    owner_runs(tables, "UPDATE games SET state = :state WHERE id = :game", state=sealed, game=game)
    assert [one[0] for one in faults(tables, game)] == ["state"]


@once
def test_a_leaf_that_cannot_be_opened_is_named(tables: Tables) -> None:
    game = finished(tables)
    hidden = of_type(tables, game, "pennies.penny-hidden")
    owner_runs(tables, "UPDATE leaves SET sealed = :it WHERE game_id = :game AND version = :version",
               it=b"x" * 300, game=game, version=hidden)  # fmt: skip
    assert ("leaves", hidden, "") in faults(tables, game)


def test_a_corrupt_game_is_one_line_and_not_the_end(tables: Tables) -> None:
    sound, corrupt = begun(tables), begun(tables, 4, seed=5)
    owner_runs(tables, "UPDATE events SET body = 'nonsense' WHERE game_id = :game AND version = 2", game=corrupt)
    with tables.services.database.read() as connection:
        tasks = [Task(game) for game in stored_games(connection)]
    done = {one.game: one for one in (do(tables.services, task) for task in tasks)}
    assert done[sound].faults == ()
    (fault,) = done[corrupt].faults
    assert fault.check == "reading"


@once
def test_an_event_of_a_later_wardroom_is_told_of_wherever_it_is_met(tables: Tables) -> None:
    game = begun(tables)
    version = of_type(tables, game, "pennies.pot-drawn")
    rewritten(tables, game, version, schema=2)
    (fault,) = do(tables.services, Task(game)).faults
    assert fault.sentence == (
        f"event {version}: it is a pennies.pot-drawn of schema 2, and this Wardroom reads up to 1: install a newer one."
    )
    with (
        tables.services.database.read() as connection,
        pytest.raises(UnknownSchema, match=f"Event {version} is a pennies"),
    ):
        tables.services.streams.table_at(connection, game, tables.head(game).rules, tables.head(game).version)


# Exports taken before


@once
def test_what_was_exported_is_there_still_when_the_game_has_gone_on(tables: Tables, tmp_path: Path) -> None:
    game = begun(tables, 4)
    plain, packed = exported(tables, game, tmp_path), exported(tables, game, tmp_path, "again.ndjson.xz")
    tables.play_out(game, 8)
    for path in (plain, packed, exported(tables, game, tmp_path, "later.ndjson")):
        done = compared(tables, path)
        assert (done.faults, done.stored, done.game) == ((), True, game)
    assert len(exports_in(tmp_path)) == 3


@once
def test_a_rewritten_history_is_named_at_its_first_event_that_is_another(tables: Tables, tmp_path: Path) -> None:
    game = finished(tables)
    path = exported(tables, game, tmp_path)
    rewritten(tables, game, 3, nonce="n" * 20)
    (fault,) = compared(tables, path).faults
    assert (fault.check, fault.version, fault.type) == ("export", 3, "table.seat-taken")
    assert "another event" in fault.sentence


@once
def test_a_history_that_was_cut_short_is_named_at_its_first_missing_event(tables: Tables, tmp_path: Path) -> None:
    game = finished(tables)
    path, version = exported(tables, game, tmp_path), tables.head(game).version
    owner_runs(tables, "DELETE FROM events WHERE game_id = :game AND version > :last", game=game, last=version - 3)
    (fault,) = compared(tables, path).faults
    assert (fault.check, fault.version) == ("export", version - 2)


def test_a_missing_game_is_a_fault_unless_the_database_is_empty(tables: Tables, tmp_path: Path) -> None:
    game = finished(tables)
    path = exported(tables, game, tmp_path)
    for table in ("events", "leaves", "games"):
        column = "id" if table == "games" else "game_id"
        owner_runs(tables, f"DELETE FROM {table} WHERE {column} = :game", game=game)
    done = compared(tables, path)
    assert (done.stored, done.faults, done.ruleset) == (False, (), "pennies")
    for may_miss in (True, False):
        summary = Summary()
        summary.add(done, may_miss=may_miss)
        assert summary.ok == may_miss
        assert summary.missing == 1


@once
def test_a_spoiled_export_is_one_line(tables: Tables, tmp_path: Path) -> None:
    path = exported(tables, finished(tables), tmp_path)
    path.write_bytes(path.read_bytes().replace(b'"seat":1', b'"seat":2', 1))
    assert compared(tables, path).faults
    for name, content in {"a.ndjson": b"", "b.ndjson.xz": b"no", "c.zip": b"PK", "d.ndjson": b"\xff\x00\n"}.items():
        (tmp_path / name).write_bytes(content)
        assert compared(tables, tmp_path / name).faults, name


# What is told


@once
def test_faults_are_grouped_by_ruleset_and_rule_with_the_first_of_each(tables: Tables) -> None:
    told = [finished(tables), finished(tables)]
    for game in told:
        rewritten(tables, game, of_type(tables, game, "pennies.pot-taken"), pennies=9)
    summary = Summary()
    for game in (*told, begun(tables, 2)):
        summary.add(do(tables.services, Task(game)))
    groups = summary.document()["rulesets"]["pennies"]["differences"]
    taken = next(group for group in groups if group["type"] == "pennies.pot-taken")
    assert taken["games"] == sorted(told)
    assert taken["count"] >= 2
    assert taken["example"].startswith(f"{told[0]}, event ")
    assert summary.document()["rulesets"]["pennies"]["games"] == 3
    assert any("pennies.pot-taken" in line and "in 2 games" in line for line in summary.lines())


def runs(database: str, folder: Path, *words: str) -> Result:
    names = {"DATABASE_URL": database, "SECRET_KEY": "replay " * 8, "DATA_DIR": str(folder)}
    variables = {f"WARDROOM_{name}": value for name, value in names.items()}
    return CliRunner().invoke(main, ["replay", *words], env=variables)


@pytest.fixture
def kept_exports(tmp_path: Path) -> Path:
    """A folder with three games of the archive, one of them compressed."""
    folder = tmp_path / "exports"
    folder.mkdir()
    for name in ("city-hall-deserted-2", "tammany-hall-deserted-3"):
        (folder / f"{name}.ndjson").write_bytes(lzma.decompress((GAMES / f"{name}.ndjson.xz").read_bytes()))
    shutil.copy(GAMES / "city-hall-deserted-3.ndjson.xz", folder)
    return folder


def test_the_command_replays_exports_on_an_empty_database(
    migrated_sqlite: str, tmp_path: Path, kept_exports: Path
) -> None:
    done = runs(migrated_sqlite, tmp_path, "--against", str(kept_exports), "--jobs", "1")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == [
        "verified  city-hall: 2 histories, 70 events.",
        "verified  tammany-hall: 1 histories, 47 events.",
    ]
    assert "3 exports are of games that this database does not have." in done.stderr
    told = json.loads(runs(migrated_sqlite, tmp_path, "--against", str(kept_exports), "--json").stdout)
    assert (told["ok"], told["exports"], told["missing"]) == (True, 3, 3)
    assert {kind: one["games"] for kind, one in told["rulesets"].items()} == {"city-hall": 2, "tammany-hall": 1}


def test_the_command_exits_with_1_where_something_differs(
    migrated_sqlite: str, tmp_path: Path, kept_exports: Path
) -> None:
    spoiled = kept_exports / "city-hall-deserted-2.ndjson"
    spoiled.write_bytes(spoiled.read_bytes().replace(b'"seat":1', b'"seat":2', 1))
    done = runs(migrated_sqlite, tmp_path, "--against", str(kept_exports))
    assert done.exit_code == 1, done.output
    assert "differs" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((), os.EX_USAGE, "Name games"),
        (("nosuchgame",), os.EX_NOINPUT, "There is no game nosuchgame"),
        (("--against", "."), os.EX_NOINPUT, "There is no export"),
    ],
)
def test_the_command_says_what_to_give_it(
    migrated_sqlite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = runs(migrated_sqlite, tmp_path, *words)
    assert done.exit_code == code
    assert says in done.output


@pytest.mark.slow
def test_many_are_replayed_in_processes_of_their_own(open_services: Any, migrated_sqlite: str) -> None:
    small = sorted(GAMES.glob("*.xz"), key=lambda path: path.stat().st_size)[:10]
    done = list(replay(open_services(migrated_sqlite).settings, [Task(file=path) for path in small], 2))
    assert sorted(one.source for one in done) == sorted(map(str, small))
    assert all(one.faults == () for one in done)


def folded(tables: Tables, path: Path) -> Replayed:
    """An export, only folded, beside the database."""
    return do(tables.services, Task(file=path, fold_only=True))


@once
def test_what_is_only_folded_is_read_and_compared_by_the_hashes_it_tells(tables: Tables, tmp_path: Path) -> None:
    game, running = finished(tables), begun(tables, 4)
    for path in (exported(tables, game, tmp_path), exported(tables, running, tmp_path, "later.ndjson")):
        done = folded(tables, path)
        assert (done.faults, done.stored, done.ruleset) == ((), True, "pennies")
    for stored in (game, running):
        assert do(tables.services, Task(stored, fold_only=True)).faults == ()
    path = exported(tables, game, tmp_path)
    rewritten(tables, game, 3, nonce="n" * 20)
    (fault,) = folded(tables, path).faults
    assert (fault.check, fault.version) == ("export", 3)
    version = tables.head(running).version
    owner_runs(tables, "DELETE FROM events WHERE game_id = :game AND version > :last", game=running, last=version - 2)
    (fault,) = folded(tables, tmp_path / "later.ndjson").faults
    assert (fault.check, fault.version) == ("export", version - 1)
    assert "does not have" in fault.sentence


@once
def test_a_state_that_events_do_not_fold_to_is_found_by_folding_alone(tables: Tables) -> None:
    game, other = begun(tables, 4), begun(tables, 7)
    with tables.services.database.read() as connection:
        table = tables.services.streams.head(connection, other).table
    state = tables.services.streams._seal_state(game, table)
    owner_runs(tables, "UPDATE games SET state = :state WHERE id = :game", state=state, game=game)
    (fault,) = do(tables.services, Task(game, fold_only=True)).faults
    assert fault.check == "state"


CUT: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "no end": lambda lines: lines[:-1],
    "no event in the midst": lambda lines: [*lines[:4], *lines[5:]],
    "an event of another game": lambda lines: [*lines[:4], lines[4].replace(b'"game":"', b'"game":"x'), *lines[5:]],
    "an event that nobody knows": lambda lines: [*lines[:4], lines[4].replace(b'"type":"', b'"type":"x'), *lines[5:]],
    "no JSON": lambda lines: [*lines[:4], b"{", *lines[5:]],
    "nothing": lambda lines: [],
}


@once
@pytest.mark.parametrize("cut", CUT.values(), ids=CUT)
def test_what_cannot_be_folded_is_one_line(tables: Tables, tmp_path: Path, cut: Callable[..., list[bytes]]) -> None:
    path = exported(tables, finished(tables), tmp_path)
    path.write_bytes(b"".join(line + b"\n" for line in cut(path.read_bytes().splitlines())))
    (fault,) = folded(tables, path).faults
    assert fault.check in ("fold", "rules")


KILLED = """
import sys
from pathlib import Path
from config.settings import load
from service.integrity.replay import Task, replay

if __name__ == "__main__":
    files = sorted(Path(sys.argv[1]).glob("*.xz"))
    for number, done in enumerate(replay(load(), [Task(file=path) for path in files] * 9, 2)):
        print(number, flush=True)
"""


@pytest.mark.slow
def test_a_replay_that_is_killed_leaves_no_worker_behind(migrated_sqlite: str, tmp_path: Path) -> None:
    (tmp_path / "killed.py").write_text(KILLED)
    there = environment(DATABASE_URL=migrated_sqlite, HOME=str(tmp_path), SECRET_KEY="k" * 40)
    command = [sys.executable, str(tmp_path / "killed.py"), str(GAMES)]
    with subprocess.Popen(command, env=there, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "0\n"
        workers = children(parent.pid)
        assert len(workers) >= 2
        parent.kill()
    end = time.monotonic() + 60
    while any(map(is_alive, workers)):
        assert time.monotonic() < end, "they work on for nobody"
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    """Whether a process is there, and no mere entry that nobody has read yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Mortal:
    """A pool of two processes that dies of some tasks, with all that is handed out or waits then."""

    deadly: frozenset[str] = frozenset()
    pools = 0

    def __init__(self, *given: Any) -> None:
        type(self).pools += 1
        self.dead = False

    def __enter__(self) -> "Mortal":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def submit(self, do: Any, task: Task) -> Future[Replayed]:
        future: Future[Replayed] = Future()
        self.dead = self.dead or task.game in self.deadly
        if self.dead:
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(Replayed(task.game))
        return future


def test_a_process_that_dies_costs_no_other_game_its_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.integrity.replay.ProcessPoolExecutor", Mortal)
    monkeypatch.setattr(Mortal, "deadly", frozenset({"g7", "g40"}))
    done = list(replay(NO_SETTINGS, [Task(f"g{n}") for n in range(60)], 2))
    assert sorted(one.game for one in done) == sorted(f"g{n}" for n in range(60))
    assert {one.game for one in done if one.faults} == {"g7", "g40"}
    assert "with more memory" in done[-1].faults[0].sentence


def test_where_every_process_dies_not_every_game_is_tried_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.integrity.replay.ProcessPoolExecutor", Mortal)
    monkeypatch.setattr(Mortal, "pools", 0)
    monkeypatch.setattr(Mortal, "deadly", frozenset(f"g{n}" for n in range(60)))
    done = list(replay(NO_SETTINGS, [Task(f"g{n}") for n in range(60)], 2))
    assert len(done) == 60
    assert all(one.faults for one in done)
    assert Mortal.pools == 6


# Old bodies in a database


def keeps(services: Services, lines: list[bytes]) -> str:
    """The rows of a game as they were kept when this was exported; its state is not."""
    entries = [msgspec.json.decode(line) for line in lines[:-1]]
    last = entries[-1]
    with services.database.write() as tx:
        tx.execute(
            sa.insert(games).values(
                id=last["game"], ruleset=entries[0]["data"]["ruleset"], status="finished", version=last["version"],
                hash=last["hash"], last_at=0, state=b"", public=True, host="p_anna", created_at=0,
            )
        )  # fmt: skip
        for entry in entries:
            sealed, hash_ = entry["sealed"], entry.pop("hash")
            entry["sealed"] = [{"for": leaf["for"], "commitment": leaf["commitment"]} for leaf in sealed]
            row = {"game_id": last["game"], "version": entry["version"], "type": entry["type"], "hash": hash_}
            tx.execute(sa.insert(events).values(body=canonical(entry).decode(), **row))
            for number, leaf in enumerate(sealed):
                kept = Leaf(leaf["for"], leaf["data"], bytes.fromhex(leaf["salt"]))
                owner = None if leaf["for"] == NOBODY else leaf["for"]
                content = services.streams._seal_leaf(last["game"], entry["version"], number, kept)
                place = {"game_id": last["game"], "version": entry["version"], "number": number}
                tx.execute(sa.insert(leaves).values(owner=owner, sealed=content, opened=last["version"], **place))
    return str(last["game"])


@once
def test_a_game_in_an_older_schema_is_read_replayed_and_exported_byte_for_byte(services: Services) -> None:
    old = in_schema_1(played())
    game = keeps(services, old)
    assert do(services, Task(game)).faults == ()
    with services.database.read() as connection:
        head = services.streams.head(connection, game)
        assert head.table.status == "finished"
        assert len(services.streams.history(connection, game, head.rules, head.version)) == head.version
        assert b"".join(history_queries.export(services, connection, head, None)).splitlines() == old
